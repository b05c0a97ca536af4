"""Playing an arena in other processes, none of which outlives it.

All of them, and whatever the bots in them start, run below one supervisor
(`kitumaija.console.supervisor`). It ends them when the arena is over, is interrupted or fails, and
when the process that wants it is gone, however that died.
"""

from __future__ import annotations

import pickle
import sys
from base64 import b64decode, b64encode
from collections.abc import Generator
from contextlib import suppress
from multiprocessing import spawn

from kitumaija.console.children import Child, Children
from kitumaija.console.supervisor import GRACE_SECONDS
from kitumaija.sdk.arena.plan import Plan
from kitumaija.sdk.arena.standings import GamePlayed
from kitumaija.sdk.errors import SdkError, UsageError

_PROCESS = "kitumaija.sdk.arena.process"
"""The module that plays. It is named and not imported: Python runs it as a program."""


def played_apart(plan: Plan, jobs: int) -> Generator[list[GamePlayed]]:
    """Yield the games of each set, in their order, as `jobs` spawned processes play them.

    What bots print appears on standard error.

    Raises `UsageError` for bots that other processes cannot find, `SdkError` if a process ends in
    the middle of a game, and what a bot's error raises in it.
    """
    parcel = _parcel(plan, jobs)
    # Unlike a folder that is first on the path for being the working directory, what this process
    # imports from is what the other one is told to import from.
    command = [sys.executable, "-P", "-m", _PROCESS, parcel]
    with Children(None) as children:
        child = children.start("arena", command, read_output=True)
        for _ in range(plan.sets):
            line = child.read_line()
            if not line:
                raise SdkError(
                    f"the process that the bots play in ended, with exit code {_ended(child)}: a "
                    "bot ended it, it crashed, or memory ran out"
                )
            told = pickle.loads(b64decode(line))  # noqa: S301 - of this arena's own process
            if isinstance(told, Exception):
                raise told
            yield told
        _ended(child)


def _ended(child: Child) -> int:
    """Return the exit code of a child that has done its work, or has broken it off.

    What a bot wants done when Python ends gets as long as it would after SIGTERM.
    """
    with suppress(TimeoutError):
        return child.wait(GRACE_SECONDS)
    return child.stop()


def _parcel(plan: Plan, jobs: int) -> str:
    """Return what the other process needs, as one word: where modules are found, and the plan."""
    try:
        packed = pickle.dumps((plan, jobs))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UsageError(
            "with jobs, bots must be found by other processes: name them as path/to/file.py:Class, "
            f"or take classes of a module that can be imported, or leave jobs out ({error})"
        ) from error
    # The very words by which `multiprocessing` makes a spawned process like its parent.
    surroundings = spawn.get_preparation_data("arena")
    surroundings.pop("authkey", None)
    return b64encode(pickle.dumps((surroundings, packed))).decode("ascii")
