"""Small decks, played out in every way there is and held against a second reading of the rules."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import pytest

from kitumaija.engine import (
    FreeFromStock,
    GameOptions,
    PickUp,
    format_position,
    legal_actions,
    position,
    text_seed,
)
from tests.support.referee import Referee

# No stop but the end: every reachable position is a position once.
ENDLESS = GameOptions(repetition=0, turns_per_player=0)
ALL_OPEN = GameOptions(
    repetition=0,
    turns_per_player=0,
    free_from_stock=FreeFromStock.ALWAYS,
    pickup=PickUp.ALWAYS,
)
NEVER_TURNED = GameOptions(repetition=0, turns_per_player=0, free_from_stock=FreeFromStock.NEVER)


@dataclass(frozen=True)
class SmallDeck:
    """A table with few cards, and how many positions can be reached from it."""

    name: str
    hands: tuple[str, ...]
    pile: str
    stock: str
    positions: int
    options: GameOptions = ENDLESS


SMALL_DECKS = [
    SmallDeck("without stock", ("3H QS 4C AC", "5H 2D 6S"), "2H", "", 9086),
    SmallDeck("three players", ("3H QS", "5H 4C 6S", "2D 4S"), "2H", "", 9790),
    SmallDeck("a queen to be turned", ("3H", "5H 2D"), "2H", "QS 4C 6S", 2827),
    SmallDeck("a queen alone in the stock", ("3H 5H", "2D"), "AC", "QS", 225),
    SmallDeck("nothing to catch with", ("3H", "5H 2D"), "AC", "4C QS 6S", 4680),
    SmallDeck("all open", ("3H", "5H 2D"), "2H", "QS 4H", 3140, ALL_OPEN),
    SmallDeck("never turned", ("3H", "5H 2D"), "2H", "QS 4H 6S", 4748, NEVER_TURNED),
]


@pytest.mark.parametrize("deck", SMALL_DECKS, ids=lambda deck: deck.name)
def test_a_second_reading_agrees_at_every_reachable_position(deck: SmallDeck) -> None:
    assert reachable(deck) == deck.positions


def reachable(deck: SmallDeck) -> int:
    """Walk every position that can be reached, comparing at each; return how many there are."""
    start = Referee.at(
        position(
            seats=len(deck.hands),
            mover=0,
            hands=dict(enumerate(deck.hands)),
            pile=deck.pile,
            stock=deck.stock,
            options=deck.options,
            key=text_seed(deck.name),
        )
    )
    seen = {_identity(start)}
    open_ends = deque([start])
    while open_ends:
        here = open_ends.popleft()
        here.check()
        for action in legal_actions(here.state):
            there = here.played(action)
            identity = _identity(there)
            if identity not in seen:
                seen.add(identity)
                open_ends.append(there)
    return len(seen)


def _identity(both: Referee) -> tuple[str, int]:
    return format_position(both.state), both.state.chance.position
