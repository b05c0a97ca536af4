"""Small tables for tests: set up in a line, played in text, looked at in text."""

from __future__ import annotations

from kitumaija.engine import (
    Event,
    Seat,
    State,
    apply,
    card_set,
    format_action,
    format_cards,
    legal_actions,
    parse_action,
    parse_cards,
    position,
)

P0, P1, P2 = Seat(0), Seat(1), Seat(2)


def two(mover: int, *, pile: str, stock: str = "", p0: str = "", p1: str = "") -> State:
    """Set up a table of two at the start of the mover's turn."""
    return position(seats=2, mover=mover, hands={0: p0, 1: p1}, pile=pile, stock=stock)


def three(
    mover: int, *, pile: str, stock: str = "", p0: str = "", p1: str = "", p2: str = ""
) -> State:
    """Set up a table of three at the start of the mover's turn."""
    return position(seats=3, mover=mover, hands={0: p0, 1: p1, 2: p2}, pile=pile, stock=stock)


def legal(state: State) -> list[str]:
    """Return the legal actions as text."""
    return [format_action(action) for action in legal_actions(state)]


def play(state: State, *actions: str) -> State:
    """Return the state after some actions."""
    for action in actions:
        state, _ = apply(state, parse_action(action))
    return state


def events_of(state: State, *actions: str) -> list[Event]:
    """Return the events of some actions, one after the other."""
    events: list[Event] = []
    for action in actions:
        state, new = apply(state, parse_action(action))
        events += new
    return events


def table(state: State) -> dict[str, str]:
    """Return the pile and the stock as text."""
    return {"pile": format_cards(state.pile), "stock": format_cards(state.stock)}


def holds(state: State, seat: Seat, cards: str) -> bool:
    """Tell whether a seat holds just these cards."""
    return state.hands[seat] == card_set(parse_cards(cards))
