"""Calling the server from a command: the token attached, errors as a line and an exit code."""

import os
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import grpc
import typer

from kitumaija.console.text import plain_lines
from kitumaija.server.cli.parameters import (
    CLIENT_CERT,
    CLIENT_KEY,
    TLS_CA,
    organizer_token,
)
from kitumaija.v1 import bot_pb2_grpc, replay_pb2_grpc, tournament_pb2_grpc
from kitumaija.wire.exits import ExitCode
from kitumaija.wire.status import ErrorReason, reason_of

# Long enough for a server that is busy, short enough for a person who waits.
CALL_SECONDS = 30.0

_EXIT_CODES = {
    grpc.StatusCode.UNAVAILABLE: ExitCode.UNREACHABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED: ExitCode.UNREACHABLE,
    grpc.StatusCode.UNAUTHENTICATED: ExitCode.REFUSED,
    grpc.StatusCode.PERMISSION_DENIED: ExitCode.REFUSED,
    grpc.StatusCode.FAILED_PRECONDITION: ExitCode.REFUSED,
    grpc.StatusCode.ALREADY_EXISTS: ExitCode.REFUSED,
    grpc.StatusCode.RESOURCE_EXHAUSTED: ExitCode.REFUSED,
    grpc.StatusCode.INVALID_ARGUMENT: ExitCode.USAGE,
    grpc.StatusCode.NOT_FOUND: ExitCode.USAGE,
}


@dataclass(frozen=True, slots=True)
class Server:
    """The services of one server, called with one token."""

    address: str
    channel: grpc.Channel
    tournaments: "tournament_pb2_grpc.TournamentServiceStub"
    bots: "bot_pb2_grpc.BotServiceStub"
    replays: "replay_pb2_grpc.ReplayServiceStub"
    metadata: tuple[tuple[str, str], ...]

    def call(self, method: Callable[..., Any], request: Any) -> Any:
        """The answer to one unary call.

        A request that has a `request_id` gets one, and is sent again if the answer is lost.
        """
        repeatable = "request_id" in request.DESCRIPTOR.fields_by_name
        if repeatable and not request.request_id:
            request.request_id = uuid.uuid4().hex
        try:
            return method(request, timeout=CALL_SECONDS, metadata=self.metadata)
        except grpc.RpcError as error:
            if not (repeatable and _is_worth_another_try(error)):
                raise
        self._say_that_it_tries_again()
        return method(request, timeout=CALL_SECONDS, metadata=self.metadata, wait_for_ready=True)

    def stream(self, method: Callable[..., Any], request: Any) -> Iterator[Any]:
        """The answers of a call that streams them."""
        yield from method(request, metadata=self.metadata)

    def watch(self, method: Callable[..., Any], request: Any) -> Iterator[Any]:
        """The answers of a call that streams how something stands, over restarts of the server."""
        while True:
            try:
                yield from self.stream(method, request)
            except grpc.RpcError as error:
                if not _is_worth_another_try(error):
                    raise
                lost = error
            else:
                return
            self._say_that_it_tries_again()
            try:
                grpc.channel_ready_future(self.channel).result(CALL_SECONDS)
            except grpc.FutureTimeoutError:
                raise lost from None

    def _say_that_it_tries_again(self) -> None:
        say(f"no answer from {self.address}; asking again for {CALL_SECONDS:g} seconds")


@contextmanager
def connected(address: str, token: str | None, data: Path) -> Iterator[Server]:
    """The server at `address`. A call that fails inside ends the command, in one line."""
    text = organizer_token(token, data)
    metadata = (("authorization", f"Bearer {text}"),) if text else ()
    with _channel(address) as channel:
        server = Server(
            address=address,
            channel=channel,
            tournaments=tournament_pb2_grpc.TournamentServiceStub(channel),
            bots=bot_pb2_grpc.BotServiceStub(channel),
            replays=replay_pb2_grpc.ReplayServiceStub(channel),
            metadata=metadata,
        )
        try:
            yield server
        except grpc.RpcError as error:
            fail(error, address, None if text else data)


def _channel(address: str) -> grpc.Channel:
    """A channel to `address`, with TLS where that begins with https://."""
    scheme, _, target = address.rpartition("://")
    if scheme not in {"", "http", "https"}:
        raise typer.BadParameter(
            f"got the address {address}, wanted HOST:PORT or https://HOST:PORT"
        )
    target = target.rstrip("/")
    if scheme != "https":
        return grpc.insecure_channel(target)
    roots, key, chain = map(_pem, (TLS_CA, CLIENT_KEY, CLIENT_CERT))
    if (key is None) != (chain is None):
        raise typer.BadParameter(f"{CLIENT_CERT} and {CLIENT_KEY} go together: set both or neither")
    return grpc.secure_channel(target, grpc.ssl_channel_credentials(roots, key, chain))


def _pem(variable: str) -> bytes | None:
    """The content of the file that an environment variable names, if it names one."""
    file = os.environ.get(variable)
    try:
        return Path(file).read_bytes() if file else None
    except OSError as error:
        raise typer.BadParameter(f"{variable}: {file} cannot be read ({error.strerror})") from error


def fail(error: grpc.RpcError, address: str, without_token: Path | None = None) -> NoReturn:
    """End the command for a call that failed, in words that say what to do.

    `without_token` is the directory where an organizer's token was looked for and not found.
    """
    code: grpc.StatusCode = error.code()
    details: str = error.details() or ""
    exit_code = _EXIT_CODES.get(code, ExitCode.FAILED)
    known = _reason(error)
    if known is None and code is grpc.StatusCode.UNAVAILABLE:
        details = (
            f"no server answers at {address}; start one with `kitumaija serve`,"
            " or name it with --address, as https://HOST:PORT if it speaks TLS"
        )
    elif known is None and code is grpc.StatusCode.DEADLINE_EXCEEDED:
        details = (
            f"no answer came from {address} within {CALL_SECONDS:g} seconds; what was asked for may"
            " be done or not: look with `kitumaija tournament show` or `kitumaija bot list`"
        )
    elif code is grpc.StatusCode.PERMISSION_DENIED and without_token is not None:
        details += (
            f" (called without one: there is none in {without_token}; run this where the server"
            " keeps its data, or give --data or --token)"
        )
    elif code is grpc.StatusCode.UNAUTHENTICATED:
        details += (
            " (the organizer's token is in the server's data directory: give --data or --token)"
        )
    say(details or code.name)
    raise typer.Exit(exit_code)


def _is_worth_another_try(error: grpc.RpcError) -> bool:
    """Whether the server may be there soon: nobody answers, or it says that it stops."""
    known = _reason(error)
    if known is not None:
        return known[0] is ErrorReason.DRAINING
    return bool(error.code() is grpc.StatusCode.UNAVAILABLE)


def _reason(error: grpc.RpcError) -> tuple[ErrorReason, Mapping[str, str]] | None:
    return reason_of([(entry.key, entry.value) for entry in error.trailing_metadata() or ()])


def say(sentence: str) -> None:
    """Tell the person who waits, on standard error, where no program reads a result."""
    print(plain_lines(f"kitumaija: {sentence}"), file=sys.stderr)  # noqa: T201
