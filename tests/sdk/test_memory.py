"""Memory knows all that a seat may know, and no more."""

from __future__ import annotations

from random import Random

import pytest

from kitumaija.engine import card_set, cards_in, legal_actions, replay, view
from kitumaija.sdk import Action, Match, Turn, play
from kitumaija.sdk.memory import Memory
from kitumaija.sdk.testing import Anything


class Remembers(Anything):
    """Plays anything, and keeps what it knows at each turn."""

    known: list[tuple[Turn, tuple[object, ...], Memory]]

    def on_start(self, match: Match) -> None:
        super().on_start(match)
        self.memory = Memory(match)

    def choose(self, turn: Turn) -> Action:
        self.memory.hear(turn.events)
        self.check(turn)
        return super().choose(turn)

    def check(self, turn: Turn) -> None:
        """What a test looks at."""


@pytest.mark.parametrize("seats", [2, 5, 10])
def test_it_knows_every_size_that_the_view_tells(seats: int) -> None:
    asked = 0

    class Checks(Remembers):
        def check(self, turn: Turn) -> None:
            nonlocal asked
            asked += 1
            assert len(self.memory.pile) == turn.pile_size
            assert self.memory.pile[-1:] == ([] if turn.top is None else [turn.top])
            for known, shown in zip(self.memory.sizes, turn.hand_sizes, strict=True):
                assert shown in (None, known)

    for seed in range(5):
        play([Checks] * seats, seed=seed)
    assert asked > 200


@pytest.mark.parametrize("seats", [2, 5])
def test_what_it_knows_is_true_and_the_rest_is_unseen(seats: int) -> None:
    told: list[tuple[list[object], tuple[int, ...], int]] = []

    class Checks(Remembers):
        def check(self, turn: Turn) -> None:
            if turn.seat == 0:
                held = tuple(self.memory.held[1:])
                told.append(([*self.memory.pile], held, self.memory.unseen(turn)))

    played = play([Checks] * seats, seed="true")

    steps = replay(played.record).steps
    asked = [
        step.state
        for step, decision in zip(steps, played.record.decisions, strict=False)
        if decision.seat == 0
    ]
    for state, (pile, held, unseen) in zip(asked, told, strict=True):
        assert tuple(pile) == state.pile
        hidden = card_set(state.stock)
        for known, true in zip(held, state.hands[1:], strict=True):
            assert known & ~true == 0
            hidden |= true & ~known
        assert unseen == hidden


def test_a_world_looks_to_the_seat_like_the_true_one() -> None:
    random = Random(1)

    class Checks(Remembers):
        def check(self, turn: Turn) -> None:
            world = self.memory.world(turn, random)
            assert view(world, turn.seat) == turn.view
            assert legal_actions(world) == turn.legal
            assert len(cards_in(card_set(world.stock))) == turn.stock_size

    for seed in range(5):
        play([Checks] * 3, seed=seed)


def test_worlds_differ_in_what_nobody_can_know() -> None:
    stocks: set[object] = set()

    class Checks(Remembers):
        def check(self, turn: Turn) -> None:
            if turn.decision_id == 1:
                stocks.update(self.memory.world(turn, Random(n)).stock for n in range(5))

    play([Checks, Anything], seed="differ")

    assert len(stocks) == 5
