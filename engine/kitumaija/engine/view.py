"""What one player sees of a state, and what anybody sees (H1–H4)."""

from __future__ import annotations

from dataclasses import dataclass, fields, make_dataclass

from kitumaija.engine.cards import Card, cards_in
from kitumaija.engine.freezing import frozen_as
from kitumaija.engine.options import HandSizes
from kitumaija.engine.state import State
from kitumaija.engine.values import Phase, Seat


@dataclass(frozen=True, slots=True)
class View:
    """What a seat may see of a game, or what the public may see.

    It is built from what is open to that seat, never cut out of the whole state.
    """

    seat: Seat | None
    """Whose view it is; None for the public view."""
    seats: int
    """How many players sat down, out or not."""
    phase: Phase | None
    """What the mover is asked for; None when the game is over."""
    mover: Seat | None
    """Who is to move; None when the game is over."""
    hand: tuple[Card, ...]
    """The seat's own cards, ascending; empty in the public view."""
    top: Card | None
    """The pile's top card; None when the pile is empty."""
    pile_size: int
    stock_size: int
    hand_sizes: tuple[int | None, ...]
    """Cards in each hand by seat; None where it is not shown (H4). One's own is always shown."""
    out: tuple[Seat, ...]
    """The players who are out, in the order of going out."""
    luck: bool
    """Whether the catch card of the running turn was a luck card."""
    maija_pending: bool
    """Whether the mover must pick up for the queen of spades (S10)."""
    turns: int
    """How many turns have ended."""


# Looked up once, as in `values`.
_ALWAYS = HandSizes.ALWAYS
_UNTIL_STOCK_EMPTY = HandSizes.UNTIL_STOCK_EMPTY

_Draft = make_dataclass("_Draft", [field.name for field in fields(View)], slots=True)


def view(state: State, seat: Seat) -> View:
    """Return what `seat` may see of `state`; raises `ValueError` if there is no such seat."""
    if not 0 <= seat < len(state.hands):
        raise ValueError(f"got seat {seat}, wanted one from 0 to {len(state.hands) - 1}")
    return _seen(state, seat, cards_in(state.hands[seat]))


def public_view(state: State) -> View:
    """Return what anybody may see of `state`."""
    return _seen(state, None, ())


def _seen(state: State, seat: Seat | None, hand: tuple[Card, ...]) -> View:
    running = state.outcome is None
    pile = state.pile
    draft = _Draft(
        seat,
        len(state.hands),
        state.phase if running else None,
        state.mover if running else None,
        hand,
        pile[-1] if pile else None,
        len(pile),
        len(state.stock),
        _hand_sizes(state, seat),
        state.out,
        state.luck,
        state.maija_pending,
        state.turns,
    )
    return frozen_as(View, draft)


def _hand_sizes(state: State, seat: Seat | None) -> tuple[int | None, ...]:
    """H4: the others' hand sizes go with the stock's last card, which never comes back.

    Nobody needs to be told his own, nor that a player who is out holds none (H1).
    """
    shown = state.options.hand_sizes
    if shown is _ALWAYS or (shown is _UNTIL_STOCK_EMPTY and state.stock):
        return tuple([hand.bit_count() for hand in state.hands])
    sizes: list[int | None] = [None] * len(state.hands)
    if seat is not None:
        sizes[seat] = state.hands[seat].bit_count()
    for gone in state.out:
        sizes[gone] = 0
    return tuple(sizes)
