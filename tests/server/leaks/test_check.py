"""The leak check: two servers over real sockets, with pairs of worlds made by the oracle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kitumaija.engine import CardsDrawn, Event, Seat, State, View, event_for, view
from kitumaija.server.leaks import Ending, check, rounds
from kitumaija.server.lobby import chronicle
from kitumaija.server.lobby.running import RunningMatch
from kitumaija.server.match import telling
from kitumaija.server.match.state import Draft
from tests.support.leak_rounds import by_the_oracle, found_in, one_round, sentences

KINDS = {
    "stream decision",
    "stream accepted",
    "stream refusal",
    "stream match_start",
    "stream seating",
    "stream match_sync",
    "stream match_end",
    "stream status",
    "feed WatchMatch",
    "call ListMatches",
    "call ListMatches of one bot",
    "call ListAuditEntries",
    "call ListBots",
    "call GetBot",
    "call VoidMatch",
    "call ExportTournament",
    "call WatchTournament",
    "call GetTournament",
    "call ListTournaments",
    "call GetStandings",
    "call GetClocks",
    "call GetSeatReplay",
    "call GetRecord",
    "call ExplainSeat",
    "metrics line",
    "log line",
}


@pytest.mark.timeout(600)
async def test_no_byte_that_a_bot_is_sent_depends_on_what_its_seats_may_not_know(
    tmp_path: Path,
) -> None:
    """At every number of seats and every way to end, blind or not, in two matches at once."""
    played = list(rounds(19, seed="leaks 60", concurrent=2))

    report = await check(played, by_the_oracle(tmp_path))

    assert not report.findings, sentences(report)
    assert {one.seats for one in played} == set(range(2, 11))
    assert set(report.pairs) == {ending.value for ending in Ending}
    assert set(report.messages) >= KINDS
    assert report.pairs.total() == 19
    # At a table of two the watcher has seen every card before long.
    assert report.alike <= 2
    assert report.moved > 10 * report.pairs.total()
    assert report.blind == 11
    assert report.swapped > 2 * report.blind
    # What is told of a match that has ended while others go on, whose players are still hidden.
    assert any(one.blind and one.same for one in played)


# Leaky builds


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
    (found, *_) = await found_in(tmp_path, one_round(4))

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
