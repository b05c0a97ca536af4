"""What leaves when: nothing before its journal rows are committed, or if they never are."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Sequence
from typing import Any

from kitumaija.engine import PlayCard
from kitumaija.server.lobby.outgoing import Outgoing
from kitumaija.server.store import JournalRow, StoreFailed
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import card_from_message
from tests.support.lobby import Lobby, seated


class FailingWriter:
    """Takes rows, and fails with all of them when it is told to."""

    def __init__(self) -> None:
        self.taken: list[asyncio.Future[None]] = []

    def append(self, entries: Sequence[JournalRow]) -> asyncio.Future[None]:
        """Take rows."""
        del entries
        self.taken.append(asyncio.get_running_loop().create_future())
        return self.taken[-1]

    def fail(self) -> None:
        """Fail with everything taken so far."""
        for written in self.taken:
            written.set_exception(StoreFailed("the disk is full"))
        self.taken.clear()


async def turn() -> None:
    """Let the loop do what is due, twice: what it does may make more due."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)


async def test_a_store_that_fails_is_reported_once_and_nothing_leaves_any_more() -> None:
    alarms: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: alarms.append(context))
    writer, failures, left = FailingWriter(), list[BaseException](), list[str]()
    outgoing = Outgoing(writer, failures.append)
    for number, name in enumerate(("first", "second", "third")):
        outgoing.journal(JournalRow("m", number, b""))
        outgoing.then(lambda name=name: left.append(name))  # type: ignore[misc]
        await turn()
    writer.fail()
    await turn()
    outgoing.journal(JournalRow("m", 3, b""))
    outgoing.then(lambda: left.append("fourth"))
    await turn()
    await outgoing.settled()
    del outgoing
    gc.collect()

    assert [str(error) for error in failures] == ["the disk is full"]
    assert left == []
    assert writer.taken == []
    assert alarms == []


async def test_no_message_leaves_before_the_decisions_that_it_reveals_are_committed() -> None:
    lobby = Lobby(prompt=False)
    alice, alices, _, bobs = await seated(lobby)
    alices_decision = alices.last("decision")
    alices.take(), bobs.take()

    lobby.answer(alice, alices_decision)
    await lobby.turn()
    assert (alices.kinds(), bobs.kinds()) == ([], [])

    lobby.journal.commit()
    await lobby.turn()
    assert alices.kinds()[0] == "accepted"


async def test_a_message_that_reveals_nothing_waits_for_those_before_it() -> None:
    lobby = Lobby(prompt=False)
    alice, alices, bob, bobs = await seated(lobby)
    decision = alices.last("decision")
    alices.take(), bobs.take()
    lobby.answer(alice, decision)
    await lobby.turn()

    nothing = arena_pb2.Decision(match_id="no such match", decision_id=1)
    lobby.answer(bob, nothing, PlayCard(card_from_message(1)))
    await lobby.turn()
    assert bobs.kinds() == []

    lobby.journal.commit()
    await lobby.turn()
    assert bobs.kinds()[-1] == "refusal"


async def test_what_all_matches_decide_in_one_turn_of_the_loop_is_appended_at_once() -> None:
    lobby = Lobby()
    alice, alices, bob, _ = await seated(lobby)
    lobby.open("alice", "bob", match_id="m2")
    lobby.ready("m2", alice, bob)
    await lobby.turn()
    before = len(lobby.journal.appends)

    decisions = [m.decision for m in alices.messages if m.WhichOneof("message") == "decision"]
    for decision in decisions:
        lobby.answer(alice, decision)
    await lobby.turn()

    assert [row.match_id for row in lobby.journal.appends[before]] == ["m1", "m2"]
    assert len(lobby.journal.appends) == before + 1


async def test_nothing_leaves_any_more_when_the_journal_failed() -> None:
    lobby = Lobby(prompt=False)
    alice, alices, _, bobs = await seated(lobby)
    decision = alices.last("decision")
    alices.take(), bobs.take()
    lobby.answer(alice, decision)
    await lobby.turn()

    lobby.journal.fail(OSError("the disk is full"))
    await lobby.turn()
    lobby.answer(alice, arena_pb2.Decision(match_id="other"), PlayCard(card_from_message(1)))
    await lobby.turn()

    assert (alices.kinds(), bobs.kinds()) == ([], [])
    assert [str(error) for error in lobby.fatal] == ["the disk is full"]
