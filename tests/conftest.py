"""What holds for every test."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# Deadlines measure the machine, not the code. CI plays the same examples every time, so that what
# fails there fails here; by hand each run looks at others.
settings.register_profile("kitumaija", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("kitumaija")

# Whom a shell starts in the background ignores Ctrl-C, and so would everything that a test starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

WORKERS_MAX = 16


def pytest_xdist_auto_num_workers() -> int:
    """Run twice as many tests at once as there are cores: many wait for what runs beside them."""
    return min(2 * (os.cpu_count() or 1), WORKERS_MAX)
