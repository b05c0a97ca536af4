"""A wall clock that a test sets while a process runs: libfaketime, of Debian's package `faketime`.

Only the wall clock moves. The monotonic clock stays the machine's, as it does when an operator or
a time server sets the date.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from tests.support.apt import installed

PACKAGE = "faketime"
LIBRARIES = ("/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib/faketime/libfaketimeMT.so.1")


class FaketimeMissing(Exception):
    """There is no libfaketime, and it could not be installed."""


class WallClock:
    """The wall clock of the processes that are started with `environment`."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._library = _library()
        self.set(timedelta(0))

    @property
    def environment(self) -> dict[str, str]:
        """What a process has to be started with."""
        return {
            "LD_PRELOAD": str(self._library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            # How old, in seconds, may be what it knows of the file. gRPC asks for the time so often
            # that a process which read the file at each look would do nothing else.
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            # A file's date is asked of the file system, and is none of this clock's.
            "NO_FAKE_STAT": "1",
        }

    def set(self, ahead: timedelta) -> None:
        """Set the clock so far ahead of the true time; behind it, where that is negative.

        A process sees it some moments later.
        """
        new = self._file.with_suffix(".new")
        new.write_text(f"{ahead.total_seconds():+.0f}s\n", encoding="ascii")
        # Moved into place: nobody reads half of it.
        new.replace(self._file)


def _library() -> Path:
    found = installed(PACKAGE, _found)
    if found is None:
        raise FaketimeMissing(f"libfaketime is not installed: apt-get install -y {PACKAGE}")
    return found


def _found() -> Path | None:
    everywhere = (path for glob in LIBRARIES for path in sorted(Path("/").glob(glob[1:])))
    return next(everywhere, None)
