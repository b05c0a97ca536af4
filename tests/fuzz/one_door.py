"""One door in a process of its own: `python -m tests.fuzz.one_door NAME SECONDS SEED FOLDER`.

FOLDER is an empty one. What is kept of the inputs goes there, and at the end the figures, into
`figures.json`.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from pathlib import Path
from random import Random

from tests.fuzz.decoding import DECODED
from tests.fuzz.figures import Figures
from tests.fuzz.guided import available, by_guidance

REPORT = "figures.json"


def main() -> None:
    """Try the door."""
    name, seconds, seed, folder = sys.argv[1:]
    report = Path(folder) / REPORT
    if name in DECODED and available():
        by_guidance(name, float(seconds), int(seed), Path(folder), report)
    until = time.monotonic() + float(seconds)
    figures = _tried(name, Random(f"{seed}/{name}"), until)
    if name in DECODED:
        figures.remark = "unguided"
    report.write_text(figures.to_json(), encoding="utf-8")


def _tried(name: str, chance: Random, until: float) -> Figures:
    # Late, for whoever is guided imports nothing of ours before.
    import structlog

    from tests.fuzz.doors import DOORS

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    return asyncio.run(DOORS[name](chance, lambda _: time.monotonic() < until))


if __name__ == "__main__":
    main()
