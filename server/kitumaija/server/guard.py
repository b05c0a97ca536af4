"""The watch over the pulse, from a thread of its own: a server that does not move any more ends.

The pulse watches the matches, and nothing on the event loop can watch the pulse: a loop that is
blocked, a timer that is lost and a sweep that raises every time are seen from outside only. To end
loses nothing: whatever anybody was told is on the disk, and the next start goes on from there.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from datetime import timedelta
from threading import Event, Thread, main_thread
from types import TracebackType

from kitumaija.server.match.values import Nanos
from kitumaija.server.systemd import Systemd

HANG_AFTER = timedelta(seconds=30)
"""How long a pulse may be silent."""

LOOKS = 30
"""How many looks at a silent pulse, one after the other, make that time.

It is counted in looks and not told by a clock: in a process that was stopped, or on a machine that
slept, this thread did not look either, so that time is none.
"""


class Heart:
    """Counts the whole beats of the pulse: the last of its sweeps."""

    def __init__(self) -> None:
        self.beats = 0

    def sweep(self, now: Nanos) -> None:
        """Count a beat: every sweep before this one has returned."""
        del now
        self.beats += 1


class Guard:
    """While its context lasts, calls `hung`, in its own thread, once the heart has stopped.

    `hung` is told where the main thread stands. As long as the heart beats systemd hears of it, if
    that asked to.
    """

    def __init__(
        self,
        heart: Heart,
        hung: Callable[[str], None],
        *,
        within: timedelta = HANG_AFTER,
        systemd: Systemd | None = None,
    ) -> None:
        self._heart = heart
        self._hung = hung
        self._systemd = systemd or Systemd.absent()
        every = within / LOOKS
        if self._systemd.watchdog is not None:
            every = min(every, self._systemd.watchdog / 3)
        self._every = every.total_seconds()
        self._looks = max(LOOKS, round(within / every))
        self._over = Event()
        self._thread = Thread(target=self._watch, name="guard", daemon=True)

    def __enter__(self) -> Guard:
        """Watch from now on."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Watch no more."""
        self._over.set()

    def _watch(self) -> None:
        beats, silent = self._heart.beats, 0
        while silent < self._looks:
            if self._over.wait(self._every):
                return
            if self._heart.beats == beats:
                silent += 1
            else:
                beats, silent = self._heart.beats, 0
                self._systemd.say("WATCHDOG=1")
        self._hung(_where())


def _where() -> str:
    """Return where the main thread is, innermost last: places alone, no values."""
    frames = sys._current_frames()  # noqa: SLF001 - that is its public name
    frame = frames.get(main_thread().ident or 0)
    stack = traceback.extract_stack(frame) if frame is not None else []
    return " > ".join(f"{place.filename}:{place.lineno}" for place in stack[-4:])
