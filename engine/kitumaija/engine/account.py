"""What events tell of a game: where the seen cards are, and what is ruled out of the others.

The deck is followed as *places*: 0 to 5n−1 are dealt, the stock follows in the order it is
consumed. A queen that went back into the stock has the place at which she comes out at last, so a
place holds one card throughout, and a deal together with the queen's placings is exactly one way to
put the 52 cards into the places (B2, B3).

Every card that was ever laid open is followed from there on: the pile is known to the bottom, and
so is what was picked up from it (H3). What stays hidden are the faces dealt to others and drawn by
them, and the stock. Three things seen tell of those: a card that is played came from one of its
player's earlier places; who picks up at once held no card that catches (D7); who passes holds the
queen and nothing else (E5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from kitumaija.engine.cards import (
    DECK,
    EMPTY_SET,
    FULL_DECK,
    MAIJA,
    MAIJA_SET,
    Card,
    CardSet,
    card_set,
    catchers,
)
from kitumaija.engine.events import (
    CardCaught,
    CardLed,
    CardsDrawn,
    CardsPickedUp,
    Dealt,
    Event,
    FreePlayed,
    FreeTurned,
    LuckTurned,
    MaijaReturned,
    Passed,
    StartCardTurned,
)
from kitumaija.engine.options import GameOptions, PickUp
from kitumaija.engine.values import HAND_SIZE, MAX_SEATS, MIN_SEATS, Seat


class Contradiction(ValueError):
    """Events that no game could have brought about.

    `event` is the index, from 0, of the first one that cannot be, and `why` says why not.
    """

    def __init__(self, event: int, why: str) -> None:
        super().__init__(f"event {event}: {why}")
        self.event = event
        self.why = why


@dataclass(frozen=True, slots=True)
class Hidden:
    """Places whose cards went unseen into a hand, all at once."""

    seat: Seat
    places: range
    at: int
    """The index of the event."""


@dataclass(frozen=True, slots=True)
class _Unable:
    """Somebody picked up at once, so he held none of the cards that catch (D7)."""

    seat: Seat
    catching: CardSet
    at: int


class Account:
    """What is known after some events of a game, from the deal on.

    Faces that an event names are known, those that it leaves out are not. Raises `Contradiction`
    where a card would be in two places or a number cannot be; whether the rules allow what happened
    is not asked here.
    """

    def __init__(self, events: Sequence[Event], options: GameOptions) -> None:
        self.held: list[CardSet] = []
        """The cards that each seat is known to hold."""
        self.pile: list[Card] = []
        """The open pile, bottom to top; all of it is known."""
        self.known: dict[int, Card] = {}
        """The card of each place that was seen when it was dealt, drawn or turned."""
        self.hidden: list[Hidden] = []
        """The places that went unseen into hands."""
        self.used = 0
        """The first place of what is left of the stock."""
        self.returns: list[int] = []
        """The next place whenever the queen went back into the stock (B3)."""
        self.shown: dict[Card, tuple[Seat, int]] = {}
        """Who showed a card that had come unseen into his hand, and at which event."""
        self._seen: CardSet = EMPTY_SET
        self._unknown: list[int] = []
        self._unable: list[_Unable] = []
        self._returned_at = -1
        self._luck_failed = False
        self._judged = options.pickup is PickUp.UNABLE
        self._at = 0
        self._deal(events)
        for at, event in enumerate(events[self.seats :], start=self.seats):
            self._at = at
            self._hear(event)

    @property
    def seats(self) -> int:
        """How many players sat down."""
        return len(self.held)

    @property
    def dealer(self) -> Seat:
        """Who dealt (B1)."""
        return self._dealer

    @property
    def unseen(self) -> CardSet:
        """The cards whose places are not known, though some of them were shown later."""
        return FULL_DECK & ~card_set(self.known.values())

    def allowed(self, group: Hidden | None) -> CardSet:
        """Return the unseen cards that may have been in the places of a group.

        None stands for what is left of the stock.
        """
        cards = self.unseen
        if group is None:
            return cards & ~card_set(self.shown)
        played: list[tuple[int, CardSet]] = []
        for card, (seat, at) in self.shown.items():
            if seat != group.seat or at < group.at:
                cards &= ~(1 << card)
            else:
                played.append((at, 1 << card))
        for unable in self._unable:
            if unable.seat == group.seat and unable.at > group.at:
                gone = sum(card for at, card in played if at < unable.at)
                cards &= ~unable.catching | gone
        if group.at < self._returned_at:
            cards &= ~MAIJA_SET
        return cards

    ##### The deal #####

    def _deal(self, events: Sequence[Event]) -> None:
        """S12, B2: five cards each, one at a time, from the seat after the dealer."""
        deals: list[Dealt] = []
        for event in events:
            if not isinstance(event, Dealt):
                break
            deals.append(event)
        seats = len(deals)
        if not MIN_SEATS <= seats <= MAX_SEATS:
            self._refuse(
                "events are told from the deal on, which begins with the cards dealt to each of"
                f" {MIN_SEATS} to {MAX_SEATS} players; got {seats}",
            )
        self.held, self._unknown = [EMPTY_SET] * seats, [0] * seats
        self._dealer = Seat((deals[0].seat - 1) % seats)
        self.used = HAND_SIZE * seats
        for at, dealt in enumerate(deals):
            self._at = at
            if dealt.seat != (deals[0].seat + at) % seats or dealt.count != HAND_SIZE:
                self._refuse(
                    f"got {dealt.count} cards dealt to seat {dealt.seat}, wanted {HAND_SIZE} to"
                    f" seat {(deals[0].seat + at) % seats} of {seats}",
                )
            self._receive(dealt.seat, range(at, self.used, seats), dealt.cards)

    ##### After it #####

    def _hear(self, event: Event) -> None:
        match event:
            case CardCaught(seat, card) | FreePlayed(seat, card) | CardLed(seat, card):
                self._play(self._player(seat), DECK[card])
            case CardsDrawn(seat, count, cards):
                self._receive(self._player(seat), self._next(count), cards)
            case LuckTurned(seat, card) | FreeTurned(seat, card):
                self._player(seat)
                self._turn(DECK[card])
            case CardsPickedUp():
                self._pick_up(event)
            case StartCardTurned(card):
                self._turn(DECK[card])
            case MaijaReturned():
                self._return_queen()
            case Passed(seat):
                self._pass(self._player(seat))
            case Dealt():
                self._refuse("cards are dealt once, before all else")
            case _:
                pass  # who went out and how the game ended follows from the rest
        self._luck_failed = isinstance(event, LuckTurned) and not event.fits

    def _play(self, seat: Seat, card: Card) -> None:
        if not self.held[seat] >> card & 1:
            self._show(seat, card)
        self.held[seat] &= ~(1 << card)
        self.pile.append(card)

    def _pass(self, seat: Seat) -> None:
        """E5: the one card of who passes is the queen."""
        if not self.held[seat] & MAIJA_SET:
            self._show(seat, MAIJA)

    def _return_queen(self) -> None:
        if self._seen & MAIJA_SET or self.used == len(DECK):
            self._refuse("the queen of spades is not in the stock")
        self.returns.append(self.used)
        self._returned_at = self._at

    def _show(self, seat: Seat, card: Card) -> None:
        """Make a card known that its player got unseen."""
        if self._seen >> card & 1:
            self._refuse(f"seat {seat} cannot have the card {card}: it is known to be elsewhere")
        if not self._unknown[seat]:
            self._refuse(f"seat {seat} cannot have the card {card}: all of its cards are known")
        self._unknown[seat] -= 1
        self._seen |= 1 << card
        self.held[seat] |= 1 << card
        self.shown[card] = (seat, self._at)

    def _turn(self, card: Card) -> None:
        """Lay the stock's next card on the pile."""
        place = self._next(1).start
        self._see((card,))
        self.known[place] = card
        self.pile.append(card)

    def _receive(self, seat: Seat, places: range, cards: tuple[Card, ...] | None) -> None:
        """Give the cards of some places to a seat, faces up if they are told."""
        if cards is None:
            self.hidden.append(Hidden(seat, places, self._at))
            self._unknown[seat] += len(places)
            return
        if len(cards) != len(places):
            self._refuse(f"got {len(cards)} faces of {len(places)} cards, wanted all or none")
        self._see(cards)
        self.held[seat] |= card_set(cards)
        self.known.update(zip(places, (DECK[card] for card in cards), strict=True))

    def _pick_up(self, event: CardsPickedUp) -> None:
        seat, count = self._player(event.seat), event.count
        if not 1 <= count <= len(self.pile):
            self._refuse(f"{count} cards cannot be picked up from a pile of {len(self.pile)} (E1)")
        top, taken = self.pile[-1], self.pile[-count:]
        if event.cards is not None and list(event.cards) != taken:
            self._refuse(f"the cards picked up are {_texts(taken)}, got {_texts(event.cards)}")
        if self._judged and not self._luck_failed and top is not MAIJA:
            self._unable.append(_Unable(seat, catchers(top), self._at))
        self.held[seat] |= card_set(taken)
        del self.pile[-count:]

    ##### Checks #####

    def _player(self, seat: Seat) -> Seat:
        if not 0 <= seat < self.seats:
            self._refuse(f"got seat {seat}, wanted one from 0 to {self.seats - 1}")
        return seat

    def _next(self, count: int) -> range:
        """Return the places of the stock's next cards, which are used then."""
        left = len(DECK) - self.used
        if not 1 <= count <= left:
            self._refuse(f"{count} cards cannot come from a stock of {left}")
        self.used += count
        return range(self.used - count, self.used)

    def _see(self, cards: Sequence[Card]) -> None:
        for card in cards:
            if self._seen >> card & 1:
                self._refuse(f"the card {DECK[card]} is known to be elsewhere")
            self._seen |= 1 << card

    def _refuse(self, why: str) -> NoReturn:
        raise Contradiction(self._at, why)


def _texts(cards: Sequence[Card]) -> str:
    return " ".join(str(DECK[card]) for card in cards)
