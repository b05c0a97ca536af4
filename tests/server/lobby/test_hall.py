"""The hall: what becomes of matches and their bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from kitumaija.server.match import (
    Fault,
    MatchNotStarted,
    MatchPlayed,
    MatchVoid,
)
from kitumaija.v1 import arena_pb2
from tests.support.clock import ms
from tests.support.lobby import Lobby, play_out, seated

# How a match ends


async def test_nobody_is_told_an_end_before_the_result_is_committed() -> None:
    lobby = Lobby()
    lobby.hooks.may_commit.clear()
    alice, alices, bob, bobs = await seated(lobby)
    await play_out(lobby, (alice, alices), (bob, bobs))
    await lobby.turn()

    assert "match_end" not in [*alices.kinds(), *bobs.kinds()]
    assert lobby.presence.taken("alice") == 1
    assert isinstance(lobby.hooks.over[0].result, MatchPlayed)
    assert [bot and bot.sdk for bot in lobby.hooks.over[0].bots] == ["", ""]

    lobby.hooks.may_commit.set()
    await lobby.turn()
    assert alices.kinds()[-1] == bobs.kinds()[-1] == "match_end"
    assert lobby.presence.taken("alice") == 0
    assert lobby.hooks.freed == [("alice", "bob")]
    assert lobby.hall.match_ids() == ()


async def test_a_bot_that_comes_back_before_the_end_is_committed_is_told_it() -> None:
    lobby = Lobby()
    lobby.hooks.may_commit.clear()
    alice, alices, bob, bobs = await seated(lobby)
    await play_out(lobby, (alice, alices), (bob, bobs))

    lobby.desk.gone(alice, lobby.clock.now(), goodbye=False)
    _, again = lobby.connect("alice")
    await lobby.turn()
    assert again.take() == ["welcome"]

    lobby.hooks.may_commit.set()
    await lobby.turn()
    assert again.kinds() == ["match_end"]


async def test_a_hook_that_raises_is_reported_as_fatal() -> None:
    lobby = Lobby()
    lobby.hooks.error = RuntimeError("no room for results")
    alice, alices, bob, bobs = await seated(lobby)

    await play_out(lobby, (alice, alices), (bob, bobs))
    await lobby.turn()

    assert [str(error) for error in lobby.fatal] == ["no room for results"]
    assert "match_end" not in alices.kinds()


# Mistakes of ours


class Raising(Mapping[str, str]):
    """Names that nobody can read."""

    def __getitem__(self, key: str) -> str:
        raise RuntimeError("QS")

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 2


async def test_a_mistake_of_ours_makes_its_match_void_and_no_other() -> None:
    lobby = Lobby()
    alice, alices, bob, _ = await seated(lobby)
    lobby.open("alice", "bob", match_id="m2", names=Raising())
    lobby.ready("m2", alice, bob)
    await lobby.turn()

    (over,) = lobby.hooks.over
    assert isinstance(over.result, MatchVoid)
    assert over.setup.match_id == "m2"
    end = alices.last("match_end")
    assert end.ending == arena_pb2.MATCH_ENDING_VOID
    assert "QS" not in str(alices.messages)
    assert lobby.hall.match_ids() == ("m1",)
    assert lobby.fatal == []


# Bots and their matches


async def test_each_match_takes_a_seat_of_its_bots_until_it_is_over() -> None:
    lobby = Lobby()
    lobby.connect("alice", capacity=2)
    lobby.open("alice", "bob")

    assert lobby.presence.free("alice") == 1
    assert lobby.presence.free("bob") == 0, "a bot that is away has room for one match"
    assert lobby.hall.running("alice") == 1

    lobby.hall.void("m1", "The organizer wanted it.")
    await lobby.turn()
    assert lobby.presence.free("alice") == 2
    assert lobby.presence.free("bob") == 1


async def test_a_void_match_tells_its_reason_and_has_no_result() -> None:
    lobby = Lobby()
    _, alices, _, bobs = await seated(lobby)

    lobby.hall.void("m1", "The organizer wanted it.")
    await lobby.turn()

    assert alices.last("match_end").void_reason == "The organizer wanted it."
    assert bobs.last("match_end").void_reason == "The organizer wanted it."
    assert isinstance(lobby.hooks.over[0].result, MatchVoid)


async def test_a_match_that_runs_is_not_opened_again() -> None:
    lobby = Lobby()
    lobby.open("alice", "bob")

    with pytest.raises(ValueError, match="m1"):
        lobby.open("alice", "bob")


async def test_bots_that_do_not_come_end_a_match_before_it_begins() -> None:
    lobby = Lobby()
    _, alices = lobby.connect("alice")
    lobby.open("alice", "bob")

    lobby.pass_time(30_000 + 21)
    await lobby.turn()

    result = lobby.hooks.over[0].result
    assert isinstance(result, MatchNotStarted)
    assert result.absent == ((0, Fault.STARTUP_TIMEOUT), (1, Fault.NO_SHOW))
    assert lobby.hooks.over[0].bots[1] is None
    assert alices.kinds()[-1] == "match_end"


async def test_a_forfeit_can_be_ordered_for_some_matches_only() -> None:
    lobby = Lobby()
    alice, _, bob, _ = await seated(lobby)
    lobby.open("alice", "bob", match_id="m2")
    lobby.ready("m2", alice, bob)
    await lobby.turn()

    lobby.hall.order_forfeit("alice", Fault.DISQUALIFIED, match_ids=["m2"])
    await lobby.turn()

    (over,) = lobby.hooks.over
    assert over.setup.match_id == "m2"
    assert isinstance(over.result, MatchPlayed)
    assert over.result.faults[0] == (Fault.DISQUALIFIED,)


async def test_a_match_goes_on_from_its_journal_where_its_bots_saw_it() -> None:
    lobby = Lobby()
    alice, alices, _, bobs = await seated(lobby)
    lobby.answer(alice, alices.last("decision"))
    await lobby.turn()
    asked = (alices if alices.kinds()[-1] == "decision" else bobs).last("decision")

    later = Lobby()
    later.open("alice", "bob", resume_from=lobby.journal.entries("m1"))
    _, alices = later.connect("alice")
    _, bobs = later.connect("bob")
    await later.turn()

    assert alices.kinds()[:2] == ["welcome", "match_sync"]
    again = (alices if alices.kinds()[-1] == "decision" else bobs).last("decision")
    assert again.view == asked.view
    assert again.decision_id == asked.decision_id
    assert again.time_left_us == asked.time_left_us


# Time


async def test_a_stall_within_the_margin_is_charged_and_one_beyond_it_is_not() -> None:
    used = []
    for stall in (50, 51):
        lobby = Lobby()
        alice, alices, _, _ = await seated(lobby)
        since = lobby.clock.now()
        lobby.clock.advance(ms(stall))
        lobby.hall.stalled(since, lobby.clock.now())
        lobby.answer(alice, alices.last("decision"))
        await lobby.turn()
        decided = lobby.journal.entries("m1")[2]
        used.append(decided.timing.used_us)  # type: ignore[union-attr]

    assert used == [50_000, 0]
