"""The smallest bot. Lesson: one method is a bot, and the first legal action is always an answer."""

from kitumaija.sdk import Action, Bot, Turn, run


class Smallest(Bot):
    """Does the first of all that is legal."""

    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]


if __name__ == "__main__":
    run(Smallest)
