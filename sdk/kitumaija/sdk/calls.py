"""Calling a bot's methods in a local game, whether they are plain or async."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable
from types import TracebackType
from typing import Literal, Self, TypeAlias

from kitumaija.sdk.bot import Bot, BotFactory
from kitumaija.sdk.errors import BotError, UsageError
from kitumaija.sdk.match import Match, Result
from kitumaija.sdk.turn import Turn

OnError: TypeAlias = Literal["raise", "fallback"]
"""What becomes of an error in a bot: it stops everything, or the first legal action stands in."""


class Calls:
    """Calls bots for one game; the event loop for async ones is started when first needed.

    `problems` holds the errors of bots that did not stop the game.
    """

    def __init__(self, on_error: OnError) -> None:
        if on_error not in ("raise", "fallback"):
            raise UsageError(f"got on_error={on_error!r}, wanted 'raise' or 'fallback'")
        self.problems: list[BotError] = []
        self._on_error = on_error
        self._runner: asyncio.Runner | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._runner is not None:
            self._runner.close()

    def make(self, name: str, factory: BotFactory) -> Bot:
        """Make the bot of a match; raises `BotError` if that fails."""
        return made(name, factory)

    def on_start(self, name: str, bot: Bot, match: Match) -> None:
        """Call `on_start`."""
        try:
            self._finish(bot.on_start(match))
        except Exception as error:  # noqa: BLE001 - whatever an author's code raises
            self._failed_in(name, "on_start", error)

    def choose(self, name: str, bot: Bot, turn: Turn) -> object:
        """Call `choose` and return whatever it answers; raises `BotError` if it raises."""
        try:
            reply: object = bot.choose(turn)
            return self._finish(reply) if inspect.isawaitable(reply) else reply
        except UsageError:
            raise
        except Exception as error:
            raise BotError(name, raised("choose", error), turn) from error

    def on_end(self, name: str, bot: Bot, result: Result) -> None:
        """Call `on_end`."""
        try:
            self._finish(bot.on_end(result))
        except Exception as error:  # noqa: BLE001 - whatever an author's code raises
            self._failed_in(name, "on_end", error)

    def failed(self, error: BotError) -> None:
        """Keep an error of a bot, or raise it, as `on_error` says."""
        if self._on_error == "raise":
            raise error
        self.problems.append(error)

    def _failed_in(self, name: str, method: str, error: Exception) -> None:
        if isinstance(error, UsageError):
            raise error
        problem = BotError(name, raised(method, error))
        problem.__cause__ = error
        self.failed(problem)

    def _finish(self, awaited: object) -> object:
        if not inspect.isawaitable(awaited):
            return awaited
        if self._runner is None:
            _refuse_running_loop(awaited)
            self._runner = asyncio.Runner()
        return self._runner.run(_await(awaited))


def made(name: str, factory: BotFactory) -> Bot:
    """Make a bot; raises `BotError`, saying what the class raised or what came instead of a bot."""
    try:
        bot = factory()
    except Exception as error:
        raise BotError(name, raised("making the bot", error)) from error
    # What the type promises, an author's function need not keep.
    if not isinstance(bot, Bot):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise BotError(name, f"wanted a Bot, and got {bot!r}")
    return bot


def raised(what: str, error: BaseException) -> str:
    """Return a sentence on what was raised where."""
    text = str(error)
    return f"{what} raised {type(error).__name__}{': ' if text else ''}{text}"


async def _await(awaited: Awaitable[object]) -> object:
    return await awaited


def _refuse_running_loop(awaited: object) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    if inspect.iscoroutine(awaited):
        awaited.close()
    raise UsageError(
        "a bot with async methods cannot be played from inside a running event loop: "
        "await asyncio.to_thread(...) with the call instead"
    )
