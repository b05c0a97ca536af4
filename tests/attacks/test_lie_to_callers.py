"""A server of somebody else's, that writes to the terminals of those who call it.

Whoever calls a server has to trust what it says of its tournaments, and nothing beyond that.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from typer.testing import CliRunner

from kitumaija.sdk.client.endings import ended_with
from kitumaija.sdk.online import end_with
from kitumaija.server.__main__ import commands
from kitumaija.v1 import bot_pb2, replay_pb2, tournament_pb2
from tests.support.foreign import is_plain

TRICK = "\x1b[2J\x1b]0;title\x07\u202e\rover"
"""Clears the screen, names the window, turns text round and writes over the line."""

OWN = ("next_page_token",)
METHODS = {
    f"/{service.full_name}/{method.name}": method
    for file, name in (
        (bot_pb2.DESCRIPTOR, "BotService"),
        (tournament_pb2.DESCRIPTOR, "TournamentService"),
        (replay_pb2.DESCRIPTOR, "ReplayService"),
    )
    for service in [file.services_by_name[name]]
    for method in service.methods
}


def fill(message: Message, depth: int = 5) -> Message:
    """Write the trick into every text of a message, and something into all else."""
    for field in message.DESCRIPTOR.fields:
        if field.name in OWN:
            continue  # there would be no end to the pages
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            kind = field.message_type
            if depth and kind is not None and not kind.GetOptions().map_entry:
                part = getattr(message, field.name)
                fill(part.add() if field.is_repeated else part, depth - 1)
            continue
        value: Any = 1
        if field.type == FieldDescriptor.TYPE_STRING:
            value = TRICK
        elif field.type == FieldDescriptor.TYPE_BYTES:
            value = TRICK.encode()
        if field.is_repeated:
            getattr(message, field.name).append(value)
        else:
            setattr(message, field.name, value)
    return message


class Liar(grpc.GenericRpcHandler):
    """Answers every call with tricks; refuses with one whoever asks with `refuse` as his token."""

    def service(self, handler_call_details: Any) -> Any:
        """Return the handler of a method."""
        method = METHODS[handler_call_details.method]
        answer = fill(GetMessageClass(method.output_type)()).SerializeToString()
        refuse = ("authorization", "Bearer refuse") in handler_call_details.invocation_metadata

        def one(_: bytes, context: grpc.ServicerContext) -> bytes:
            if refuse:
                context.abort(grpc.StatusCode.FAILED_PRECONDITION, TRICK)
            return answer

        def many(request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
            yield one(request, context)

        if method.server_streaming:
            return grpc.unary_stream_rpc_method_handler(many)
        return grpc.unary_unary_rpc_method_handler(one)


@pytest.fixture(scope="module")
def liar() -> Iterator[str]:
    """The address of a server that answers with tricks."""
    server = grpc.server(ThreadPoolExecutor(4), handlers=[Liar()])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(None)


@pytest.mark.parametrize("token", ["listen", "refuse"])
@pytest.mark.parametrize(
    "words",
    [
        ("bot", "list"),
        ("bot", "register", "ann"),
        ("bot", "rotate", "ann"),
        ("bot", "disable", "ann"),
        ("tournament", "list"),
        *(
            ("tournament", what, "cup")
            for what in ("show", "standings", "matches", "audit", "clocks", "watch", "close")
        ),
        ("tournament", "start", "cup"),
        ("tournament", "enter", "cup", "ann"),
        ("replay", "explain", "match", "0"),
        ("ratings", "show", "cup"),
    ],
    ids=" ".join,
)
def test_nothing_that_a_server_says_moves_the_cursor_of_who_asked(
    liar: str, words: tuple[str, ...], token: str
) -> None:
    done = CliRunner().invoke(commands(), [*words, "--address", liar, "--token", token])

    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.output
    assert is_plain(done.output)


def test_nor_does_what_it_ends_a_bot_s_stream_with(capsys: pytest.CaptureFixture[str]) -> None:
    nothing = grpc.aio.Metadata()
    for code in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.UNAVAILABLE):
        ended = ended_with(grpc.aio.AioRpcError(code, nothing, nothing, details=TRICK))
        with pytest.raises(SystemExit):
            end_with(ended.error)

    said = capsys.readouterr().err
    assert "over" in said
    assert is_plain(said)
