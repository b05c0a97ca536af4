"""Why a call failed, in a form that programs read: `google.rpc.ErrorInfo` of domain `kitumaija`.

It travels in the trailing metadata `grpc-status-details-bin` as a `google.rpc.Status`, the way that
AIP-193 and the gRPC libraries have it. The reasons are a closed list: nobody has to look into the
text of a status.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final, Protocol

from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message
from google.rpc import (  # pyright: ignore[reportMissingTypeStubs]
    code_pb2,
    error_details_pb2,
    status_pb2,
)

DOMAIN: Final = "kitumaija"
DETAILS_KEY: Final = "grpc-status-details-bin"
RETRY_SECONDS: Final = "retry_seconds"


class ErrorReason(StrEnum):
    """Every reason for which the server ends a call or a stream with an error.

    The comment behind a reason names the keys of its metadata, where it has any.
    """

    # Who is calling
    UNAUTHENTICATED_NO_TOKEN = "UNAUTHENTICATED_NO_TOKEN"
    """There is no `authorization: Bearer …` where one is needed."""
    UNAUTHENTICATED_TOKEN = "UNAUTHENTICATED_TOKEN"
    """The token is nobody's: mistyped, or replaced by a newer one."""
    PERMISSION_DENIED = "PERMISSION_DENIED"
    """The token is known, and is not enough for this. `needed`: whose would be."""
    BOT_DISABLED = "BOT_DISABLED"
    """The bot is shut out. `bot_id`."""
    REGISTRATION_CLOSED = "REGISTRATION_CLOSED"
    """Only the organizer registers bots here."""
    INVITE_CODE = "INVITE_CODE"
    """The invite code is not the server's."""
    HANDS_HIDDEN = "HANDS_HIDDEN"
    """The record shows hidden cards that may not be read yet. `match_id`, `visible`: when."""

    # What is asked for
    INVALID_ARGUMENT_FIELD = "INVALID_ARGUMENT_FIELD"
    """A field of the request is wrong. `field`, `got`, `wanted`."""
    INVALID_ARGUMENT_PAGE_TOKEN = "INVALID_ARGUMENT_PAGE_TOKEN"
    """The page token is not one that this listing gave."""
    INVALID_ARGUMENT_ENDLESS_GAME = "INVALID_ARGUMENT_ENDLESS_GAME"
    """By these options a game could last for ever. `field`."""
    INVALID_ARGUMENT_MATCH_CAP = "INVALID_ARGUMENT_MATCH_CAP"
    """The cap on a match is below what its other limits allow. `needed_seconds`."""
    NOT_FOUND_BOT = "NOT_FOUND_BOT"
    """`bot_id`."""
    NOT_FOUND_TOURNAMENT = "NOT_FOUND_TOURNAMENT"
    """`tournament_id`."""
    NOT_FOUND_ENTRANT = "NOT_FOUND_ENTRANT"
    """The bot is not in the tournament. `tournament_id`, `bot_id`."""
    NOT_FOUND_MATCH = "NOT_FOUND_MATCH"
    """`match_id`."""
    NOT_FOUND_RECORD = "NOT_FOUND_RECORD"
    """The match has no record: it is void or was cancelled. `match_id`."""
    ALREADY_EXISTS_BOT = "ALREADY_EXISTS_BOT"
    """`bot_id`."""
    ALREADY_EXISTS_TOURNAMENT = "ALREADY_EXISTS_TOURNAMENT"
    """`tournament_id`."""
    ALREADY_EXISTS_ENTRANT = "ALREADY_EXISTS_ENTRANT"
    """The bot has entered before. `tournament_id`, `bot_id`."""
    REQUEST_ID_CONFLICT = "REQUEST_ID_CONFLICT"
    """The id was used for another call, or for this one with other content. `request_id`."""

    # What stands against it now
    TOURNAMENT_STATE = "TOURNAMENT_STATE"
    """The tournament's state does not allow it. `tournament_id`, `state`, `wanted`."""
    TOO_FEW_ENTRANTS = "TOO_FEW_ENTRANTS"
    """Fewer entrants than seats at the largest table. `tournament_id`, `entrants`, `wanted`."""
    MATCH_BUDGET = "MATCH_BUDGET"
    """Too few matches for everybody to play as often in every seat. `tournament_id`, `needed`."""
    ENTRANT_ABSENT = "ENTRANT_ABSENT"
    """Entrants are not connected. `tournament_id`, `bot_ids`: with commas between."""
    ENTRANT_LEFT = "ENTRANT_LEFT"
    """The entrant was withdrawn or disqualified before. `tournament_id`, `bot_id`, `state`."""
    ENTRANT_STATE = "ENTRANT_STATE"
    """The entrant is on the bench already, or is to come back and is not there.
    `tournament_id`, `bot_id`, `state`, `wanted`."""
    OWNER_LIMIT = "OWNER_LIMIT"
    """The owner has as many entrants as allowed. `tournament_id`, `owner`, `limit`."""
    TOURNAMENT_NOT_OVER = "TOURNAMENT_NOT_OVER"
    """It is to be had when the tournament is over. `tournament_id`, `state`."""
    MATCH_NOT_OVER = "MATCH_NOT_OVER"
    """It is to be had when the match is over. `match_id`."""
    ROUND_OVER = "ROUND_OVER"
    """Other rounds follow from the match's result already. `tournament_id`, `match_id`, `round`."""
    BOT_VERSION_FROZEN = "BOT_VERSION_FROZEN"
    """A running tournament has frozen the bot's version. `tournament_id`, `frozen`, `got`."""

    # The stream of a bot, and of who watches
    REPLACED = "REPLACED"
    """The token opened a newer stream, and the newest one wins. Do not dial again."""
    TOO_MANY_REPLACEMENTS = "TOO_MANY_REPLACEMENTS"
    """Streams of this token kept replacing each other; it is locked. `retry_seconds`."""
    HELLO_LATE = "HELLO_LATE"
    """A stream was opened and nothing was said on it, or a call without its request.
    `limit_seconds`."""
    PROTOCOL_VIOLATION = "PROTOCOL_VIOLATION"
    """The bot said what may not be said there. `violation`: which, such as `second_hello`."""
    FRAME_TOO_LARGE = "FRAME_TOO_LARGE"
    """A frame was larger than the server takes. `limit_bytes`."""
    FLOODING = "FLOODING"
    """More messages came than the server takes. `limit_per_second`."""
    NOT_READING = "NOT_READING"
    """More waits to be read than the server keeps for one stream, or it was kept for too long.
    `limit_bytes` or `limit_seconds`."""
    SILENT = "SILENT"
    """Nothing was heard for too long, not even a Pong. `limit_seconds`."""
    DRAINING = "DRAINING"
    """The server shuts down and will be back."""

    # The server
    RESOURCE_EXHAUSTED = "RESOURCE_EXHAUSTED"
    """The caller has or wants more than he may have at once. `resource`, such as `calls`; `limit`
    where it is a number, `retry_seconds`."""
    STORE_FAILED = "STORE_FAILED"
    """The server cannot write what it decides, so it decides nothing."""
    INTERNAL = "INTERNAL"
    """A fault of the server. `error_id`: what to look for in its log."""


