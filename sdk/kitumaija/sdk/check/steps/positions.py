"""Short openings that lead to each kind of decision, by the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kitumaija.engine import (
    Dealt,
    Event,
    Phase,
    Seat,
    StartCardTurned,
    apply,
    cards_in,
    parse_action,
    parse_cards,
    position,
)
from kitumaija.sdk.testing.host import Opening


@dataclass(frozen=True, slots=True)
class Beginning:
    """Two players' cards, the start card, and what was played until seat 0 is asked."""

    own: str
    other: str
    start: str
    stock: str = "5S 6S 7S TS"
    played: tuple[str, ...] = ()
    """The actions from there on, in order, of whoever is to move."""
    first: int = 0
    """Who moves first."""

    def opening(self) -> Opening:
        """Return the state in which seat 0 is asked, and the events that led there."""
        state = position(
            seats=2,
            mover=self.first,
            hands={0: self.own, 1: self.other},
            pile=self.start,
            stock=self.stock,
        )
        events: list[Event] = []
        for seat in (Seat(0), Seat(1)):
            cards = cards_in(state.hands[seat])
            events.append(Dealt(seat, len(cards), cards))
        events += [StartCardTurned(card) for card in parse_cards(self.start)]
        for action in self.played:
            state, news = apply(state, parse_action(action))
            events += news
        return state, tuple(events)


def lead() -> Opening:
    """Return an opening in which seat 0 leads, made by hand: it is rare in games."""
    return _without_pile("9C TD", Phase.LEAD)


def pass_lead() -> Opening:
    """Return one in which it holds the queen of spades alone, and can only pass."""
    return _without_pile("QS", Phase.LEAD)


def _without_pile(own: str, phase: Phase) -> Opening:
    hands = {0: own, 1: "3C 4C"}
    state = position(seats=2, mover=0, hands=hands, phase=phase)
    cards = [cards_in(state.hands[seat]) for seat in range(2)]
    dealt = [Dealt(Seat(seat), len(held), held) for seat, held in enumerate(cards)]
    return state, tuple(dealt)


CATCH: Final = Beginning("8H 2D 9C", "TH 3D", "7H")
"""Two cards catch, and the stock may be turned."""

LUCK: Final = Beginning("2C 3C", "TH 3D", "7H", stock="5D 6D 4C")
"""Nothing catches: the luck card, or a pick-up."""

PICKUP_IN_CATCH: Final = Beginning(
    "2C 3C 4C", "9H 4S 3D", "7H", stock="", first=1, played=("9H", "4S")
)
"""Nothing catches, and no stock is left: one of two amounts has to be picked up."""

FREE: Final = Beginning("8H 2D 9C", "TH 3D", "7H", played=("8H",))
"""A card has caught: any card is free."""

FREE_FROM_STOCK: Final = Beginning("2C 3C", "TH 3D", "7H", stock="8H 6D 4C", played=("turn",))
"""The luck card has caught: the free card may be turned from the stock."""

PICKUP: Final = Beginning(
    "2C 3C 4C", "9H QS 3D", "7H", stock="5D 6D 6C", first=1, played=("9H", "QS")
)
"""The queen of spades lies there: one of two amounts is picked up."""
