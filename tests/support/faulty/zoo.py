"""All seeded faults."""

from __future__ import annotations

from tests.support.faulty import playing, returning, talking
from tests.support.faulty.fault import Fault

ALL: tuple[Fault, ...] = (*talking.FAULTS, *playing.FAULTS, *returning.FAULTS)


def named(name: str) -> Fault:
    """Return the fault with this name."""
    (fault,) = [fault for fault in ALL if fault.name == name]
    return fault
