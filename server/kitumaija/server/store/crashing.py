"""Dying at a failpoint: what tests of crashes, and nobody else, ask a server for.

The text of a crash names a failpoint, a stage, and at which pass of it:
`matches.finish:before-commit:3`. It comes from the environment of the process at its start; there
is no other way to set it.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from kitumaija.server.store import (
    audit,
    bots,
    deal_trees,
    entrants,
    journal,
    matches,
    meta,
    migrating,
    ratings,
    records,
    requests,
    rounds,
    tournaments,
    verdicts,
)
from kitumaija.server.store.errors import StoreError
from kitumaija.server.store.failpoints import TRANSACTION, Stage, Watch, failpoint_of

VERBS = (
    audit,
    bots,
    deal_trees,
    entrants,
    journal,
    matches,
    meta,
    ratings,
    records,
    requests,
    rounds,
    tournaments,
    verdicts,
)
"""The modules whose functions write."""

_VERBS = [verb for module in VERBS for verb in vars(module).values()]
FAILPOINTS = tuple(
    sorted({TRANSACTION, migrating.FAILPOINT} | {*filter(None, map(failpoint_of, _VERBS))})
)
"""The names of all failpoints."""


@dataclass(frozen=True, slots=True)
class Crash:
    """Where to die: at the `passes`-th pass of a failpoint's stage."""

    name: str
    stage: Stage
    passes: int = 1

    @classmethod
    def parse(cls, text: str) -> Crash:
        """Read `NAME:STAGE` or `NAME:STAGE:PASS`; raises StoreError with what there is."""
        name, _, rest = text.partition(":")
        stage, _, passes = rest.partition(":")
        if name not in FAILPOINTS:
            raise StoreError(
                f"got the failpoint {text!r}, of which there is none; wanted NAME:STAGE or "
                f"NAME:STAGE:PASS, with one of the names {', '.join(FAILPOINTS)}"
            )
        if stage not in tuple(Stage) or not (passes or "1").isdecimal() or passes == "0":
            raise StoreError(
                f"got the failpoint {text!r}; wanted {name}:STAGE or {name}:STAGE:PASS, with the "
                f"stage {', '.join(Stage)} and the number of a pass from 1 on"
            )
        return cls(name, Stage(stage), int(passes or "1"))

    def __str__(self) -> str:
        return f"{self.name}:{self.stage}:{self.passes}"


def die() -> None:
    """End this process as `kill -9` does: nothing of it gets to run any more."""
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    # The signal is on its way; the thread that writes must not get any further.
    threading.Event().wait()


def crash_at(crash: Crash, happen: Callable[[], None] = die) -> Watch:
    """Return what calls `happen` at one pass of one failpoint, and lets all others be."""
    passed: Counter[tuple[str, Stage]] = Counter()

    def watch(name: str, stage: Stage) -> None:
        passed[name, stage] += 1
        if (name, stage, passed[name, stage]) == (crash.name, crash.stage, crash.passes):
            happen()

    return watch
