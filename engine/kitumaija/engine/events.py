"""What happens in a game, as values; and what of it a player may see (H1–H3).

The rules produce events with everything in them. `event_for` builds from one the event that a seat,
or the public, may see: where faces are private, `cards` is None and `count` remains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kitumaija.engine.cards import Card
from kitumaija.engine.values import Outcome, Seat


@dataclass(frozen=True, slots=True)
class Dealt:
    """A player's first hand, in the order dealt (S12)."""

    seat: Seat
    count: int
    cards: tuple[Card, ...] | None


@dataclass(frozen=True, slots=True)
class StartCardTurned:
    """A start card that opens the pile, or opens it again (S12, S22)."""

    card: Card


@dataclass(frozen=True, slots=True)
class MaijaReturned:
    """The queen of spades came up as start card and goes back into the stock (S13, B3, B4).

    The start card that replaces her follows as `StartCardTurned`, unless the stock held no other.
    """


@dataclass(frozen=True, slots=True)
class CardCaught:
    """A catch card played from the hand (S15)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class LuckTurned:
    """A luck card turned from the stock, and whether it catches (S18–S20)."""

    seat: Seat
    card: Card
    fits: bool


@dataclass(frozen=True, slots=True)
class FreePlayed:
    """A free card played from the hand (S17)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class FreeTurned:
    """A free card turned from the stock (S19, D5)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardLed:
    """A card led to an empty pile (E5)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Passed:
    """A leader who holds only the queen of spades passed (E5)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """Cards drawn at the end of a turn, in the order drawn (S17, C2); the faces are private."""

    seat: Seat
    count: int
    cards: tuple[Card, ...] | None


@dataclass(frozen=True, slots=True)
class CardsPickedUp:
    """Cards picked up from the pile, bottom to top (S10, S20); the faces are private."""

    seat: Seat
    count: int
    cards: tuple[Card, ...] | None


@dataclass(frozen=True, slots=True)
class WentOut:
    """A player got rid of his last card and has his place, counted from 1 (G3)."""

    seat: Seat
    place: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over (G3–G6)."""

    outcome: Outcome


Event: TypeAlias = (
    Dealt
    | StartCardTurned
    | MaijaReturned
    | CardCaught
    | LuckTurned
    | FreePlayed
    | FreeTurned
    | CardLed
    | Passed
    | CardsDrawn
    | CardsPickedUp
    | WentOut
    | GameEnded
)


_WITH_FACES = (Dealt, CardsDrawn, CardsPickedUp)


def event_for(event: Event, seat: Seat | None) -> Event:
    """Build what `seat` may see of an event; None stands for the public.

    Every event has a public part, so there is always something to see (H1); the faces dealt, drawn
    and picked up are for their player only (H2).
    """
    if isinstance(event, _WITH_FACES) and event.seat != seat:
        return type(event)(event.seat, event.count, None)
    return event
