"""What code runs: whether two things cost the server the same work, told without any clock."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeAlias

Line: TypeAlias = tuple[str, int]
"""A file of ours, and a line of it."""

_OURS = ("/kitumaija/server/", "/kitumaija/wire/")


@contextmanager
def lines_run(*rooms: str) -> Iterator[list[Line]]:
    """Collect every line of the server that runs in this thread, in order.

    `rooms` are parts of the paths to look at; left out, all of the server and the wire.
    """
    found: list[Line] = []
    wanted = rooms or _OURS

    def within(frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            found.append((frame.f_code.co_filename, frame.f_lineno))
        return within

    def enter(frame: FrameType, event: str, _: object) -> Any:
        ours = any(room in frame.f_code.co_filename for room in wanted)
        return within if ours else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield found
    finally:
        sys.settrace(before)
