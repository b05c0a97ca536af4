"""Inputs that nobody sends, at every door, for as long as one likes.

`python -m tests.fuzz.soak_fuzz --seconds 600 --seed 1` tries each door for ten minutes and prints
how many inputs it tried and what broke, with the inputs. It ends with 1 if anything did.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import time
from random import Random

import structlog

from tests.fuzz.doors import DOORS
from tests.fuzz.figures import Figures


async def _try(name: str, seconds: float, seed: int) -> Figures:
    until = time.monotonic() + seconds
    return await DOORS[name](Random(f"{seed}/{name}"), lambda _: time.monotonic() < until)


def main() -> int:
    """Try the doors that were asked for; return the exit status."""
    parser = argparse.ArgumentParser(description="inputs that nobody sends, at every door")
    parser.add_argument("--seconds", type=float, default=600, help="for each door (default: 600)")
    parser.add_argument("--seed", type=int, default=1, help="of chance (default: 1)")
    parser.add_argument("doors", nargs="*", help=f"of {', '.join(DOORS)} (default: all)")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    crashes = 0
    for name in given.doors or DOORS:
        figures = asyncio.run(_try(name, given.seconds, given.seed))
        sys.stdout.write(f"{name}: {figures}\n")
        for crash in figures.crashes:
            sys.stdout.write(f"  {crash}\n")
        sys.stdout.flush()
        crashes += figures.outcomes["CRASH"]
    return 1 if crashes else 0


if __name__ == "__main__":
    sys.exit(main())
