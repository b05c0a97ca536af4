"""The seam between gRPC and the SDK's own errors: why a stream ended, and whether to dial again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import grpc
import grpc.aio

from kitumaija.sdk.errors import ConnectionFailed, Refused, SdkError
from kitumaija.wire.status import PASSING, ErrorReason, reason_of

# What to do about a reason is told here, in an author's words; what else the server said follows.
_ADVICE: Mapping[ErrorReason, str] = {
    ErrorReason.REPLACED: (
        "another copy of this bot connected with the same token, and the newest one plays; "
        "if that was not meant, look for a second process, or have the token changed"
    ),
    ErrorReason.UNAUTHENTICATED_NO_TOKEN: "the server got no token",
    ErrorReason.UNAUTHENTICATED_TOKEN: (
        "the server does not know this token: check KITUMAIJA_TOKEN for a typing error, "
        "or ask the organizer for a new one"
    ),
    ErrorReason.BOT_DISABLED: "the organizer has shut this bot out",
    ErrorReason.BOT_VERSION_FROZEN: (
        "a running tournament has frozen the bot's version: run the version that it began with"
    ),
    ErrorReason.FLOODING: "the bot sent more messages than the server takes",
    ErrorReason.FRAME_TOO_LARGE: "the bot sent a larger message than the server takes",
    ErrorReason.PROTOCOL_VIOLATION: (
        "the server says that the SDK broke the protocol: "
        "install the SDK of the server's version, or report this as a fault"
    ),
}

# Codes of errors without our details, which gRPC or something on the way made itself, and that no
# second try will change.
_FINAL = {
    grpc.StatusCode.UNAUTHENTICATED: "the server wants another token",
    grpc.StatusCode.PERMISSION_DENIED: "the server does not let this bot in",
    grpc.StatusCode.UNIMPLEMENTED: "what answers there is no Kitumaija server",
    grpc.StatusCode.INVALID_ARGUMENT: "the server does not understand this SDK",
    grpc.StatusCode.FAILED_PRECONDITION: "the server does not let this bot play as things stand",
}


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a stream ended."""

    error: SdkError
    passing: bool
    """Whether dialling again may help."""
    wait: float = 0.0
    """How long the server asks to wait before that, in seconds."""


def ended_with(error: grpc.aio.AioRpcError) -> Ended:
    """Return what the end of a stream with an error means."""
    said = error.details() or "no more is known"
    known = reason_of(error)
    if known is None:
        final = _FINAL.get(error.code())
        if final is not None:
            return Ended(Refused(f"{final} ({said})"), passing=False)
        return Ended(ConnectionFailed(f"{error.code().name}: {said}"), passing=True)
    reason, metadata = known
    if reason in PASSING:
        wait = float(metadata.get("retry_seconds") or 0)
        return Ended(ConnectionFailed(f"{reason}: {said}"), passing=True, wait=wait)
    return Ended(Refused(f"{_ADVICE.get(reason, reason.value)} ({said})"), passing=False)
