"""Kitumaija for bot authors: write a `Bot`, `play` it here, `run` it against a server.

A whole bot::

    from kitumaija.sdk import Bot, Turn, run

    class First(Bot):
        def choose(self, turn: Turn):
            return turn.legal[0]

    if __name__ == "__main__":
        run(First)

What is not needed for a first bot has modules of its own: `kitumaija.sdk.cards`,
`kitumaija.sdk.events`, `kitumaija.sdk.rules`, `kitumaija.sdk.worlds`, `kitumaija.sdk.arena`,
`kitumaija.sdk.testing`.
"""

from kitumaija.engine import (
    Action,
    Card,
    Pass,
    Phase,
    PlayCard,
    Rank,
    Suit,
    TakeCards,
    TurnCard,
)
from kitumaija.sdk.bot import Bot
from kitumaija.sdk.errors import SdkError
from kitumaija.sdk.local import play
from kitumaija.sdk.match import Match, Result
from kitumaija.sdk.online import run
from kitumaija.sdk.turn import Turn

__all__ = [
    "Action",
    "Bot",
    "Card",
    "Match",
    "Pass",
    "Phase",
    "PlayCard",
    "Rank",
    "Result",
    "SdkError",
    "Suit",
    "TakeCards",
    "Turn",
    "TurnCard",
    "play",
    "run",
]
