"""What goes wrong, in the words of somebody who writes a bot.

Every error that the SDK raises on purpose is an `SdkError`. Its text says what was got, what was
wanted and what to do; a traceback into the SDK is never part of the explanation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kitumaija.sdk.turn import Turn


class SdkError(Exception):
    """The base of all errors that the SDK raises on purpose."""


class LoadError(SdkError):
    """A bot could not be loaded from the name that was given for it."""


class UsageError(SdkError):
    """A call or a setting that cannot be meant so."""


class BotError(SdkError):
    """A bot's own code went wrong: it raised, or what it answered is not legal.

    `bot` is the bot's name. `turn` is the turn that it was asked about; None where it failed
    outside `choose`. What the bot raised, if it raised, is the error's `__cause__`, with the
    author's own traceback.
    """

    def __init__(self, bot: str, problem: str, turn: Turn | None = None) -> None:
        super().__init__(f"{bot}: {problem}" if turn is None else f"{bot}: {problem}\n{turn}")
        self.bot = bot
        self.problem = problem
        self.turn = turn


class ConnectionFailed(SdkError):
    """The server could not be reached, or the stream to it broke."""


class Refused(SdkError):
    """The server was reached and does not want this bot so: dialling again would not help."""
