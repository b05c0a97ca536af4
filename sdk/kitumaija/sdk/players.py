"""Who sits at a table of a local game: a bot's object in this process, or a process of its own.

The table knows the rules, keeps the clocks and makes what is left undone by default; a player only
hears what a seat hears and answers for it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeAlias

from kitumaija.engine import Action
from kitumaija.sdk.answers import fallback, settle
from kitumaija.sdk.bot import Bot, BotFactory, name_of
from kitumaija.sdk.calls import Calls
from kitumaija.sdk.clocks import Clock
from kitumaija.sdk.errors import BotError
from kitumaija.sdk.match import Match, Result
from kitumaija.sdk.turn import Turn

Report: TypeAlias = Callable[[BotError], None]
"""Hears what went wrong in a bot; may raise it, and the game is over then."""


class Asked(NamedTuple):
    """What came of asking: a legal action, or the fault for which the default one is made."""

    action: Action | None
    fault: str | None = None


class About(NamedTuple):
    """What a bot says of itself, for the record."""

    language: str
    sdk: str = ""
    version: str = ""


class Player(Protocol):
    """One seat's player, for one game."""

    @property
    def about(self) -> About:
        """What the bot says of itself."""
        ...

    @property
    def clock(self) -> Clock:
        """What its time is measured by."""
        ...

    def start(self, match: Match) -> None:
        """Hear who plays."""

    def ask(self, turn: Turn) -> Asked:
        """Answer a decision."""
        ...

    def settled(self, *, accepted: bool) -> None:
        """Hear whether the answer to the last decision counts."""

    def end(self, result: Result) -> None:
        """Hear how the game ended."""


class Remote(ABC):
    """A bot that is a process of its own. It plays one game at a time."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What the bot is called, unless another one at the table has that name."""

    @abstractmethod
    def seated(self, name: str, report: Report) -> Player:
        """Return its player of the next game, in which it is called `name`."""


class LocalPlayer:
    """A bot's object in this process."""

    about = About("python")

    def __init__(self, name: str, bot: Bot, calls: Calls, clock: Clock) -> None:
        self.clock = clock
        self._name = name
        self._bot = bot
        self._calls = calls

    def start(self, match: Match) -> None:
        """Call `on_start`."""
        self._calls.on_start(self._name, self._bot, match)

    def ask(self, turn: Turn) -> Asked:
        """Call `choose`; the first legal action stands in for what it cannot answer."""
        try:
            return Asked(settle(self._name, turn, self._calls.choose(self._name, self._bot, turn)))
        except BotError as error:
            self._calls.failed(error)
            return Asked(fallback(turn))

    def settled(self, *, accepted: bool) -> None:
        """Do nothing: a bot learns of it from its events."""

    def end(self, result: Result) -> None:
        """Call `on_end`."""
        self._calls.on_end(self._name, self._bot, result)


def seated(bot: BotFactory | Remote, name: str, calls: Calls, clock: Clock) -> Player:
    """Return the player of one game; `clock` is for a bot that is no process of its own.

    Raises `BotError` for a bot's object that cannot be made.
    """
    if isinstance(bot, Remote):
        return bot.seated(name, calls.failed)
    return LocalPlayer(name, calls.make(name, bot), calls, clock)


def called(bot: BotFactory | Remote) -> str:
    """Return what a bot is called by itself."""
    return bot.name if isinstance(bot, Remote) else name_of(bot)
