"""The rememberer: knows the whole pile, and much of what the next player holds.

Lesson: `turn.events` tells all that happened since the bot's last turn, and a bot object lives for
one match, so its attributes are its memory. Every card of the pile once lay on top for all to see:
whoever keeps count knows what lies below, who picked it up, and how many cards everybody holds,
even when the view does not tell that any more (H4).

It is used for one thing: once the stock is empty, a free card that the next player cannot catch is
worth giving away a better card for.
"""

from kitumaija.sdk import Action, Bot, Card, Match, Phase, Suit, TakeCards, Turn, TurnCard, run
from kitumaija.sdk.cards import DECK, MAIJA, beats
from kitumaija.sdk.events import (
    CardCaught,
    CardLed,
    CardsDrawn,
    CardsPickedUp,
    Dealt,
    Event,
    FreePlayed,
    FreeTurned,
    LuckTurned,
    StartCardTurned,
)

# What a card is worth keeping, at rank 8, and how much more a rank higher.
WORTH = {Suit.CLUBS: 4, Suit.DIAMONDS: 12, Suit.HEARTS: 1.5, Suit.SPADES: -1.5}
SLOPE = {Suit.CLUBS: 1.25, Suit.DIAMONDS: 1.75, Suit.HEARTS: 1, Suit.SPADES: 0.25}
BLOCKING = 6
DEAR = 21  # a trump from the jack up


class Rememberer(Bot):
    """Keeps count of every card that was ever seen."""

    def on_start(self, match: Match) -> None:
        self.pile: list[Card] = []
        self.held: list[set[Card]] = [set() for _ in match.players]
        self.sizes = [0] * match.seats

    def choose(self, turn: Turn) -> Action | Card:
        for event in turn.events:
            self.remember(event)
        cards = turn.playable
        if turn.phase is Phase.CATCH:
            cheapest = min(cards, key=cost, default=None)
            if cheapest is not None and (cost(cheapest) <= DEAR or not turn.can_turn):
                return cheapest
            return TurnCard() if turn.can_turn else TakeCards(turn.takes[0])
        if cards:
            return max(cards, key=lambda card: self.appeal(card, turn))
        # Of two players, who takes the bottom card too leaves the other nothing to catch.
        return turn.legal[-1] if turn.seats - len(turn.out) == 2 else turn.legal[0]

    def remember(self, event: Event) -> None:
        """Follow every card: from the stock to hands, from hands to the pile, and back."""
        match event:
            case Dealt(seat, count) | CardsDrawn(seat, count):
                self.sizes[seat] += count
            case StartCardTurned(card):
                self.pile = [card]
            case LuckTurned(_, card) | FreeTurned(_, card):
                self.pile.append(card)
            case CardCaught(seat, card) | FreePlayed(seat, card) | CardLed(seat, card):
                self.pile.append(card)
                self.held[seat].discard(card)
                self.sizes[seat] -= 1
            case CardsPickedUp(seat, count):
                self.held[seat].update(self.pile[-count:])
                self.sizes[seat] += count
                del self.pile[-count:]

    def appeal(self, card: Card, turn: Turn) -> float:
        """How good it is to play a card for the next player to catch."""
        if card is MAIJA:
            return 3 if turn.seats - len(turn.out) == 2 else 20  # with two, she soon comes back
        blocking = 0 if turn.stock_size else BLOCKING * self.escape(card, turn)
        return blocking - WORTH[card.suit] - SLOPE[card.suit] * (card.rank - 8)

    def escape(self, card: Card, turn: Turn) -> float:
        """The chance that the next player cannot catch a card."""
        held = self.held[turn.next_seat]
        if any(beats(other, card) for other in held):
            return 0
        others = [held for seat, held in enumerate(self.held) if seat != turn.seat]
        hidden = set(DECK).difference(turn.hand, self.pile, *others)
        missing = sum(not beats(other, card) for other in hidden) / max(1, len(hidden))
        return missing ** (self.sizes[turn.next_seat] - len(held))


def cost(card: Card) -> int:
    """What it costs to catch with a card: low cards first, trumps after all others."""
    return card.rank + (11 if card.suit is Suit.DIAMONDS else 0)


if __name__ == "__main__":
    run(Rememberer)
