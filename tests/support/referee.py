"""The engine and the oracle at one table: each move is made in both, and everything compared."""

from __future__ import annotations

from copy import deepcopy

from kitumaija.engine import (
    Action,
    Chance,
    GameOptions,
    Seat,
    State,
    apply,
    format_action,
    format_position,
    legal_actions,
    new_game,
)
from tests.support.oracle import Oracle


class Places:
    """The places for the queen, drawn from the game's chance as the engine draws them."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance

    def __call__(self, bound: int) -> int:
        place, self.chance = self.chance.below(bound)
        return place


class Referee:
    """A state of the engine and the oracle's idea of it; `check` fails where they differ."""

    def __init__(self, state: State, oracle: Oracle) -> None:
        self.state = state
        self.oracle = oracle

    @classmethod
    def dealt(cls, key: bytes, seats: int, options: GameOptions) -> Referee:
        """Start from a deal."""
        return cls.at(new_game(key, seats, options=options).state)

    @classmethod
    def at(cls, state: State) -> Referee:
        """Start from a state at a turn's start in which nobody is out."""
        oracle = Oracle(
            options=state.options.as_dict(),
            hands=[[str(card) for card in state.hand(Seat(seat))] for seat in range(state.seats)],
            pile=[str(card) for card in state.pile],
            stock=[str(card) for card in state.stock],
            mover=state.mover,
            place=Places(state.chance),
        )
        return cls(state, oracle)

    def played(self, action: Action) -> Referee:
        """Play an action in both, in copies."""
        return Referee(self.state, deepcopy(self.oracle)).play(action)

    def play(self, action: Action) -> Referee:
        """Play an action in both."""
        self.state = apply(self.state, action).state
        self.oracle.play(format_action(action))
        return self

    def check(self) -> None:
        """Compare the legal actions and everything that can be told of the two."""
        state, oracle = self.state, self.oracle
        legal = [format_action(action) for action in legal_actions(state)]
        assert legal == oracle.legal(), format_position(state)
        assert self._of_the_engine() == self._of_the_oracle()

    def _of_the_engine(self) -> tuple[object, ...]:
        state = self.state
        outcome = state.outcome
        return (
            [sorted(str(card) for card in state.hand(Seat(seat))) for seat in range(state.seats)],
            [str(card) for card in state.pile],
            [str(card) for card in state.stock],
            state.mover,
            list(state.out),
            state.turns,
            outcome.termination.value if outcome else "",
            list(outcome.places) if outcome else [],
            state.maija_pending,
            state.phase.value if outcome is None else "",
        )

    def _of_the_oracle(self) -> tuple[object, ...]:
        oracle = self.oracle
        return (
            [sorted(hand) for hand in oracle.hands],
            oracle.pile,
            oracle.stock,
            oracle.mover,
            oracle.out,
            oracle.turns,
            oracle.ending,
            oracle.places,
            oracle.maija,
            oracle.asked if not oracle.ending else "",
        )
