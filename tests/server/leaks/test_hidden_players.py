"""Servers that tell who sits in a match, each in another way: every one of them is found out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kitumaija.server.leaks import Ending
from kitumaija.server.lobby import stage, tell
from kitumaija.server.lobby.running import RunningMatch
from kitumaija.server.match.values import MatchNotStarted
from kitumaija.server.rpc import tournament_messages
from kitumaija.server.store import matches
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament import board, versions
from tests.support.leak_rounds import found_in, one_round


async def test_pseudonyms_that_are_made_of_the_bots_behind_them_are_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = board.Board.aliases

    def leaky(self: board.Board, row: Any, attempt: Any) -> tuple[str, ...] | None:
        names = real(self, row, attempt)
        return names and tuple(
            f"{name}{len(self.players[bot].display_name) % 2}"
            for name, bot in zip(names, attempt.seats, strict=True)
        )

    monkeypatch.setattr(board.Board, "aliases", leaky)
    found = await found_in(tmp_path, one_round(4, blind=True))

    assert [one.kind for one in found] == ["seating"]
    assert found[0].field.startswith("seating.players[")


async def test_a_listing_of_one_bot_s_matches_that_has_those_that_run_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = matches.public_page

    def leaky(tx: ReadTx, tournament_id: str, **how: Any) -> Any:
        running = [seated.match.match_id for seated in matches.running(tx, tournament_id)]
        return real(tx, tournament_id, **{**how, "running": running})

    monkeypatch.setattr(matches, "public_page", leaky)
    found = await found_in(tmp_path, one_round(3, Ending.CAPPED, blind=True))

    assert [one.kind for one in found] == ["ListMatches of one bot"]


async def test_a_void_match_that_tells_who_sat_there_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaky(match: RunningMatch, said: Any) -> Any:
        message = tell.message_for(match, said)
        if message.HasField("match_end"):
            message.match_end.void_reason += match.setup.entrants[-1]
        return message

    monkeypatch.setattr(stage, "message_for", leaky)
    found = await found_in(tmp_path, one_round(3, Ending.CAPPED, blind=True))

    assert [(one.kind, one.field) for one in found] == [("match_end", "match_end.void_reason")]


async def test_a_version_that_is_shown_as_soon_as_its_bot_was_offered_a_match_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a tournament that is not blind: who was to sit in a match that did not begin."""
    monkeypatch.setattr(
        tournament_messages, "shown", lambda tx, row: versions.came_as(tx, row.tournament_id)
    )
    found = await found_in(tmp_path, one_round(2, Ending.LATE))

    assert [one.kind for one in found] == ["GetTournament"]
    assert found[0].field.endswith(".bot_version")


async def test_the_start_card_of_a_match_that_never_began_is_caught_in_its_feed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaky(match: RunningMatch) -> None:
        match.begun |= isinstance(match.state.result, MatchNotStarted)

    monkeypatch.setattr(RunningMatch, "note_whether_begun", leaky)
    found = await found_in(tmp_path, one_round(3, Ending.ABSENT))

    assert [(one.source, one.kind) for one in found] == [("feed", "WatchMatch")]