_REASONS_OF_CODE: Final[Mapping[int, tuple[ErrorReason, ...]]] = {
    code_pb2.UNAUTHENTICATED: (
        ErrorReason.UNAUTHENTICATED_NO_TOKEN,
        ErrorReason.UNAUTHENTICATED_TOKEN,
    ),
    code_pb2.PERMISSION_DENIED: (
        ErrorReason.PERMISSION_DENIED,
        ErrorReason.BOT_DISABLED,
        ErrorReason.REGISTRATION_CLOSED,
        ErrorReason.INVITE_CODE,
        ErrorReason.HANDS_HIDDEN,
    ),
    code_pb2.INVALID_ARGUMENT: (
        ErrorReason.INVALID_ARGUMENT_FIELD,
        ErrorReason.INVALID_ARGUMENT_PAGE_TOKEN,
        ErrorReason.INVALID_ARGUMENT_ENDLESS_GAME,
        ErrorReason.INVALID_ARGUMENT_MATCH_CAP,
        ErrorReason.PROTOCOL_VIOLATION,
    ),
    code_pb2.NOT_FOUND: (
        ErrorReason.NOT_FOUND_BOT,
        ErrorReason.NOT_FOUND_TOURNAMENT,
        ErrorReason.NOT_FOUND_ENTRANT,
        ErrorReason.NOT_FOUND_MATCH,
        ErrorReason.NOT_FOUND_RECORD,
    ),
    code_pb2.ALREADY_EXISTS: (
        ErrorReason.ALREADY_EXISTS_BOT,
        ErrorReason.ALREADY_EXISTS_TOURNAMENT,
        ErrorReason.ALREADY_EXISTS_ENTRANT,
        ErrorReason.REQUEST_ID_CONFLICT,
    ),
    code_pb2.FAILED_PRECONDITION: (
        ErrorReason.TOURNAMENT_STATE,
        ErrorReason.TOO_FEW_ENTRANTS,
        ErrorReason.MATCH_BUDGET,
        ErrorReason.ENTRANT_ABSENT,
        ErrorReason.ENTRANT_LEFT,
        ErrorReason.ENTRANT_STATE,
        ErrorReason.OWNER_LIMIT,
        ErrorReason.TOURNAMENT_NOT_OVER,
        ErrorReason.MATCH_NOT_OVER,
        ErrorReason.ROUND_OVER,
        ErrorReason.BOT_VERSION_FROZEN,
    ),
    code_pb2.ABORTED: (ErrorReason.REPLACED,),
    code_pb2.DEADLINE_EXCEEDED: (ErrorReason.HELLO_LATE, ErrorReason.SILENT),
    code_pb2.RESOURCE_EXHAUSTED: (
        ErrorReason.TOO_MANY_REPLACEMENTS,
        ErrorReason.FRAME_TOO_LARGE,
        ErrorReason.FLOODING,
        ErrorReason.NOT_READING,
        ErrorReason.RESOURCE_EXHAUSTED,
    ),
    code_pb2.UNAVAILABLE: (ErrorReason.DRAINING, ErrorReason.STORE_FAILED),
    code_pb2.INTERNAL: (ErrorReason.INTERNAL,),
}

