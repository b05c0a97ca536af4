"""Calls that are done once however often they are sent, told apart by caller and request id."""

from __future__ import annotations

import hashlib

from sqlalchemy import ColumnElement, insert, select, update

from kitumaija.server.store.errors import NotStored, RequestIdReused
from kitumaija.server.store.failpoints import failpoint
from kitumaija.server.store.schema import REQUESTS
from kitumaija.server.store.transactions import WriteTx


@failpoint
def once(tx: WriteTx, request_id: str, caller: str, method: str, body: bytes = b"") -> bytes | None:
    """The answer that this request got before; None if it is to be done now.

    `body` is what was asked for, the request id left out. Call `done` in the same transaction as
    the work: then a request that failed or was cut off is done when it comes again. Raises
    RequestIdReused if this caller sent the id with another method or body.
    """
    body_hash = hashlib.sha256(body).digest()
    row = tx.first(select(REQUESTS).where(*_key(request_id, caller)))
    if row is None:
        values = {
            "caller": caller,
            "request_id": request_id,
            "method": method,
            "body_hash": body_hash,
        }
        tx.insert(insert(REQUESTS), values, what=f"the request {request_id!r}")
        return None
    if row["method"] != method or row["body_hash"] != body_hash:
        other = f"a call of {row['method']}" if row["method"] != method else "another request"
        raise RequestIdReused(
            f"got the request id {request_id!r} for {method} again, which was {other} before; "
            f"wanted a new id for every new request"
        )
    answer: bytes | None = row["answer"]
    return answer


@failpoint
def done(tx: WriteTx, request_id: str, caller: str, answer: bytes) -> None:
    """Keep the answer of a request for whenever it comes again."""
    change = update(REQUESTS).where(*_key(request_id, caller)).values(answer=answer)
    if not tx.change(change):
        raise NotStored(f"the request {request_id!r} of {caller!r} was not begun with `once`")


def _key(request_id: str, caller: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return REQUESTS.c.request_id == request_id, REQUESTS.c.caller == caller
