"""How bots are started, and what is known of one that runs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from kitumaija.console.children import Child, Children
from kitumaija.console.supervisor import descendants
from kitumaija.sdk.online import ADDRESS, TOKEN

_LOOK_EVERY = 0.02


class Running(Protocol):
    """A bot that was started."""

    def code(self) -> int | None:
        """Return its exit code; None while it runs, or where that is not known."""

    def output(self) -> str:
        """Return the end of what it wrote."""
        ...

    def resident(self) -> int | None:
        """Return how much memory it holds, in bytes; None where that cannot be told."""

    def ask(self) -> None:
        """Have it end, as SIGTERM does."""

    async def stop(self) -> None:
        """End it, whatever it takes."""


class Starter(Protocol):
    """How the bot comes to dial in."""

    @property
    def starts(self) -> bool:
        """Whether bots are started here; else an author starts one, once."""
        ...

    async def start(self, address: str, token: str) -> Running:
        """Start a bot that is to dial `address` with `token`."""
        ...


async def ended(bot: Running, within: float) -> int | None:
    """Return the bot's exit code, or None if it still runs after so many seconds."""
    for _ in range(round(within / _LOOK_EVERY)):
        if (code := bot.code()) is not None:
            return code
        await asyncio.sleep(_LOOK_EVERY)
    return bot.code()


class Processes:
    """Starts a command anew for each bot."""

    starts = True

    def __init__(self, command: Sequence[str], children: Children) -> None:
        self._command = command
        self._children = children
        self._started = 0

    async def start(self, address: str, token: str) -> Running:
        """Start the command, which learns from its environment where to dial."""
        self._started += 1
        where = {ADDRESS: address, TOKEN: token}
        child = self._children.start(f"bot-{self._started}", self._command, environment=where)
        return _Process(child)


class _Process:
    def __init__(self, child: Child) -> None:
        self._child = child

    def code(self) -> int | None:
        return self._child.code

    def output(self) -> str:
        return self._child.tail()

    def resident(self) -> int | None:
        sizes = [_resident_of(pid) for pid in descendants(self._child.pid)]
        return sum(sizes) or None

    def ask(self) -> None:
        self._child.ask()

    async def stop(self) -> None:
        await asyncio.to_thread(self._child.stop)


def _resident_of(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    except OSError:
        return 0  # it has ended
    return 0


class Elsewhere:
    """The author starts the bot: nothing is known of it but what it says."""

    starts = False

    async def start(self, address: str, token: str) -> Running:
        """Wait for nothing: the bot was told where to dial."""
        del address, token
        return _Unseen()


class _Unseen:
    def code(self) -> int | None:
        return None

    def output(self) -> str:
        return ""

    def resident(self) -> int | None:
        return None

    def ask(self) -> None:
        pass

    async def stop(self) -> None:
        pass
