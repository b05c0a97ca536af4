"""The gambler: tries its luck whenever it feels like it.

Lesson: a match has a fresh bot, so `on_start` is the place to set up what one match needs. Here it
is a random generator, seeded from the match and the seat: the bot gambles, and yet it plays the
same game again when it is given the same match, which makes it easy to test.
"""

from random import Random

from kitumaija.sdk import Action, Bot, Card, Match, Phase, Turn, TurnCard, run
from kitumaija.sdk.cards import DECK, MAIJA, beats


class Gambler(Bot):
    """Leaves to chance what it can."""

    def on_start(self, match: Match) -> None:
        self.random = Random(f"{match.match_id}/{match.seat}")

    def choose(self, turn: Turn) -> Action | Card:
        if turn.can_turn and (turn.phase is Phase.FREE or self.feels_lucky(turn)):
            return TurnCard()
        if MAIJA in turn.playable:
            return MAIJA
        return self.random.choice(turn.playable) if turn.playable else turn.legal[0]

    def feels_lucky(self, turn: Turn) -> bool:
        """Draw with the chance that a card which is not in the hand catches the top card."""
        hidden = [card for card in DECK if card not in turn.hand and card is not turn.top]
        fitting = sum(turn.top is not None and beats(card, turn.top) for card in hidden)
        return self.random.random() < fitting / len(hidden)


if __name__ == "__main__":
    run(Gambler)
