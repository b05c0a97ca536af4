"""What holds for every test."""

from __future__ import annotations

import os

from hypothesis import settings

# Deadlines measure the machine, not the code. CI plays the same examples every time, so that what
# fails there fails here; by hand each run looks at others.
settings.register_profile("kitumaija", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("kitumaija")

WORKERS_MAX = 16


def pytest_xdist_auto_num_workers() -> int:
    """Run twice as many tests at once as there are cores: many wait for what runs beside them."""
    return min(2 * (os.cpu_count() or 1), WORKERS_MAX)
