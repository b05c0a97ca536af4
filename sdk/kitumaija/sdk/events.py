"""What a bot is told of a game as it happens: the values in `turn.events`.

Every event names what was public when it happened; the faces of cards dealt, drawn and picked up
are there for the bot's own seat and None for the others (H1, H2).
"""

from kitumaija.engine import (
    CardCaught,
    CardLed,
    CardsDrawn,
    CardsPickedUp,
    Dealt,
    Event,
    FreePlayed,
    FreeTurned,
    GameEnded,
    LuckTurned,
    MaijaReturned,
    Passed,
    StartCardTurned,
    WentOut,
)

__all__ = [
    "CardCaught",
    "CardLed",
    "CardsDrawn",
    "CardsPickedUp",
    "Dealt",
    "Event",
    "FreePlayed",
    "FreeTurned",
    "GameEnded",
    "LuckTurned",
    "MaijaReturned",
    "Passed",
    "StartCardTurned",
    "WentOut",
]