_CODE_OF: Final = {reason: code for code, reasons in _REASONS_OF_CODE.items() for reason in reasons}

PASSING: Final = frozenset(
    {
        ErrorReason.TOO_MANY_REPLACEMENTS,
        ErrorReason.HELLO_LATE,
        ErrorReason.NOT_READING,
        ErrorReason.SILENT,
        ErrorReason.DRAINING,
        ErrorReason.RESOURCE_EXHAUSTED,
        ErrorReason.STORE_FAILED,
        ErrorReason.INTERNAL,
    }
)
"""The reasons that pass by themselves: the same call, or a new stream, may succeed later."""


def code_of(reason: ErrorReason) -> int:
    """Return the reason's status code: a number of `google.rpc.Code`, which is gRPC's."""
    return _CODE_OF[reason]


def error_details(
    reason: ErrorReason, metadata: Mapping[str, str] | None = None, *, message: str = ""
) -> tuple[tuple[str, bytes], ...]:
    """Return the trailing metadata for a status of `code_of(reason)`.

    `metadata` goes into the ErrorInfo. Where it has `retry_seconds`, a whole number, a RetryInfo
    says the same to libraries that wait by themselves. `message` must be the status's own text:
    libraries that decode the details compare the two.
    """
    given = metadata or {}
    info = error_details_pb2.ErrorInfo(reason=reason.value, domain=DOMAIN, metadata=given)
    details = [_packed(info)]
    if RETRY_SECONDS in given:
        delay = Duration(seconds=int(given[RETRY_SECONDS]))
        details.append(_packed(error_details_pb2.RetryInfo(retry_delay=delay)))
    status = status_pb2.Status(code=code_of(reason), message=message, details=details)
    return ((DETAILS_KEY, status.SerializeToString(deterministic=True)),)


def _packed(message: Message) -> Any:
    detail = Any()
    detail.Pack(message)
    return detail


class HasTrailingMetadata(Protocol):
    """What is asked of an error: every RpcError of grpc and of grpc.aio has it."""

    def trailing_metadata(self) -> Iterable[tuple[str, str | bytes]] | None:
        """Return the call's trailing metadata."""


def reason_of(
    source: HasTrailingMetadata | Iterable[tuple[str, str | bytes]],
) -> tuple[ErrorReason, dict[str, str]] | None:
    """Return the reason and its metadata from an RpcError, or from trailing metadata.

    None where there is none that this version knows: errors that gRPC itself made carry no details,
    and a newer server may have newer reasons. The status code still tells the kind of failure.
    """
    pairs = source if isinstance(source, Iterable) else source.trailing_metadata()
    for key, value in pairs or ():
        if key == DETAILS_KEY and isinstance(value, bytes):
            return _reason_in(value)
    return None


def _reason_in(details: bytes) -> tuple[ErrorReason, dict[str, str]] | None:
    info = error_details_pb2.ErrorInfo()
    try:
        status = status_pb2.Status.FromString(details)
        for detail in status.details:
            if detail.Unpack(info) and info.domain == DOMAIN:
                return ErrorReason(info.reason), dict(info.metadata)
    except (DecodeError, ValueError):
        return None
    return None
