"""What can be wrong with a request, as exceptions.

The server's rooms raise these; `rpc/status.py` is the one place that turns them into gRPC statuses,
by the reason alone (`kitumaija.wire.status.code_of`). The message is for the person who called and
says what was got, what was wanted and what to do; the reason is for programs. Neither may hold
anything that the caller may not know.
"""

from __future__ import annotations

from collections.abc import Mapping

from kitumaija.wire.status import ErrorReason


class KitumaijaError(Exception):
    """A refusal that the caller is told: `reason` for programs, `message` for people.

    `metadata` is what the reason is about, as the comment behind the reason names it. The classes
    below are for those who catch: each is raised with reasons of its own status code only.
    """

    def __init__(
        self, reason: ErrorReason, message: str, metadata: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.metadata = dict(metadata or {})


class InvalidArgument(KitumaijaError):
    """The request is wrong whatever the state of the server."""


class FailedPrecondition(KitumaijaError):
    """The request is fine, but not now: something has to be changed first."""


class NotFound(KitumaijaError):
    """What the request names does not exist."""


class AlreadyExists(KitumaijaError):
    """What the request wants to make exists, and is something else."""


class Unauthenticated(KitumaijaError):
    """Nobody knows who is calling."""


class PermissionDenied(KitumaijaError):
    """The caller is known and may not do this."""


class ResourceExhausted(KitumaijaError):
    """The caller wants or sends more than it may."""


class Unavailable(KitumaijaError):
    """The server cannot do it now: it is shutting down, or its store failed."""
