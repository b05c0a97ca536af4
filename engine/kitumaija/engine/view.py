"""What one player sees of a state, and what anybody sees (H1–H4)."""

from __future__ import annotations

from dataclasses import dataclass

from kitumaija.engine.cards import Card
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
