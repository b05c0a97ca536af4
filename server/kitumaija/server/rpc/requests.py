"""Calls that may be sent twice: request ids, and the answers kept under them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from google.protobuf.message import Message

from kitumaija.server.rpc.auth import Caller
from kitumaija.server.rpc.fields import checked_length
from kitumaija.server.store import requests
from kitumaija.server.store.transactions import WriteTx
from kitumaija.wire.limits import REQUEST_ID_CHARS_MAX


class ChangeRequest(Protocol):
    """A request of a call that changes something."""

    request_id: str

    def SerializeToString(self, *, deterministic: bool = ...) -> bytes:
        """Return the request's bytes."""
        ...


AnswerT = TypeVar("AnswerT", bound=Message)


class Request(Generic[AnswerT]):
    """One call's request: what it asks for is done once, and answered alike whenever it comes.

    `answer` builds the answer inside the transaction that does the work, in the store's thread; it
    is kept with it. `kept` may build another one to keep, where the answer holds what is told only
    once. Raises `InvalidArgument` for a request id that is too long.
    """

    def __init__(
        self,
        request: ChangeRequest,
        caller: Caller,
        method: str,
        *,
        kind: type[AnswerT],
        answer: Callable[[WriteTx], AnswerT],
        kept: Callable[[AnswerT], AnswerT] = lambda answer: answer,
    ) -> None:
        self._id = checked_length("request_id", request.request_id, REQUEST_ID_CHARS_MAX)
        self._caller = caller.name
        self._method = method
        self._body = _body(request)
        self._kind = kind
        self._build = answer
        self._kept = kept
        self._answer: AnswerT | None = None

    def __call__(self, tx: WriteTx, work: Callable[[], None]) -> bool:
        """Do `work` unless the request was done before; return whether it was done now."""
        if self.known(tx):
            return False
        work()
        answer = self._answer = self._build(tx)
        if self._id:
            kept = self._kept(answer).SerializeToString(deterministic=True)
            requests.done(tx, self._id, self._caller, kept)
        return True

    def known(self, tx: WriteTx) -> bool:
        """Return whether the request was done before; its answer is then at hand."""
        if not self._id:
            return False
        kept = requests.once(tx, self._id, self._caller, self._method, self._body)
        if kept is None:
            return False
        self._answer = self._kind()
        self._answer.ParseFromString(kept)
        return True

    @property
    def answer(self) -> AnswerT:
        """The answer, once the request is done."""
        if self._answer is None:
            raise RuntimeError("the request has not been done yet")
        return self._answer


def _body(request: ChangeRequest) -> bytes:
    """Return what is asked for, the request id left out."""
    bare = type(request)()
    bare.ParseFromString(request.SerializeToString(deterministic=True))  # type: ignore[attr-defined]
    bare.request_id = ""
    return bare.SerializeToString(deterministic=True)
