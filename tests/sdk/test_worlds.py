"""A bot that searches has worlds that agree with what it was told."""

from __future__ import annotations

from itertools import islice
from typing import ClassVar

import pytest

from kitumaija.sdk import Action, Bot, Match, Turn, play
from kitumaija.sdk.rules import State, apply, view
from kitumaija.sdk.worlds import Contradiction, Worlds


class Searcher(Bot):
    """Sheds cards, by looking a move ahead in a few worlds; the worlds are kept for the test."""

    drawn: ClassVar[list[tuple[Turn, list[State]]]]

    def on_start(self, match: Match) -> None:
        self.worlds = Worlds(match)

    def choose(self, turn: Turn) -> Action:
        self.worlds.hear(turn.events)
        states = list(islice(self.worlds.draw(f"decision {turn.decision_id}"), 2))
        assert states == list(islice(self.worlds.draw(f"decision {turn.decision_id}"), 2))
        self.drawn.append((turn, states))
        return min(
            turn.legal,
            key=lambda action: sum(len(apply(s, action).state.hand(turn.seat)) for s in states),
        )


@pytest.mark.parametrize("seats", [2, 4, 10])
def test_every_world_of_a_whole_game_looks_to_the_seat_as_its_turn_did(seats: int) -> None:
    class Kept(Searcher):
        drawn: ClassVar[list[tuple[Turn, list[State]]]] = []

    play([Kept, *[Smallest] * (seats - 1)], seed=3)

    assert len(Kept.drawn) > 5
    for turn, states in Kept.drawn:
        assert all(view(state, turn.seat) == turn.view for state in states)


class Smallest(Bot):
    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]


def test_worlds_that_were_not_told_everything_say_so() -> None:
    class Late(Smallest):
        why: ClassVar[list[str]] = []

        def on_start(self, match: Match) -> None:
            self.worlds = Worlds(match)

        def choose(self, turn: Turn) -> Action:
            self.worlds.hear(turn.events[1:])
            try:
                _ = self.worlds.known
            except Contradiction as error:
                self.why.append(error.why)
            return turn.legal[0]

    play([Late, Smallest], seed=1)

    assert "told from the deal on" in Late.why[0]
