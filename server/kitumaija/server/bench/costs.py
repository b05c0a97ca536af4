"""What a process uses of its machine, as Linux tells it; zeros elsewhere."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_PROCESSES = Path("/proc")


@dataclass(frozen=True, slots=True)
class Costs:
    """Of one process up to now: seconds of a core, and resident MiB."""

    cpu_seconds: float
    mib: float


def costs_of(pid: int) -> Costs:
    """Return what a process has used, and how much memory it has.

    Raises `OSError` if there is no such process.
    """
    if not _PROCESSES.exists():
        return Costs(0.0, 0.0)
    folder = _PROCESSES / str(pid)
    # Behind the name, which may hold anything, user and system time are fields 12 and 13.
    fields = (folder / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
    pages = int((folder / "statm").read_text(encoding="ascii").split()[1])
    ticks = int(fields[11]) + int(fields[12])
    return Costs(ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE") / 2**20)
