"""The hall: what leaves when, and what becomes of matches and their bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta

import pytest

from kitumaija.engine import DecidedBy, PlayCard
from kitumaija.server.lobby.connection import Connection
from kitumaija.server.match import (
    Fault,
    MatchNotStarted,
    MatchPlayed,
    MatchVoid,
)
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import card_from_message
from kitumaija.wire.times import Limits
from tests.support.clock import ms
from tests.support.lobby import ListLine, Lobby
from tests.support.raw_bot import answer

Bot = tuple[Connection, ListLine]


async def seated(
    lobby: Lobby, *, match_id: str = "m1", limits: Limits | None = None
) -> tuple[Connection, ListLine, Connection, ListLine]:
    """Have alice and bob seated at a match; return their connections and lines, emptied."""
    alice, alices = lobby.connect("alice")
    bob, bobs = lobby.connect("bob")
    lobby.open("alice", "bob", match_id=match_id, limits=limits)
    lobby.ready(match_id, alice, bob)
    await lobby.turn()
    lobby.journal.commit()
    await lobby.turn()
    return alice, alices, bob, bobs


async def play_out(lobby: Lobby, *bots: Bot) -> None:
    """Answer every decision of the bots with what is legal first, to the end."""
    while not lobby.hooks.over:
        await lobby.turn()
        for connection, line in bots:
            asked = [m.decision for m in line.messages if m.WhichOneof("message") == "decision"]
            line.messages.clear()
            for decision in asked:
                lobby.answer(connection, decision)


# What leaves when


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


async def test_a_decision_that_is_not_read_runs_out_all_the_same() -> None:
    lobby = Lobby()
    alice, _ = lobby.connect("alice", reading=False)
    bob, _ = lobby.connect("bob")
    limits = Limits(bank=timedelta(0))
    lobby.open("alice", "bob", limits=limits)
    lobby.ready("m1", alice, bob)
    await lobby.turn()

    # Its clock starts 100 ms after hand-over; a second and the margin of 50 ms are over after that.
    lobby.pass_time(100)
    lobby.pass_time(1_050 + 20)
    await lobby.turn()
    assert len(lobby.journal.entries("m1")) == 2

    lobby.pass_time(1)
    await lobby.turn()
    decided = lobby.journal.entries("m1")[2]
    assert decided.fault is Fault.DECISION_TIMEOUT  # type: ignore[union-attr]


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


async def test_a_refusal_that_waits_for_the_disk_costs_its_bot_nothing() -> None:
    lobby = Lobby(prompt=False)
    limits = Limits(per_decision=timedelta(seconds=1), bank=timedelta(0))
    alice, alices, _, _ = await seated(lobby, limits=limits)
    decision = alices.last("decision")
    lobby.clock.advance(ms(500))
    lobby.desk.answer(alice, answer(decision, None).answer, lobby.clock.now())
    await lobby.turn()

    # The disk takes far longer than the bot has left; time is looked at all along.
    for _ in range(300):
        lobby.clock.advance(ms(20))
        lobby.desk.look(lobby.clock.now())
        lobby.hall.sweep(lobby.clock.now())
    assert alices.last("decision") is decision
    lobby.journal.commit()
    await lobby.turn()
    lobby.clock.advance(ms(550))
    lobby.desk.look(lobby.clock.now())
    assert alices.last("refusal").retries_left == 2
    lobby.answer(alice, decision)
    await lobby.turn()

    decided = lobby.journal.entries("m1")[-1]
    assert decided.by is DecidedBy.BOT  # type: ignore[union-attr]
    assert decided.timing.used_us == 1_050_000  # type: ignore[union-attr]
    assert decided.timing.retimed_us == 6_000_000  # type: ignore[union-attr]


async def test_a_bot_that_comes_back_does_not_pay_for_the_disk_either() -> None:
    lobby = Lobby(prompt=False)
    limits = Limits(per_decision=timedelta(seconds=1), bank=timedelta(0))
    alice, alices, bob, _ = await seated(lobby, limits=limits)
    decision = alices.last("decision")
    lobby.open("alice", "bob", match_id="m2")
    lobby.ready("m2", alice, bob)
    again, line = lobby.connect("alice")
    await lobby.turn()

    for _ in range(200):
        lobby.clock.advance(ms(20))
        lobby.desk.look(lobby.clock.now())
        lobby.hall.sweep(lobby.clock.now())
    lobby.journal.commit()
    await lobby.turn()
    lobby.answer(again, decision)
    await lobby.turn()

    decided = lobby.journal.entries("m1")[-1]
    assert decided.by is DecidedBy.BOT  # type: ignore[union-attr]
    assert decided.timing.retimed_us == 4_000_000  # type: ignore[union-attr]
    assert line.kinds()[0] == "welcome"


async def test_an_offer_that_waits_for_the_disk_costs_nobody_s_start_up() -> None:
    lobby = Lobby(prompt=False)
    alice, _ = lobby.connect("alice")
    bob, _ = lobby.connect("bob")
    lobby.open("alice", "bob", limits=Limits(startup=timedelta(seconds=1)))
    await lobby.turn()

    for _ in range(200):
        lobby.clock.advance(ms(20))
        lobby.desk.look(lobby.clock.now())
        lobby.hall.sweep(lobby.clock.now())
    lobby.journal.commit()
    await lobby.turn()
    lobby.pass_time(900)
    lobby.ready("m1", alice, bob)

    assert lobby.hall.seated_ids() == ("m1",)


async def test_what_was_handed_over_in_a_stall_counts_from_its_end() -> None:
    lobby = Lobby()
    alice, alices = lobby.connect("alice", reading=False)
    bob, _ = lobby.connect("bob")
    lobby.open("alice", "bob")
    lobby.ready("m1", alice, bob)
    await lobby.turn()

    since = lobby.clock.now()
    lobby.clock.advance(ms(3_000))
    lobby.hall.stalled(since, lobby.clock.now())
    lobby.pass_time(99)
    lobby.pass_time(1)
    lobby.clock.advance(ms(5))
    lobby.answer(alice, alices.last("decision"))
    await lobby.turn()

    decided = lobby.journal.entries("m1")[2]
    assert decided.timing.used_us == 5_000  # type: ignore[union-attr]
