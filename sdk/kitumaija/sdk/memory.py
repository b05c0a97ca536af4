"""Remembering what was public, and guessing the rest.

A view shows the top of the pile only, but every card below it once lay on top (H3). A player who
forgets nothing knows the whole pile, and therefore which cards went into whose hand when it was
picked up. `Memory` keeps that from the events; `Memory.world` makes a position out of it in which
the cards that nobody can know are dealt at random.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Final

from kitumaija.engine import (
    DECK,
    Card,
    CardCaught,
    CardLed,
    CardsDrawn,
    CardSet,
    CardsPickedUp,
    Dealt,
    Event,
    FreePlayed,
    FreeTurned,
    LuckTurned,
    Seat,
    StartCardTurned,
    State,
    card_set,
    cards_in,
    position,
)
from kitumaija.sdk.match import Match
from kitumaija.sdk.turn import Turn

_FULL: Final = card_set(DECK)


class Memory:
    """What a seat knows that forgets nothing; tell it all events, in order."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self.pile: list[Card] = []
        """The open pile, bottom to top."""
        self.held: list[CardSet] = [0] * match.seats
        """The cards that each other seat is known to hold: picked up and not played since."""
        self.sizes: list[int] = [0] * match.seats
        """The number of cards in each hand, one's own too: events tell it to who counts."""

    def hear(self, events: Iterable[Event]) -> None:
        """Take in what happened."""
        for event in events:
            match event:
                case Dealt(seat, count) | CardsDrawn(seat, count):
                    self.sizes[seat] += count
                case StartCardTurned(card):
                    self.pile = [card]
                case LuckTurned(_, card) | FreeTurned(_, card):
                    self.pile.append(card)
                case CardCaught(seat, card) | FreePlayed(seat, card) | CardLed(seat, card):
                    self.pile.append(card)
                    self.held[seat] &= ~(1 << card)
                    self.sizes[seat] -= 1
                case CardsPickedUp(seat, count):
                    self.held[seat] |= card_set(self.pile[-count:])
                    self.sizes[seat] += count
                    del self.pile[-count:]
                case _:
                    pass

    def unseen(self, turn: Turn) -> CardSet:
        """Return the cards whose place is not known: in another's hand or in the stock."""
        seen = card_set(self.pile) | card_set(turn.hand)
        for seat, held in enumerate(self.held):
            if seat != turn.seat:
                seen |= held
        return _FULL & ~seen

    def unknown(self, seat: Seat) -> int:
        """Return how many cards of another seat's hand are not known."""
        return self.sizes[seat] - self.held[seat].bit_count()

    def world(self, turn: Turn, random: Random) -> State:
        """Return a position that could be the true one: what is not known is dealt at random.

        All that the seat may know is in it: its hand, the pile, what others picked up, everybody's
        number of cards.
        """
        hidden = list(cards_in(self.unseen(turn)))
        random.shuffle(hidden)
        hands: dict[int, tuple[Card, ...]] = {turn.seat: turn.hand}
        for seat in range(turn.seats):
            if seat != turn.seat and seat not in turn.out:
                dealt = [hidden.pop() for _ in range(self.unknown(Seat(seat)))]
                hands[seat] = (*cards_in(self.held[seat]), *dealt)
        return position(
            seats=turn.seats,
            mover=turn.seat,
            hands=hands,
            pile=self.pile,
            stock=hidden,
            phase=turn.phase,
            luck=turn.luck,
            maija_pending=turn.maija_pending,
            out=turn.out,
            turns=turn.turns,
            options=self._match.options,
        )
