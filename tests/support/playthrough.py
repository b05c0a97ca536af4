"""A whole game written out for people to read: positions, views, choices, events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from kitumaija.engine import (
    Card,
    Event,
    GameOptions,
    Outcome,
    State,
    View,
    apply,
    format_action,
    format_cards,
    format_position,
    legal_actions,
    new_game,
    text_seed,
    view,
)
from tests.support.recording import Player


def playthrough(seed: str, seats: int, options: GameOptions, player: Player) -> str:
    """Play a game with one player in every seat; return its text."""
    return "\n".join(_lines(seed, seats, options, player)) + "\n"


def _lines(seed: str, seats: int, options: GameOptions, player: Player) -> Iterator[str]:
    yield f'{seats} players, text seed "{seed}"'
    yield ", ".join(f"{name} {value}" for name, value in options.as_dict().items())
    yield ""
    state, events = new_game(text_seed(seed), seats, options=options)
    yield from _events(events)
    turn = -1
    while not state.over:
        if state.turns != turn:
            turn = state.turns
            yield ""
            yield f"turn {turn + 1}"
        legal = legal_actions(state)
        seen = view(state, state.mover)
        action = player(seen, legal)
        yield f"{format_position(state)}"
        yield f"    sees {_view(seen)}"
        yield f"    may {', '.join(format_action(choice) for choice in legal)}"
        yield f"    does {format_action(action)}"
        state, events = apply(state, action)
        yield from _events(events)
    yield ""
    yield from _end(state)


def _end(state: State) -> Iterator[str]:
    yield format_position(state)
    if state.outcome is not None:
        places = " ".join(f"P{seat}:{place}" for seat, place in enumerate(state.outcome.places))
        yield f"{state.outcome.termination.value} after {state.turns} turns, places {places}"


def _view(seen: View) -> str:
    sizes = " ".join("?" if size is None else str(size) for size in seen.hand_sizes)
    return (
        f"hand [{format_cards(seen.hand)}] top {seen.top or '-'} pile {seen.pile_size}"
        f" stock {seen.stock_size} sizes {sizes}"
    )


def _events(events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        values = [_value(getattr(event, field.name)) for field in fields(event)]
        yield f"    {' '.join(['-', type(event).__name__, *values])}"


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{format_cards(value)}]"
    if isinstance(value, Outcome):
        return value.termination.value
    return str(value) if isinstance(value, Card) else repr(value)
