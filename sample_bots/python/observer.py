"""The observer: looks at its hand and at the table, and remembers nothing.

Lesson: everything that a bot may know right now is in its `Turn`: `phase` says what is asked,
`playable` which cards may be played, `hand`, `top`, `stock_size` and the rest what the table looks
like. What to do with it is the whole art; this bot follows three rules of thumb:

- Catch with the cheapest card that will do, and keep the trumps.
- As the free card, shed what anybody can catch. The cards that nobody can catch are also the ones
  that catch everything, so they stay.
- Let the queen of spades go at once: the next player picks up five.
"""

from kitumaija.sdk import Action, Bot, Card, Phase, Suit, TakeCards, Turn, TurnCard, run
from kitumaija.sdk.cards import DECK, MAIJA, beats

CATCHERS = {top: sum(beats(card, top) for card in DECK) for top in DECK}
FEW_IN_STOCK = 5


class Observer(Bot):
    """Follows rules of thumb about what it sees."""

    def choose(self, turn: Turn) -> Action | Card:
        cards = turn.playable
        if turn.phase is Phase.CATCH:
            if cards:
                return min(cards, key=cost)
            if turn.stock_size > FEW_IN_STOCK:
                return TurnCard()
            return TakeCards(turn.takes[0])
        if cards:
            return MAIJA if MAIJA in cards else max(cards, key=shed_first)
        return turn.legal[0]


def cost(card: Card) -> int:
    """What it costs to catch with a card: low cards first, trumps after all others."""
    return card.rank + (13 if card.suit is Suit.DIAMONDS else 0)


def shed_first(card: Card) -> tuple[int, int]:
    """How gladly a card is shed: the more cards catch it, the sooner, and low ones first."""
    return CATCHERS[card], -card.rank


if __name__ == "__main__":
    run(Observer)
