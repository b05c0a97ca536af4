"""The one class that an author writes: a bot."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import ClassVar, TypeAlias

from kitumaija.engine import Action, Card
from kitumaija.sdk.match import Match, Result
from kitumaija.sdk.turn import Turn

Reply: TypeAlias = Action | Card
"""What `choose` answers: an action, or a card, which means to play it."""


class Bot(ABC):
    """A player of one match.

    For every match a new object is made, by calling the class without arguments, so attributes are
    the memory of one match. What all matches share belongs on the class or in the module.

    Every method may be `def` or `async def`. The plain ones of one object are called in one thread,
    one after the other, never two at once, and never in the thread that talks to the server; the
    async ones are awaited on the event loop that does, so they must not block.
    """

    version: ClassVar[str] = "1"
    """The bot's version, told to the server; a tournament freezes it. At most 40 characters."""

    @abstractmethod
    def choose(self, turn: Turn) -> Reply | Awaitable[Reply]:
        """Answer one decision with one of `turn.legal`, or with a card to play it."""

    def on_start(self, match: Match) -> Awaitable[None] | None:  # noqa: B027 - optional
        """Hear who plays, before the first turn. Does nothing by default."""

    def on_end(self, result: Result) -> Awaitable[None] | None:  # noqa: B027 - optional
        """Hear how the match ended. Does nothing by default."""


BotFactory: TypeAlias = Callable[[], Bot]
"""What makes the bot of a match: mostly a class of bots, or any function without arguments."""


def name_of(factory: BotFactory) -> str:
    """Return the name to call a bot by: its class's, or that of the function that makes it."""
    return getattr(factory, "__name__", None) or type(factory).__name__
