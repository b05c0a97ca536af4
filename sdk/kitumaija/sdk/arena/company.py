"""The bots of an arena, as one process has them: classes to make objects of, and processes."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeAlias

from kitumaija.console.children import Allowance, Children
from kitumaija.console.commands import Command
from kitumaija.sdk.bot import BotFactory, name_of
from kitumaija.sdk.clocks import real_clock
from kitumaija.sdk.loading import command_of, load
from kitumaija.sdk.players import Remote
from kitumaija.wire.times import Limits

if TYPE_CHECKING:
    from kitumaija.sdk.hosting import Guest, Host

Loaded: TypeAlias = "BotFactory | Command"
"""What a bot's name means: a class, or how to start a process."""

_TOKEN_BYTES = 24


def loaded(bot: str | BotFactory) -> Loaded:
    """Return what a bot is; raises `LoadError` for a name that means none."""
    if not isinstance(bot, str):
        return bot
    return command_of(bot) or load(bot)


def called(bot: Loaded) -> str:
    """Return what a bot is called by itself."""
    return bot.name if isinstance(bot, Command) else name_of(bot)


class Company:
    """Who can sit down at a table of this process. All processes end with this context.

    A command has one process for each seat that it has at one table: processes know nothing of each
    other, and what one seat sees is no other seat's to know.
    """

    def __init__(
        self,
        bots: Sequence[str | BotFactory],
        *,
        limits: Limits,
        allowance: Allowance,
        fresh: bool,
        logs: Path | None,
    ) -> None:
        """`logs` is a folder in which what processes write is kept; needed where there are any.

        With `fresh` every game has processes of its own.
        """
        self._bots = [loaded(bot) for bot in bots]
        self._limits = limits
        self._allowance = allowance
        self._fresh = fresh
        self._logs = logs
        self._stack = ExitStack()
        self._hosting: tuple[Children, Host] | None = None
        self._guests: dict[tuple[int, int], Guest] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End every process."""
        self._stack.close()

    def sit_down(self, line: Sequence[int]) -> list[BotFactory | Remote]:
        """Return the bots of a game by seat; `line` has the number of each.

        The processes among them are being started, if they do not run yet.
        """
        table = [
            self._seated(number, line[:seat].count(number)) for seat, number in enumerate(line)
        ]
        for guest in self._guests.values():
            if guest in table:
                guest.begin()
        return table

    def _seated(self, number: int, before: int) -> BotFactory | Remote:
        bot = self._bots[number]
        if not isinstance(bot, Command):
            return bot
        guest = self._guests.get((number, before))
        if guest is None:
            guest = self._guests[number, before] = self._guest(bot, f"bot-{number}-{before}")
        return guest

    def _guest(self, command: Command, label: str) -> Guest:
        from kitumaija.sdk.hosting import Guest, Host  # noqa: PLC0415 - few arenas need gRPC

        if self._hosting is None:
            logs = tempfile.TemporaryDirectory(dir=self._logs)
            children = Children(Path(self._stack.enter_context(logs)))
            # The children go first, so that a bot which is ended does not see its server go.
            host = self._stack.enter_context(Host(real_clock))
            self._hosting = self._stack.enter_context(children), host
        return Guest(
            command,
            *self._hosting,
            label=label,
            new_token=lambda: secrets.token_urlsafe(_TOKEN_BYTES),
            startup=self._limits.startup,
            allowance=self._allowance,
            fresh=self._fresh,
        )
