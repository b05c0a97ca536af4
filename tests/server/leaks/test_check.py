"""The leak check: two servers over real sockets, with pairs of worlds made by the oracle."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kitumaija.engine import (
    CardsDrawn,
    Event,
    HandSizes,
    Seat,
    State,
    View,
    event_for,
    view,
)
from kitumaija.server.leaks import Check, Ending, Finding, Report, Round, check, rounds
from kitumaija.server.lobby import chronicle
from kitumaija.server.lobby.running import RunningMatch
from kitumaija.server.match import telling
from kitumaija.server.match.state import Draft
from tests.support.other_worlds import worlds_by_the_oracle

KINDS = {
    "stream decision",
    "stream accepted",
    "stream refusal",
    "stream match_start",
    "stream seating",
    "stream match_sync",
    "stream match_end",
    "feed WatchMatch",
    "call ListMatches",
    "call ListTournaments",
    "call GetStandings",
    "call GetClocks",
    "call GetSeatReplay",
    "call GetRecord",
    "call ExplainSeat",
    "metrics line",
    "log line",
}


def how(folder: Path) -> Check:
    return Check(worlds_by_the_oracle, folder, time.perf_counter_ns)


def sentences(report: Report) -> str:
    return "\n".join(finding.sentence for finding in report.findings)


async def test_no_byte_that_a_bot_is_sent_depends_on_what_its_seats_may_not_know(
    tmp_path: Path,
) -> None:
    """At every number of seats and every way to end, in two matches at once."""
    played = list(rounds(18, seed="the leak test", concurrent=2))

    report = await check(played, how(tmp_path))

    assert not report.findings, sentences(report)
    assert {one.seats for one in played} == set(range(2, 11))
    assert set(report.pairs) == {ending.value for ending in Ending}
    assert set(report.messages) >= KINDS
    assert report.pairs.total() == 18
    assert report.alike <= 1
    assert report.moved > 10 * report.pairs.total()


def test_rounds_cover_every_number_of_seats_with_every_way_to_end_and_every_option() -> None:
    played = list(rounds(27 * 6, seed="cover"))

    assert {(one.seats, one.ending) for one in played} == {
        (seats, ending) for seats in range(2, 11) for ending in Ending
    }
    for name in ("free_from_stock", "pickup", "stopped", "hand_sizes"):
        kind: Any = type(getattr(played[0].options, name))
        assert {getattr(one.options, name) for one in played} == set(kind)
    assert any(one.victim == one.watcher for one in played)
    assert sum(one.matches for one in played) == 27 * 6


# Leaky builds


def one_round(seats: int, ending: Ending = Ending.PLAYED, **options: Any) -> Round:
    played = next(rounds(2, seed="leaky", seats=[seats]))
    chosen = replace(played.options, hand_sizes=HandSizes.UNTIL_STOCK_EMPTY, **options)
    return replace(played, ending=ending, options=chosen, matches=1)


async def found_in(folder: Path, played: Round) -> list[Finding]:
    return (await how(folder).round(played)).findings


async def test_a_view_that_shows_hand_sizes_after_the_stock_ran_out_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaky(state: State, seat: Seat) -> View:
        sizes = tuple(hand.bit_count() for hand in state.hands)
        return replace(view(state, seat), hand_sizes=sizes)

    monkeypatch.setattr(telling, "view", leaky)
    found = await found_in(tmp_path, one_round(10))

    assert found
    assert {one.field for one in found} == {"decision.view.hand_sizes"}
    assert all("hand sizes after the stock has run out" in one.sentence for one in found)


async def test_a_view_in_an_order_that_depends_on_the_stock_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaky(state: State, seat: Seat) -> View:
        seen = view(state, seat)
        first = sum(state.stock[-3:]) % max(1, len(seen.hand))
        return replace(seen, hand=seen.hand[first:] + seen.hand[:first])

    monkeypatch.setattr(telling, "view", leaky)
    (found, *_) = await found_in(tmp_path, one_round(4))

    assert found.kind == "decision"
    assert found.field.startswith("decision.view.hand[")
    assert f"seat {found.seat} (bot b{found.round.watcher})" in found.sentence


async def test_the_face_of_a_card_that_another_drew_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaky(event: Event, seat: Seat | None) -> Event:
        return event if isinstance(event, CardsDrawn) else event_for(event, seat)

    monkeypatch.setattr(telling, "event_for", leaky)
    (found, *_) = await found_in(tmp_path, one_round(3))

    assert found.kind in {"decision", "match_sync", "match_end"}
    assert ".events[" in found.field
    assert ".cards[" in found.field


async def test_a_card_in_a_line_of_the_log_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = chronicle.opened

    def leaky(match: RunningMatch, *, resumed: bool) -> None:
        real(match, resumed=resumed)
        chronicle._log.info("dealt", last=str(match.state.game.stock[-1]))

    monkeypatch.setattr(chronicle, "opened", leaky)
    found = await found_in(tmp_path, one_round(2))

    assert [one.source for one in found] == ["log"]
    assert "dealt" in found[0].sentence


async def test_a_card_in_the_text_of_an_error_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Draft.tell

    def leaky(draft: Draft, seat: Seat, message: Any) -> None:
        if hasattr(message, "detail") and draft.game.stock:
            message = replace(message, detail=f"{message.detail} ({draft.game.stock[-1]})")
        real(draft, seat, message)

    monkeypatch.setattr(Draft, "tell", leaky)
    (found, *_) = await found_in(tmp_path, one_round(4))

    assert (found.kind, found.field) == ("refusal", "refusal.detail")
