"""The timekeeper: plays the game on in its head, for as long as its clock allows.

Lesson: `turn.time_left` is the time for a decision when it was asked, `turn.bank` how much of it is
the reserve of the whole match, and `turn.remaining()` what is left now. A bot that looks ahead
works in small rounds and looks at the clock between them: it stops while there is time to answer.

A round is a world that could be the true one (`Memory` makes it, with the unknown cards at random)
and, for each of a few actions, a look at how it goes on there if all play by rules of thumb.
"""

from datetime import timedelta
from random import Random

from kitumaija.sdk import Action, Bot, Match, Phase, PlayCard, Suit, Turn, TurnCard, run
from kitumaija.sdk.cards import DECK, MAIJA, CardSet, cards_in, catchers
from kitumaija.sdk.memory import Memory
from kitumaija.sdk.rules import State, apply, legal_actions

ENOUGH = timedelta(milliseconds=1)  # to look further ahead pays more than to look again
FEW = 3  # actions that are looked into
AHEAD = 20  # decisions
HABIT = 20  # how much better an action must look than the one by the rules of thumb
OUT = 100

KEEP = {Suit.CLUBS: 4, Suit.DIAMONDS: 12, Suit.HEARTS: 1.5, Suit.SPADES: -1.5}
SLOPE = {Suit.CLUBS: 1.25, Suit.DIAMONDS: 1.75, Suit.HEARTS: 1, Suit.SPADES: 0.25}
WORTH = [KEEP[card.suit] + SLOPE[card.suit] * (card.rank - 8) for card in DECK]
COST = [card.rank + 11 * (card.suit is Suit.DIAMONDS) for card in DECK]
# How well one stands with a card in the hand, by experience.
STANDING = [-7 + 4 * (card.suit is Suit.DIAMONDS) + card.rank - 8 for card in DECK]
STANDING[MAIJA] = 25


class Timekeeper(Bot):
    """Looks ahead while there is time."""

    def on_start(self, match: Match) -> None:
        self.memory = Memory(match)
        self.random = Random(f"{match.match_id}/{match.seat}")

    def choose(self, turn: Turn) -> Action:
        self.memory.hear(turn.events)
        if len(turn.legal) == 1:
            return turn.legal[0]
        stop_at = turn.time_left - min(ENOUGH, (turn.time_left - turn.bank) / 2)
        world = self.memory.world(turn, self.random)
        score = dict.fromkeys(ranked(world)[:FEW], 0.0)
        by_rule = next(iter(score))
        while True:
            score[by_rule] += HABIT
            for action in score:
                score[action] += outlook(apply(world, action).state, turn.seat)
            if turn.remaining() <= stop_at:
                return max(score, key=score.__getitem__)
            world = self.memory.world(turn, self.random)


def outlook(state: State, seat: int) -> float:
    """Play on for a while; return how much better the seat stands then than the others do."""
    for _ in range(AHEAD):
        if state.over:
            break
        state = apply(state, ranked(state)[0]).state
    standing = [sum(STANDING[card] for card in cards_in(hand)) or OUT for hand in state.hands]
    for place, seat_out in enumerate(state.out):
        standing[seat_out] = OUT - place
    return standing[seat] - (sum(standing) - standing[seat]) / (len(standing) - 1)


def ranked(state: State) -> list[Action]:
    """Return the legal actions, the best first, by rules of thumb for one who sees all cards."""
    two_left = state.seats - len(state.out) == 2
    following = next_hand(state)

    def appeal(action: Action) -> float:
        if not isinstance(action, PlayCard):
            return -21.5 if isinstance(action, TurnCard) else -30
        card = action.card
        if state.phase is Phase.CATCH:
            return -COST[card]
        if card is MAIJA:
            return 3 if two_left else 100
        return 6 * (not state.stock and not catchers(card) & following) - WORTH[card]

    actions = legal_actions(state)
    larger_first = state.phase is Phase.PICKUP and two_left
    return sorted(actions[::-1] if larger_first else actions, key=appeal, reverse=True)


def next_hand(state: State) -> CardSet:
    """Return the hand of the player after the mover."""
    order = [*state.hands[state.mover + 1 :], *state.hands[: state.mover]]
    return next(hand for hand in order if hand)


if __name__ == "__main__":
    run(Timekeeper)
