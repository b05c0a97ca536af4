"""The process that an arena is played in: ``python -m kitumaija.sdk.arena.process PARCEL``.

`apart.py` starts it below a supervisor. To its standard output go the outcomes of the sets, a line
each, in the order of the plan; what bots print goes to standard error instead.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
from base64 import b64decode, b64encode
from collections.abc import Mapping
from multiprocessing import spawn
from typing import Any

from kitumaija.sdk.arena.workers import alone, shared


def main(parcel: str) -> None:
    """Play what the parcel says."""
    with os.fdopen(os.dup(1), "wb") as told:
        os.dup2(2, 1)
        surroundings, packed = pickle.loads(b64decode(parcel))  # noqa: S301 - the parent's own
        _become_like_parent(surroundings)
        plan, jobs = pickle.loads(packed)  # noqa: S301 - as above
        for outcome in shared(plan, jobs) if jobs > 1 else alone(plan, plan.lineups()):
            told.write(b64encode(pickle.dumps(outcome)) + b"\n")
            told.flush()


def _become_like_parent(surroundings: Mapping[str, Any]) -> None:
    """Find modules where the parent finds them, its main module among them."""
    process = multiprocessing.current_process()
    # That main module may start an arena, without asking whether it is the main one; by this
    # `multiprocessing` knows that it must not here, and says what to write.
    vars(process)["_inheriting"] = True
    try:
        spawn.prepare(surroundings)
    finally:
        del vars(process)["_inheriting"]


if __name__ == "__main__":
    main(sys.argv[1])
