"""Recorded games for tests: played at random, or by scripted players, and written down."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeAlias

from kitumaija.engine import (
    RULES_VERSION,
    Action,
    Deal,
    DecidedBy,
    Decision,
    GameOptions,
    GameRecord,
    RecordedResult,
    View,
    apply,
    default_action,
    legal_actions,
    match_places,
    new_game,
    text_seed,
    view,
)
from tests.support.playouts import choose

Player: TypeAlias = Callable[[View, tuple[Action, ...]], Action]
"""Chooses among the legal actions of the seat whose view it gets."""


def random_player(seed: str) -> Player:
    """Return a player whose choices follow from `seed`."""
    rng = random.Random(seed)
    return lambda _, legal: choose(legal, rng)


def record_game(
    name: str,
    seats: int,
    player: Player,
    options: GameOptions = GameOptions(),  # noqa: B008
) -> GameRecord:
    """Play a game to its end with one player in every seat, and return its record.

    Where the choice is the default action, the record has every second such decision of a seat
    down as made by default.
    """
    deal = Deal(name, text_seed(name), (("alice", b"a"), ("bob", b"")))
    state = new_game(deal.key, seats, options=options).state
    decisions: list[Decision] = []
    while not state.over:
        legal = legal_actions(state)
        seen = view(state, state.mover)
        action = player(seen, legal)
        late = action == default_action(seen, legal) and len(decisions) % 2 == 0
        by, fault = (DecidedBy.DEFAULT, "timeout") if late else (DecidedBy.BOT, None)
        decisions.append(Decision(state.mover, action, by, fault))
        state = apply(state, action).state
    return GameRecord(
        rules_version=RULES_VERSION,
        options=options,
        deal=deal,
        seats=tuple(f"bot-{seat}" for seat in range(seats)),
        decisions=tuple(decisions),
        result=RecordedResult(state.outcome, match_places(state, ()), ()),
    )
