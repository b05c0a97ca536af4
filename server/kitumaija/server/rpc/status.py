"""The one seam between the server's errors and gRPC statuses.

A refusal of ours becomes the status of its reason, with an ErrorInfo in the trailing metadata.
Anything else that is raised is a fault of the server: the caller gets an opaque id, and the text,
which may hold hidden cards, goes to the log alone.
"""

from __future__ import annotations

import asyncio
from typing import Any, NoReturn

import grpc
import grpc.aio

from kitumaija.server.errors import AlreadyExists, InvalidArgument, KitumaijaError, Unavailable
from kitumaija.server.store.errors import (
    BadPageToken,
    RequestIdReused,
    StoreClosed,
    StoreFailed,
)
from kitumaija.wire.status import ErrorReason, code_of, error_details

MESSAGE_BYTES_MAX = 1_000
METADATA_BYTES_MAX = 2_000
"""How much a status says, as UTF-8. On the wire a byte of the message may take three, and another
one and a third in the details; together it stays below 8 KiB."""

_CODES = {code.value[0]: code for code in grpc.StatusCode}


def status_code(reason: ErrorReason) -> grpc.StatusCode:
    """Return gRPC's status code of a reason."""
    return _CODES[code_of(reason)]


def refusal(error: BaseException) -> KitumaijaError | None:
    """Return what the caller is told of an error, or None if it is a fault of the server."""
    if isinstance(error, KitumaijaError):
        return error
    if isinstance(error, BadPageToken):
        return InvalidArgument(ErrorReason.INVALID_ARGUMENT_PAGE_TOKEN, str(error))
    if isinstance(error, RequestIdReused):
        return AlreadyExists(ErrorReason.REQUEST_ID_CONFLICT, str(error))
    if isinstance(error, StoreFailed | StoreClosed):
        return Unavailable(
            ErrorReason.STORE_FAILED,
            "the server cannot write what it decides, so it decides nothing; its organizer has to "
            "look at its log",
        )
    return None


def fault(error_id: str) -> KitumaijaError:
    """Return what a caller is told of a fault of the server."""
    return KitumaijaError(
        ErrorReason.INTERNAL,
        f"the server made a mistake; its log says more under {error_id}",
        {"error_id": error_id},
    )


async def open_answer(context: grpc.aio.ServicerContext[Any, Any]) -> None:
    """Send the headers of an answer that is a stream, before its first message.

    gRPC would send both together, and then no status could follow while the message is not read.
    """
    try:
        await context.send_initial_metadata(())
    except (grpc.aio.UsageError, grpc.aio.InternalError):
        # The caller hung up meanwhile.
        raise asyncio.CancelledError from None


async def end_with(context: grpc.aio.ServicerContext[Any, Any], error: KitumaijaError) -> NoReturn:
    """End a call with the error's status. Never call it where `Exception` is caught around it.

    What is too long for a status is cut: a client throws one away whose trailing metadata have
    more than 8 KiB, and would be told nothing.
    """
    message = _cut(error.message, MESSAGE_BYTES_MAX)
    share = METADATA_BYTES_MAX // max(1, len(error.metadata))
    metadata = {key: _cut(value, share) for key, value in error.metadata.items()}
    await context.abort(
        status_code(error.reason), message, error_details(error.reason, metadata, message=message)
    )


def _cut(text: str, most: int) -> str:
    data = text.encode()
    return text if len(data) <= most else data[: most - 3].decode(errors="ignore") + "…"
