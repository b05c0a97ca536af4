"""Steps about the ends of matches, and about names."""

from __future__ import annotations

from typing import Final

from kitumaija.sdk.check.exam import Exam
from kitumaija.sdk.check.step import Step
from kitumaija.sdk.check.table import Table
from kitumaija.v1 import arena_pb2, fault_pb2
from kitumaija.wire.kinds import Kind

NAMES: Final = ("Examinee", "Väinö 🃏", "\u05de\u05d9\u05d4 مايا", "麻雀\u202e,\"'<b>")
"""Names in several scripts, with a sign that turns writing around, and marks of text formats."""


async def _void(exam: Exam) -> None:
    """Void before it is seated, before it is asked, and while it is."""
    await exam.here()
    offered = exam.table()
    await offered.offer()
    seated, asked = await exam.sit(), await exam.sit()
    asked.referee.proceed()
    await asked.ask()
    for table in (offered, seated, asked):
        await table.void()
    await _plays(exam, await exam.sit())


async def _while_asked(exam: Exam) -> None:
    """The match ends while the bot may still think; its answer would be too late."""
    table, other = await exam.sit(), await exam.sit()
    table.referee.proceed()
    await exam.stream.say(table.question(), table.referee.void("the others have gone"))
    table.over = True
    await _plays(exam, other)


async def _again(exam: Exam) -> None:
    table = await exam.sit()
    await table.void()
    await exam.stream.say(table.referee.void(), exam.table("never-heard-of").referee.void())
    silent = (Kind.ANSWER, Kind.READY, Kind.RESYNC)
    await exam.quiet(*silent, wanted="nothing about a match that is over")
    await _plays(exam, await exam.sit())


async def _told(exam: Exam) -> None:
    """The end of a game with forfeits, faults and entropies of others."""
    table = await exam.sit(seats=3)
    while table.referee.proceed():
        await table.decide()
    end = table.referee.end()
    told = end.match_end
    told.forfeits.add(seat=1, fault=fault_pb2.FAULT_KIND_DECISION_TIMEOUT, at=3)
    told.faults.add(seat=1, faults=[fault_pb2.FAULT_KIND_DECISION_TIMEOUT])
    told.entropies.add(entrant_id="other", entropy=bytes(32))
    told.ending = arena_pb2.MATCH_ENDING_FORFEITS
    table.over = True
    await exam.stream.say(end)
    await _plays(exam, await exam.sit())


async def _blind(exam: Exam) -> None:
    await exam.here()
    table = exam.table(seats=3, names=("Examinee", "p-7f3a", "p-01c9"))
    await table.sit()
    while table.referee.proceed():
        await table.decide()
    end = table.referee.end()
    for seat, name in enumerate(("examinee", "aino", "eino")):
        end.match_end.players.add(seat=seat, bot_id=name, display_name=name.title())
    table.over = True
    await exam.stream.say(end)
    await _plays(exam, await exam.sit())


async def _texts(exam: Exam) -> None:
    await exam.here()
    table = exam.table("match-ä-麻雀", seats=len(NAMES), names=NAMES)
    await table.sit()
    table.referee.proceed()
    await table.decide()
    table.over = True
    await exam.stream.say(table.referee.void("Ei kelpaa: 不行, لا."))
    await _plays(exam, await exam.sit())


async def _plays(exam: Exam, table: Table) -> None:
    del exam
    table.referee.proceed()
    await table.decide()


STEPS: Final = (
    Step(
        "void",
        "A match that is void is over for it, however far it came, and it plays the next.",
        _void,
        "What the server says",
        "MatchEnd may come at any time, without places: forget the match.",
    ),
    Step(
        "end-while-asked",
        "A match may end while it thinks: it goes on with the others.",
        _while_asked,
        "What the server says",
        "Drop the open decision of a match whose MatchEnd you hear.",
    ),
    Step(
        "end-again",
        "A MatchEnd that comes again, or of a match that it does not know, means nothing to it.",
        _again,
        "Coming back",
        "Look for the match before you act on its MatchEnd; it may have been said before.",
    ),
    Step(
        "end-told",
        "It takes an end with forfeits, faults and everybody's entropy.",
        _told,
        "What the server says",
        "Read of MatchEnd what you need; forfeits and faults are of other seats as well.",
    ),
    Step(
        "blind",
        "It plays against players whose names are made up, and hears who they were.",
        _blind,
        "Blind tournaments",
        "Do not expect to know a bot_id; MatchEnd.players tells who sat where.",
    ),
    Step(
        "texts",
        "Ids, names and reasons in any script are no trouble to it.",
        _texts,
        "What the server says",
        "Read texts as UTF-8, and print them as such.",
    ),
)
