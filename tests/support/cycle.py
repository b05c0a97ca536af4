"""A position of two players that comes back after six turns (W20), as often as one likes."""

from __future__ import annotations

from kitumaija.engine import GameOptions, Seat, State, apply, parse_action, position

TURNS = 6
ACTIONS = ("3C", "2H", "2D", "QS", "take 4", "7C", "2S", "2D", "QS", "take 4")

_HANDS = {
    0: "3C 4C 5C 6C 8C 9C TC JC QC KC AC 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
    1: "7C 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
}


def cycle_start(options: GameOptions = GameOptions()) -> State:  # noqa: B008 - a frozen value
    """Return the position, with all 52 cards, at the start of player 0's turn."""
    return position(seats=2, mover=Seat(0), hands=_HANDS, pile="2C", options=options)


def around(state: State, times: int = 1) -> State:
    """Play the six turns, or as many of them as the game allows."""
    for action in ACTIONS * times:
        if not state.over:
            state = apply(state, parse_action(action)).state
    return state
