"""What a test needs of Debian's packages, installed where that may be done."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path


def installed(package: str, found: Callable[[], Path | None]) -> Path | None:
    """Return what `found` finds, after installing the package if it finds nothing before.

    That takes root and apt-get. None if there is nothing even so.
    """
    there = found()
    if there is None and os.geteuid() == 0 and shutil.which("apt-get"):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for arguments in (["update"], ["install", "-y", package]):
            subprocess.run(["apt-get", "-qq", *arguments], env=environment, check=False)
        there = found()
    return there
