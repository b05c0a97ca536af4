"""The timekeeper: plays the rest of the game out in its head, for as long as its clock allows.

Lesson: `turn.time_left` is the time for one decision when it was asked, `turn.bank` how much of it
is the reserve of the whole match, and `turn.remaining()` what is left now. A bot that looks ahead
works in small rounds and looks at the clock between them; it stops while there is time to answer.
"""

from datetime import timedelta
from random import Random

from kitumaija.sdk import Action, Bot, Match, Turn, run
from kitumaija.sdk.memory import Memory
from kitumaija.sdk.rules import State, apply, default_action, legal_actions, view

LONGEST = timedelta(milliseconds=5)
DEPTH = 12


class Timekeeper(Bot):
    def on_start(self, match: Match) -> None:
        self.memory = Memory(match)
        self.random = Random(f"{match.match_id}/{match.seat}")

    def choose(self, turn: Turn) -> Action:
        self.memory.hear(turn.events)
        if len(turn.legal) == 1:
            return turn.legal[0]
        stop_at = turn.time_left - self.budget(turn)
        score = dict.fromkeys(turn.legal, 0.0)
        while turn.remaining() > stop_at:
            world = self.memory.world(turn, self.random)
            for action in turn.legal:
                score[action] += self.outlook(apply(world, action).state, turn)
        return max(turn.legal, key=lambda action: score[action])

    def budget(self, turn: Turn) -> timedelta:
        """Return how long to think: at most half of what a decision has without the bank."""
        return min(LONGEST, (turn.time_left - turn.bank) / 2)

    def outlook(self, state: State, turn: Turn) -> float:
        """Play a few decisions on, and see who has fewer cards then."""
        for _ in range(DEPTH):
            if state.over:
                break
            action = default_action(view(state, state.mover), legal_actions(state))
            state = apply(state, action).state
        sizes = [hand.bit_count() for hand in state.hands]
        return sum(sizes) / len(sizes) - sizes[turn.seat]


if __name__ == "__main__":
    run(Timekeeper)
