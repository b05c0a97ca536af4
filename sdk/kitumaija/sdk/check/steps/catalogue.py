"""All steps, in the order in which they are run and told of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kitumaija.sdk.check.step import Step
from kitumaija.sdk.check.steps import (
    clock,
    ends,
    entropy,
    games,
    greeting,
    leaving,
    local,
    phases,
    refusing,
    resuming,
    seating,
    streams,
    unknown,
)

ALL: Final[tuple[Step, ...]] = (
    *local.STEPS,
    *greeting.STEPS,
    *seating.STEPS,
    *phases.STEPS,
    *refusing.STEPS,
    *streams.STEPS,
    *resuming.STEPS,
    *clock.STEPS,
    *ends.STEPS,
    *unknown.STEPS,
    *entropy.STEPS,
    *games.STEPS,
    *leaving.STEPS,
)


def named(ids: Iterable[str]) -> tuple[Step, ...]:
    """Return the steps with these names, in the order in which they are run.

    Raises `ValueError` for a name that no step has, naming those that are like it.
    """
    wanted = set(ids)
    unknown = sorted(wanted - {step.id for step in ALL})
    if unknown:
        names = ", ".join(step.id for step in ALL)
        raise ValueError(f"there is no step {unknown[0]!r}; there are {names}")
    return tuple(step for step in ALL if step.id in wanted)
