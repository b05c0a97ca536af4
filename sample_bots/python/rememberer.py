"""The rememberer: knows the whole pile, and what the next player must be holding.

Lesson: `turn.events` tells everything that happened since the bot's last turn, and a bot object
lives for one match, so its attributes are its memory. Every card of the pile once lay on top for
all to see: whoever keeps count knows what lies below, and which cards somebody picked up.
"""

from kitumaija.sdk import Action, Bot, Card, Match, Phase, Suit, TakeCards, Turn, TurnCard, run
from kitumaija.sdk.cards import DECK, MAIJA, beats
from kitumaija.sdk.events import (
    CardCaught,
    CardLed,
    CardsPickedUp,
    Event,
    FreePlayed,
    FreeTurned,
    LuckTurned,
    StartCardTurned,
)

CATCHERS = {top: sum(beats(card, top) for card in DECK) for top in DECK}


class Rememberer(Bot):
    def on_start(self, match: Match) -> None:
        self.pile: list[Card] = []
        self.held: list[set[Card]] = [set() for _ in match.players]

    def choose(self, turn: Turn) -> Action | Card:
        for event in turn.events:
            self.remember(event)
        cards = turn.playable
        if turn.phase is Phase.CATCH:
            if cards:
                return min(cards, key=cost)
            return TurnCard() if turn.stock_size > 5 else TakeCards(turn.takes[0])
        if not cards:
            return turn.legal[0]
        return MAIJA if MAIJA in cards else max(cards, key=lambda c: (CATCHERS[c], -c.rank))

    def remember(self, event: Event) -> None:
        """Follow every card from hand to pile and from pile to hand."""
        match event:
            case StartCardTurned(card):
                self.pile = [card]
            case LuckTurned(_, card) | FreeTurned(_, card):
                self.pile.append(card)
            case CardCaught(seat, card) | FreePlayed(seat, card) | CardLed(seat, card):
                self.pile.append(card)
                self.held[seat].discard(card)
            case CardsPickedUp(seat, count):
                self.held[seat].update(self.pile[-count:])
                del self.pile[-count:]


def cost(card: Card) -> int:
    """What it costs to catch with a card: low cards first, trumps after all others."""
    return card.rank + (13 if card.suit is Suit.DIAMONDS else 0)


if __name__ == "__main__":
    run(Rememberer)
