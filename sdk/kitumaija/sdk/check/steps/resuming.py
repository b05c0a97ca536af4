"""Steps about streams that break, and coming back on new ones."""

from __future__ import annotations

from typing import Final

from kitumaija.sdk.check.exam import Exam
from kitumaija.sdk.check.step import Failed, Step
from kitumaija.sdk.check.steps import positions
from kitumaija.sdk.check.table import Table
from kitumaija.v1 import arena_pb2


async def ask_anew(exam: Exam, table: Table) -> None:
    """Tell on a new stream how a match stands, and ask its open decision again."""
    await exam.stream.say(table.referee.sync(), table.question_again())


async def _seated(exam: Exam) -> None:
    table = await exam.sit()
    table.referee.proceed()
    await table.decide()
    await exam.cut(table)
    await exam.stream.say(table.referee.sync())
    table.referee.proceed()
    await table.decide()
    await table.play(decisions=3)


async def _asked(exam: Exam) -> None:
    """The decision is on its way when the stream breaks: nobody knows whether it arrived."""
    table = await exam.sit()
    table.referee.proceed()
    await table.decide()
    table.referee.proceed()
    await table.ask()
    await exam.cut(table)
    await ask_anew(exam, table)
    table.referee.take(await table.answer())
    await exam.stream.say(table.referee.accepted())
    await table.play(decisions=3)


async def _answered(exam: Exam) -> None:
    """The Accepted is lost. There are three legal actions, to tell one from another."""
    table = await exam.sit(opening=positions.CATCH.opening())
    await table.ask()
    first = await table.hear_answer()
    table.action_of(first)
    for _ in range(2):
        await exam.cut(table)
        await ask_anew(exam, table)
        again = await table.hear_answer()
        if again.action != first.action:
            raise Failed(
                f"the same action as before, {_shown(first)}", f"another one, {_shown(again)}"
            )
    table.referee.take(table.action_of(first))
    await exam.stream.say(table.referee.accepted())
    await table.play(decisions=3)


def _shown(answer: arena_pb2.Answer) -> str:
    return str(answer.action).strip().replace("\n", " ")


async def _names(exam: Exam) -> None:
    await exam.here()
    over, live = await exam.sit(), await exam.sit()
    over.referee.proceed()
    await over.decide()
    await over.void()
    live.referee.proceed()
    await live.decide()
    hello = await exam.cut(live)
    if live.match_id not in hello.match_ids:
        raise Failed(
            f"Hello.match_ids with the match that it still plays, {live.match_id}",
            ", ".join(hello.match_ids) or "none",
        )
    if over.match_id in hello.match_ids:
        raise Failed(
            f"Hello.match_ids without the match whose end it heard, {over.match_id}",
            ", ".join(hello.match_ids),
        )
    await exam.stream.say(live.referee.sync())
    live.referee.proceed()
    await live.decide()


async def _ended_away(exam: Exam) -> None:
    """One match ended while the bot was away; its end is told, and the other goes on."""
    ended, other = await exam.sit(), await exam.sit()
    for table in (ended, other):
        table.referee.proceed()
        await table.decide()
    await exam.cut(other)
    await exam.stream.say(other.referee.sync())
    await ended.void()
    other.referee.proceed()
    await other.decide()
    hello = await exam.cut(other)
    if ended.match_id in hello.match_ids:
        raise Failed(
            f"Hello.match_ids without the match that ended, {ended.match_id}",
            ", ".join(hello.match_ids),
        )
    await exam.stream.say(other.referee.sync())
    other.referee.proceed()
    await other.decide()


async def _newborn(exam: Exam) -> None:
    """What a process hears that was started anew: a match that it has never heard of."""
    stream = await exam.here()
    table = exam.table()
    table.started = True
    table.referee.proceed()
    table.referee.take(table.referee.legal[0])
    table.referee.proceed()
    table.referee.decision_id = 1
    await stream.say(table.referee.sync(), table.question())
    table.referee.take(await table.answer())
    await stream.say(table.referee.accepted())
    await table.play(decisions=2)


