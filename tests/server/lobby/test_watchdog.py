"""The watch over the matches: whatever stands still is given up, and nothing else is.

A match is stopped as a mistake of ours would stop it: its own deadlines are moved far away.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from kitumaija.engine import Deal
from kitumaija.server.limits import ServerLimits
from kitumaija.server.lobby.watchdog import LONGEST, Stay
from kitumaija.server.match import MatchPhase, MatchSetup, MatchVoid, Nanos
from kitumaija.server.match.clocks import Terms
from kitumaija.wire.times import Limits
from tests.support.clock import in_nanos, ms
from tests.support.lobby import Lobby

LIMITS = Limits(startup=timedelta(seconds=20), match_cap=timedelta(seconds=900))
SERVER = ServerLimits()
NEVER = Nanos(1 << 62)
SECOND = ms(1_000)


def longest_ms(stay: Stay) -> float:
    """How long a match may be in a state before anything is done, in milliseconds."""
    setup = MatchSetup("m1", Deal("t/m1", bytes(32), ()), ("alice", "bob"), limits=LIMITS)
    longest = LONGEST[stay](Terms.of(setup), SERVER) + in_nanos(SERVER.overdue_after)
    return longest / ms(1)


async def stopped(stay: Stay, *, deaf: bool = True) -> Lobby:
    """A lobby with one match in a state, whose deadlines never come if it is `deaf`."""
    lobby = Lobby()
    alice, _ = lobby.connect("alice")
    bob, _ = lobby.connect("bob")
    lobby.open("alice", "bob", limits=LIMITS)
    if stay is not Stay.OFFERED:
        lobby.ready("m1", alice, bob)
        await lobby.turn()
    if stay is Stay.RESUMING:
        entries = lobby.journal.entries("m1")
        lobby = Lobby()
        lobby.open("alice", "bob", limits=LIMITS, resume_from=entries)
    if stay is Stay.ENDED:
        lobby.hooks.may_commit.clear()
        lobby.hall.void("m1", "an organizer said so")
    match: Any = lobby.hall.match("alice", "m1")
    if deaf:
        pending = match.state.pending and match.state.pending._replace(started=NEVER)
        seats = tuple(seat._replace(away_since=NEVER) for seat in match.state.seats)
        match.state = match.state._replace(
            startup_ends=NEVER, cap_ends=NEVER, pending=pending, seats=seats
        )
    lobby.pass_time(0)
    await lobby.turn()
    return lobby


@pytest.mark.parametrize("stay", [Stay.OFFERED, Stay.RESUMING, Stay.PLAYING])
async def test_a_match_that_stays_longer_in_a_state_than_it_can_is_void(stay: Stay) -> None:
    lobby = await stopped(stay)

    lobby.pass_time(longest_ms(stay))
    await lobby.turn()
    assert lobby.hooks.over == []

    with capture_logs() as said:
        lobby.pass_time(1_000)
        await lobby.turn()

    (over,) = lobby.hooks.over
    assert isinstance(over.result, MatchVoid)
    assert lobby.hall.match_ids() == ()
    (line,) = [entry for entry in said if entry["event"] == "match overdue"]
    assert (line["match_id"], line["bots"], line["state"]) == ("m1", ("alice", "bob"), stay.value)


async def test_a_result_that_nobody_commits_ends_the_server_with_the_match_s_name() -> None:
    lobby = await stopped(Stay.ENDED)

    lobby.pass_time(longest_ms(Stay.ENDED))
    assert lobby.fatal == []
    lobby.pass_time(1_000)

    (error,) = lobby.fatal
    assert "match m1" in str(error)
    assert "next start" in str(error)


async def test_a_store_that_is_silent_ends_the_server_though_no_match_has_ended() -> None:
    lobby = Lobby(prompt=False)
    lobby.connect("alice")
    lobby.open("alice", "bob", limits=Limits(startup=timedelta(hours=1)))
    await lobby.turn()
    lobby.pass_time(1_000)
    lobby.pass_time(in_nanos(SERVER.commit_within) / ms(1))
    assert lobby.fatal == []

    lobby.pass_time(1_000)

    (error,) = lobby.fatal
    assert "committed nothing for 61 s" in str(error)


async def test_a_store_that_commits_slowly_all_the_time_is_waited_for() -> None:
    lobby = Lobby(prompt=False)
    lobby.connect("alice")
    for number in range(10):
        limits = Limits(startup=timedelta(hours=1))
        lobby.open("alice", "bob", match_id=f"n{number}", limits=limits)
        await lobby.turn()
        lobby.pass_time(in_nanos(SERVER.commit_within) / ms(1))
        lobby.journal.commit()
        await lobby.turn()

    assert lobby.fatal == []


async def test_an_offer_that_waited_for_the_disk_is_not_given_up_for_that() -> None:
    lobby = Lobby(prompt=False)
    alice, _ = lobby.connect("alice")
    bob, _ = lobby.connect("bob")
    lobby.open("alice", "bob", limits=LIMITS)
    await lobby.turn()
    for _ in range(in_nanos(SERVER.commit_within) // SECOND):
        lobby.clock.advance(SECOND)
        lobby.desk.look(lobby.clock.now())
        lobby.hall.sweep(lobby.clock.now())
        await lobby.turn()
    lobby.journal.commit()
    await lobby.turn()
    lobby.pass_time(19_000)
    lobby.ready("m1", alice, bob)
    await lobby.turn()
    lobby.journal.commit()
    await lobby.turn()

    assert lobby.hall.phases() == {MatchPhase.PLAYING: 1}
    assert lobby.hooks.over == []


@pytest.mark.parametrize("stay", [Stay.OFFERED, Stay.RESUMING, Stay.PLAYING])
async def test_the_watchdog_never_comes_before_the_match_s_own_deadlines(stay: Stay) -> None:
    lobby = await stopped(stay, deaf=False)

    with capture_logs() as said:
        while lobby.hall.match_ids():
            lobby.pass_time(1_000)
            await lobby.turn()

    assert "match overdue" not in [entry["event"] for entry in said]


@pytest.mark.parametrize("stay", list(Stay))
async def test_time_in_which_the_server_stood_still_does_not_count(stay: Stay) -> None:
    lobby = await stopped(stay)
    since = lobby.clock.now()
    lobby.clock.advance(3_600 * SECOND)

    lobby.hall.stalled(since, lobby.clock.now())
    lobby.pass_time(longest_ms(stay))

    assert lobby.hall.match_ids() == ("m1",)
    assert lobby.fatal == []


async def test_a_match_that_cannot_even_be_ended_by_its_machine_is_ended_all_the_same() -> None:
    lobby = await stopped(Stay.PLAYING)
    match: Any = lobby.hall.match("alice", "m1")
    match.state = match.state._replace(decisions=None)

    lobby.pass_time(longest_ms(Stay.PLAYING) + 1_000)
    await lobby.turn()

    (over,) = lobby.hooks.over
    assert isinstance(over.result, MatchVoid)
