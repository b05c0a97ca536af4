"""Golden playthroughs: whole games as text, read in review.

After a change on purpose, `pytest tests/playthroughs --rewrite-golden` writes them anew; the
difference then shows what the change does to a game.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kitumaija.engine import (
    FreeFromStock,
    GameOptions,
    HandSizes,
    PickUp,
    Stopped,
    default_action,
)
from tests.support.playthrough import playthrough
from tests.support.recording import random_player

FOLDER = Path(__file__).parent

OPEN = GameOptions(
    free_from_stock=FreeFromStock.ALWAYS,
    pickup=PickUp.ALWAYS,
    hand_sizes=HandSizes.ALWAYS,
    turns_per_player=12,
)
STRICT = GameOptions(
    free_from_stock=FreeFromStock.NEVER,
    hand_sizes=HandSizes.NEVER,
    stopped=Stopped.SHARE_LAST,
    repetition=2,
    turns_per_player=9,
)

# Seats, options, and whether choices are made at random or are all the default.
GAMES = {
    "two-defaults": (2, GameOptions(), False),
    "three-at-random": (3, GameOptions(turns_per_player=30), True),
    "four-defaults": (4, GameOptions(), False),
    "four-open-options": (4, OPEN, True),
    "five-strict-options": (5, STRICT, True),
    "ten-defaults": (10, GameOptions(turns_per_player=9), False),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_as_it_is_written_down(name: str, rewrite_golden: bool) -> None:
    seats, options, at_random = GAMES[name]
    player = random_player(name) if at_random else default_action
    golden = FOLDER / f"{name}.txt"

    played = playthrough(name, seats, options, player)

    if rewrite_golden:
        golden.write_text(played, encoding="utf-8")
    assert played == golden.read_text(encoding="utf-8")


def test_every_written_game_is_played() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)
