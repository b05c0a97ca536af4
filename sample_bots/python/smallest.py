"""The smallest bot: of all that is legal, it does the first.

Lesson: a bot is a class with one method, `choose`. It is asked with a `Turn` and answers with one
of `turn.legal`, which is never empty. So this bot is always legal, and it is ready to run:

    kitumaija arena sample:smallest sample:smallest --seats 2 --games 10 --seed 1
"""

from kitumaija.sdk import Action, Bot, Turn, run


class Smallest(Bot):
    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]


if __name__ == "__main__":
    run(Smallest)
