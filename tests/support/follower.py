"""A player's bookkeeper: it knows what was dealt and told, and works out what the view must say."""

from __future__ import annotations

from collections.abc import Iterable

from kitumaija.engine import (
    Card,
    CardCaught,
    CardLed,
    CardsDrawn,
    CardsPickedUp,
    Dealt,
    Event,
    FreePlayed,
    FreeTurned,
    LuckTurned,
    Passed,
    Seat,
    StartCardTurned,
    View,
    WentOut,
)


class Follower:
    """Follows a game by the events that one seat, or the public (None), may see."""

    def __init__(self, seat: Seat | None, seats: int) -> None:
        self.seat = seat
        self.hand: set[Card] = set()
        self.sizes = [0] * seats
        self.stock_size = 52
        self.pile: list[Card | None] = []
        self.out: list[Seat] = []
        self.turns = 0

    def follow(self, events: Iterable[Event]) -> None:
        """Take note of events."""
        for event in events:
            self._note(event)

    def _note(self, event: Event) -> None:
        match event:
            case Dealt() | CardsDrawn():
                self.stock_size -= event.count
                self._gain(event.seat, event.count, event.cards)
            case CardsPickedUp():
                del self.pile[len(self.pile) - event.count :]
                self._gain(event.seat, event.count, event.cards)
            case CardCaught(seat, card) | FreePlayed(seat, card) | CardLed(seat, card):
                self._lose(seat, card)
            case StartCardTurned(card) | LuckTurned(_, card, _) | FreeTurned(_, card):
                self.stock_size -= 1
                self.pile.append(card)
            case WentOut(seat, place):
                self.out.append(seat)
                assert place == len(self.out)
                assert not self.sizes[seat]
            case _:
                pass
        self.turns += self._ends_a_turn(event)

    def _ends_a_turn(self, event: Event) -> bool:
        if isinstance(event, CardCaught):
            return not self.sizes[event.seat] and not self.stock_size  # S27
        return isinstance(event, FreePlayed | FreeTurned | CardLed | Passed | CardsPickedUp)

    def _gain(self, seat: Seat, count: int, cards: tuple[Card, ...] | None) -> None:
        self.sizes[seat] += count
        if seat == self.seat:
            assert cards is not None, "a player sees the faces he gets"
            assert len(cards) == count
            self.hand |= set(cards)
        else:
            assert cards is None, "nobody else sees them"

    def _lose(self, seat: Seat, card: Card) -> None:
        self.sizes[seat] -= 1
        self.hand.discard(card)
        self.pile.append(card)

    def compare(self, seen: View) -> None:
        """Check a view against the books; `hand_sizes` may leave out the others' (H4)."""
        assert seen.seat == self.seat
        assert seen.seats == len(self.sizes)
        assert seen.hand == tuple(sorted(self.hand))
        assert seen.top == (self.pile[-1] if self.pile else None)
        assert seen.pile_size == len(self.pile)
        assert seen.stock_size == self.stock_size
        assert list(seen.out) == self.out
        assert seen.turns == self.turns
        for shown, counted in zip(seen.hand_sizes, self.sizes, strict=True):
            assert shown in (None, counted)
