"""What a process holds on to: how many objects of which kinds, and how much memory."""

from __future__ import annotations

import gc
import os
from collections import Counter

from kitumaija.server.bench.costs import costs_of

MIB = 1024 * 1024


def live_objects(package: str = "kitumaija") -> Counter[str]:
    """Return how many objects there are of each class of a package, tasks by what they run."""
    gc.collect()
    counts: Counter[str] = Counter()
    for thing in gc.get_objects():
        kind = type(thing)
        # Some of the interpreter's own have a module that is no text.
        module: object = kind.__module__
        if isinstance(module, str) and module.startswith(package):
            counts[f"{module}.{kind.__qualname__}"] += 1
        elif kind.__name__ == "Task":
            counts["task"] += 1
    return counts


def resident_mib(pid: int | None = None) -> float:
    """Return the resident memory of a process in MiB, by default of this one."""
    return costs_of(pid or os.getpid()).mib
