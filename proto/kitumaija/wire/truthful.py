"""A call of gRPC's asyncio API that tells the status which the other end gave it.

A message that is written when the end of the call is there already, and not yet handed on, cannot
be sent. gRPC then makes up a status of its own, INTERNAL, and forgets the true one (seen with
grpcio 1.85.3): a bot that answers a Ping while it is being replaced would never hear that it was,
and would dial again. The true one is on its way whenever a write fails; it only has to be waited
for.
"""

from __future__ import annotations

from typing import Any, TypeVar

Call = TypeVar("Call")

_CORE = "_cython_call"
"""Where a call keeps its other half, which is private to gRPC."""


def truthful(call: Call) -> Call:
    """Return the call, which from now on ends with the status that it was given.

    A call that is made in another way than those that were looked at is returned as it is.
    """
    core = getattr(call, _CORE, None)
    if hasattr(core, "set_internal_error"):
        setattr(call, _CORE, _WithoutInvention(core))
    return call


class _WithoutInvention:
    """A call's other half, but for the status that it would make up."""

    def __init__(self, core: Any) -> None:
        self._core = core

    def __getattr__(self, name: str) -> Any:
        return getattr(self._core, name)

    def set_internal_error(self, error: str) -> None:
        """Do nothing: whoever asks for the status waits for the true one."""