async def _gap(exam: Exam) -> None:
    """Events are missing: a bot that wants them asks for them; one that does not may answer."""
    table = await exam.sit()
    table.referee.proceed()
    await table.decide()
    table.referee.proceed()
    table.referee.told = len(table.referee.events)
    await table.ask()
    stream = exam.stream
    heard = await stream.until(
        lambda: next(
            (each for each in stream.heard if getattr(each.said, "match_id", "") == table.match_id),
            None,
        ),
        exam.times.patience,
        wanted="Resync, or an Answer, to a Decision with a gap in the events",
    )
    if heard.said.DESCRIPTOR is arena_pb2.Resync.DESCRIPTOR:
        stream.heard.remove(heard)
        await ask_anew(exam, table)
    table.referee.take(await table.answer())
    await stream.say(table.referee.accepted())
    await table.play(decisions=3)


async def _replaces(exam: Exam) -> None:
    """A MatchSync has all events: what comes behind it is no gap, and nothing is asked twice."""
    table = await exam.sit()
    await table.play(decisions=2)
    if table.over:
        return
    await exam.stream.say(table.referee.sync())
    await table.decide()
    await exam.stream.say(table.referee.sync(), table.referee.sync())
    await table.play(decisions=2)
    resyncs = [each for each in exam.stream.heard if hasattr(each.said, "match_id")]
    if any(each.said.DESCRIPTOR is arena_pb2.Resync.DESCRIPTOR for each in resyncs):
        raise Failed("no Resync, for MatchSync has all events of the match", "Resync")


async def _skipped_ids(exam: Exam) -> None:
    """Decisions that were made by default have numbers too."""
    table = await exam.sit()
    for skipped in (0, 3, 40):
        if not table.referee.proceed():
            break
        table.referee.decision_id += skipped
        await table.decide()


async def _superseded(exam: Exam) -> None:
    """A decision was made by default; the next one is asked before the bot has answered."""
    table = await exam.sit()
    table.referee.proceed()
    first = table.question()
    table.referee.take(table.referee.legal[0])
    table.referee.proceed()
    await exam.stream.say(first, table.question())
    table.referee.take(await table.answer())
    await exam.stream.say(table.referee.accepted())
    await table.play(decisions=3)


STEPS: Final = (
    Step(
        "decision-ids",
        "It answers under the number that it is asked under, also where numbers are left out.",
        _skipped_ids,
        "What the bot says",
        "Copy decision_id from the Decision; do not count decisions yourself.",
    ),
    Step(
        "superseded",
        "When the next decision is asked before it has answered, it answers that one.",
        _superseded,
        "Deciding",
        "A new Decision takes the place of the one before: drop that and answer the new one.",
    ),
    Step(
        "back-seated",
        "It comes back to a match that is seated, and plays on.",
        _seated,
        "Coming back",
        "Dial again when a stream ends, say Hello, and replace what you know by MatchSync.",
    ),
    Step(
        "back-asked",
        "It answers a decision that was open when the stream broke, under the same number.",
        _asked,
        "Coming back",
        "The open Decision follows MatchSync: answer it on the new stream.",
    ),
    Step(
        "back-answered",
        "An answer that may have been lost is sent again, unchanged, on each new stream.",
        _answered,
        "Coming back",
        "Keep what you answered until it is Accepted, and send it again when it is asked again.",
    ),
    Step(
        "hello-names",
        "On a new stream Hello names the matches that it still plays, and no others.",
        _names,
        "Coming back",
        "Put the ids of the matches whose MatchEnd you have not heard into Hello.match_ids.",
    ),
    Step(
        "ended-away",
        "A match that ended while it was away is over for it, and the others go on.",
        _ended_away,
        "Coming back",
        "MatchEnd may follow Welcome for a match that is not in Welcome.match_ids: forget it then.",
    ),
    Step(
        "newborn",
        "It takes up a match of which it hears first by MatchSync.",
        _newborn,
        "Coming back",
        "MatchSync holds the seating and the limits: begin a match by it if you do not know it.",
    ),
    Step(
        "gap",
        "Where events are missing it asks for them by Resync, or does without, and answers.",
        _gap,
        "Deciding",
        "Compare Decision.first_event with the number of events heard; say Resync if it is higher.",
    ),
    Step(
        "sync-replaces",
        "MatchSync replaces what it knows of a match; nothing is missing behind it.",
        _replaces,
        "What the server says",
        "After MatchSync the next event has the number of events in it.",
    ),
)
