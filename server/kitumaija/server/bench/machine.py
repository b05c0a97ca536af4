"""What was measured on: the machine and the versions of what ran on it."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("grpcio", "protobuf", "uvloop", "sqlalchemy", "numpy", "kitumaija")
"""The packages whose versions bear on how fast a server is."""


def this_machine() -> Mapping[str, object]:
    """Return the machine as plain values for JSON; what cannot be told is an empty text or 0."""
    return {
        "cpu": _named("/proc/cpuinfo", "model name") or platform.processor(),
        "cores": len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count(),
        "memory_gib": round(
            int((_named("/proc/meminfo", "MemTotal") or "0").split()[0]) / 2**20, 1
        ),
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in PACKAGES},
        "load_before": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0.0,
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _named(file: str, name: str) -> str:
    """Return the value of the first line `NAME : VALUE` in a file of Linux; empty elsewhere."""
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return ""
