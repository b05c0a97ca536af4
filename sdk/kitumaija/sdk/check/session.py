"""A whole check: from the name of a bot, or none, to a report."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from kitumaija.console.children import Children
from kitumaija.sdk.check.exam import LocalGames
from kitumaija.sdk.check.lives import Elsewhere, Processes
from kitumaija.sdk.check.report import Report
from kitumaija.sdk.check.runner import Heard, examine
from kitumaija.sdk.check.stand import Stand
from kitumaija.sdk.check.step import Step
from kitumaija.sdk.check.times import IN_FULL, Times


def python_bot(name: str) -> tuple[str, ...]:
    """Return the command that runs a bot by its name, as `kitumaija bot run` does."""
    return (sys.executable, "-m", "kitumaija.sdk", name)


async def check_command_line(
    command: Sequence[str],
    steps: Sequence[Step],
    *,
    new_token: Callable[[], str],
    heard: Heard,
    local: LocalGames | None = None,
) -> Report:
    """Check a bot that is started by a command, anew as often as it takes."""
    with (
        tempfile.TemporaryDirectory(prefix="kitumaija-check-") as logs,
        Children(Path(logs)) as children,
    ):
        starter = Processes(command, children)
        async with Stand() as stand:
            return await examine(
                steps,
                stand=stand,
                starter=starter,
                times=IN_FULL,
                new_token=new_token,
                heard=heard,
                local=local,
            )


async def check_whoever_dials(
    listen: str,
    steps: Sequence[Step],
    *,
    token: str,
    heard: Heard,
    ready: Callable[[str], None],
    times: Times = IN_FULL,
) -> Report:
    """Check the bot that dials in at `listen`; `ready` is told the address once it can.

    Raises `RuntimeError` where it is not possible to listen there.
    """
    async with Stand(listen) as stand:
        ready(stand.address)
        return await examine(
            steps,
            stand=stand,
            starter=Elsewhere(),
            times=times,
            new_token=lambda: token,
            heard=heard,
        )
