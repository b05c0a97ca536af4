"""Somebody, with a token or without, who has the server work for nothing, or keep what he sends.

While a server stands still nobody can answer, and what it stood still is taken off every clock: so
whoever could bring that about would make himself time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeAlias

import grpc
import grpc.aio
import pytest
from grpc_reflection.v1alpha import reflection_pb2  # type: ignore[import-untyped]
from structlog.testing import capture_logs

from kitumaija.server.bench.http2 import STREAM, FrameType, frame, preface, request_headers
from kitumaija.server.limits import ServerLimits
from kitumaija.server.rpc.hardened import HardenedServer
from kitumaija.server.rpc.server import OPTIONS
from kitumaija.v1 import bot_pb2 as bots_v1
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.limits import LIST_ITEMS_MAX
from kitumaija.wire.status import ErrorReason, reason_of
from kitumaija.wire.truthful import truthful
from tests.support.organizer import Organizer, Refused, organized
from tests.support.raw_bot import PATIENCE

ENTER = "/kitumaija.v1.TournamentService/EnterTournament"
GET_BOT = "/kitumaija.v1.BotService/GetBot"
LIST_BOTS = "/kitumaija.v1.BotService/ListBots"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
EMPTY_ID = v1.EnterTournamentRequest(more_bot_ids=[""]).SerializeToString()


@pytest.fixture
async def channel(organizer: Organizer) -> AsyncIterator[grpc.aio.Channel]:
    """A channel on which bytes of any size can be sent."""
    options = (("grpc.max_send_message_length", -1), ("grpc.use_local_subchannel_pool", 1))
    async with grpc.aio.insecure_channel(organizer.app.address, options=options) as opened:
        yield opened


Refusal: TypeAlias = tuple[grpc.StatusCode, ErrorReason | None, dict[str, str]]
"""The status, the reason and what the reason is about."""


async def refusal(call: Any) -> Refusal:
    """Return how a call is refused."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        async with asyncio.timeout(PATIENCE):
            await call
    found = reason_of(refused.value)
    if found is None:
        return refused.value.code(), None, {}
    return refused.value.code(), found[0], dict(found[1])


def enter(channel: grpc.aio.Channel, data: bytes, token: str | None, **options: Any) -> Any:
    """Call `EnterTournament` with bytes."""
    metadata = () if token is None else (("authorization", f"Bearer {token}"),)
    call: Any = channel.unary_unary(ENTER)
    return call(data, metadata=metadata, **options)


async def asked(channel: grpc.aio.Channel, questions: list[bytes]) -> tuple[int, Refusal]:
    """Return how many questions about the protocol were answered, and how it was refused."""
    ask: Any = channel.stream_stream(REFLECTION)
    call, answers = truthful(ask(iter(questions))), 0

    async def read() -> None:
        nonlocal answers
        async for _ in call:
            answers += 1

    refused = await refusal(read())
    return answers, refused


async def test_what_a_stranger_sends_is_not_even_parsed(channel: grpc.aio.Channel) -> None:
    code, reason, _ = await refusal(enter(channel, b"\xff" * 1000, None))

    assert code is grpc.StatusCode.UNAUTHENTICATED
    assert reason is ErrorReason.UNAUTHENTICATED_NO_TOKEN


@pytest.mark.parametrize("packed", [False, True], ids=["as it is", "packed"])
async def test_a_request_is_measured_before_it_is_read(
    organizer: Organizer, channel: grpc.aio.Channel, *, packed: bool
) -> None:
    """Two million ids without a letter fit into 4 MiB, and into some KiB if they are packed."""
    await organizer.register("eve")
    data = EMPTY_ID * (4 * 1024 * 1024 // len(EMPTY_ID))
    compression = grpc.Compression.Gzip if packed else None
    call = enter(channel, data, organizer.tokens["eve"], compression=compression)

    code, _, _ = await refusal(call)

    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_list_without_end_is_not_walked_through(
    organizer: Organizer, channel: grpc.aio.Channel
) -> None:
    await organizer.register("eve")
    token = organizer.tokens["eve"]
    whole = v1.EnterTournamentRequest(bot_id="eve").SerializeToString()

    longest = await refusal(enter(channel, whole + EMPTY_ID * LIST_ITEMS_MAX, token))
    too_long = await refusal(enter(channel, whole + EMPTY_ID * (LIST_ITEMS_MAX + 1), token))

    assert longest[1] is ErrorReason.PERMISSION_DENIED, "several bots are the organizer's to enter"
    assert too_long[1] is ErrorReason.INVALID_ARGUMENT_FIELD
    assert too_long[2]["field"] == "more_bot_ids"


async def test_a_large_request_counts_as_many_calls(tmp_path: Path) -> None:
    limits = ServerLimits(calls_per_second=1, calls_burst=10, request_bytes_per_call=100)
    async with (
        organized(tmp_path / "data", limits=limits) as organizer,
        grpc.aio.insecure_channel(organizer.app.address) as channel,
    ):
        call: Any = channel.unary_unary(GET_BOT)
        question = bots_v1.GetBotRequest(bot_id="b" * 380).SerializeToString()
        told = [await refusal(call(question)) for _ in range(3)]

    # Of ten calls each takes one and three for its size, so that the third is one too many.
    reasons = [reason for _, reason, _ in told]
    assert reasons[:2] == [ErrorReason.NOT_FOUND_BOT] * 2
    assert reasons[2] is ErrorReason.RESOURCE_EXHAUSTED
    assert told[2][2]["resource"] == "calls"


async def test_a_large_answer_is_owed_for(tmp_path: Path) -> None:
    limits = ServerLimits(calls_per_second=1, calls_burst=20, answer_bytes_per_call=100)
    async with organized(tmp_path / "data", limits=limits) as organizer:
        for number in range(40):
            await organizer.register(f"bot-{number}", display_name="x" * 60)
        listing = bots_v1.ListBotsRequest()
        await organizer.call(organizer.registry.ListBots, listing, token=None)
        with pytest.raises(Refused) as refused:
            await organizer.call(organizer.registry.ListBots, listing, token=None)

    assert refused.value.metadata["resource"] == "calls"
    # Some four thousand bytes are owed.
    assert int(refused.value.metadata["retry_seconds"]) in range(10, 60)


async def test_what_is_kept_for_good_counts_as_many_calls(tmp_path: Path) -> None:
    limits = ServerLimits(calls_per_second=1, calls_burst=30)
    async with organized(tmp_path / "data", limits=limits) as organizer:
        await organizer.register("eve")
        renew = bots_v1.RotateTokenRequest(bot_id="eve")
        token = organizer.tokens["eve"]
        for _ in range(3):
            answer = await organizer.call(organizer.registry.RotateToken, renew, token=token)
            token = answer.token
        with pytest.raises(Refused) as refused:
            await organizer.call(organizer.registry.RotateToken, renew, token=token)

    assert refused.value.metadata["resource"] == "calls"


async def test_a_call_whose_request_does_not_come_is_open_and_not_for_long(tmp_path: Path) -> None:
    """Gigabytes of halves of requests could be kept for ever, by anybody."""
    limits = ServerLimits(open_calls=2, request_within=timedelta(milliseconds=300))
    async with (
        organized(tmp_path / "data", limits=limits) as organizer,
        grpc.aio.insecure_channel(organizer.app.address) as channel,
    ):
        # On the wire a method with one request is one with a stream of them.
        begin: Any = channel.stream_unary(LIST_BOTS)
        silent = [begin() for _ in range(3)]
        told = await asyncio.gather(*map(refusal, silent))
        again = [begin(iter([b""])) for _ in range(2)]
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*again)

    assert sorted(str(reason) for _, reason, _ in told) == [
        ErrorReason.HELLO_LATE,
        ErrorReason.HELLO_LATE,
        ErrorReason.RESOURCE_EXHAUSTED,
    ]


async def test_a_call_without_its_request_is_refused(channel: grpc.aio.Channel) -> None:
    call: Any = channel.stream_unary(LIST_BOTS)

    code, reason, _ = await refusal(call(iter([])))

    assert (code, reason) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        ErrorReason.INVALID_ARGUMENT_FIELD,
    )


async def test_questions_about_the_protocol_are_counted_each(tmp_path: Path) -> None:
    """Anybody may ask them, as many as he likes on one stream; each is answered with a file."""
    limits = ServerLimits(calls_per_second=1, calls_burst=10)
    question = reflection_pb2.ServerReflectionRequest(
        file_containing_symbol="kitumaija.v1.TournamentService"
    )
    async with (
        organized(tmp_path / "data", limits=limits) as organizer,
        grpc.aio.insecure_channel(organizer.app.address) as channel,
    ):
        answers, (_, reason, metadata) = await asked(channel, [question.SerializeToString()] * 50)

    assert (reason, metadata["resource"]) == (ErrorReason.RESOURCE_EXHAUSTED, "calls")
    assert answers == 9, "and the call itself"


async def test_a_question_that_is_none_is_refused_and_is_no_fault_of_the_server(
    channel: grpc.aio.Channel,
) -> None:
    with capture_logs() as lines:
        answers, (_, reason, _) = await asked(channel, [b"\xff\xff"])

    assert (answers, reason) == (0, ErrorReason.INVALID_ARGUMENT_FIELD)
    assert lines == []


class Recorder(grpc.aio.ServerInterceptor):
    """Notes how many headers a call has of which Python is told."""

    def __init__(self) -> None:
        self.seen: asyncio.Queue[int] = asyncio.Queue()

    async def intercept_service(
        self, continuation: Any, handler_call_details: grpc.HandlerCallDetails
    ) -> Any:
        """Note it and let the call go on."""
        self.seen.put_nowait(len(handler_call_details.invocation_metadata))
        return await continuation(handler_call_details)


@pytest.mark.parametrize(("frames", "seen"), [(0, 1), (3, 0)], ids=["few headers", "many"])
async def test_headers_without_end_are_not_gone_through_when_their_connection_breaks_off(
    frames: int, seen: int
) -> None:
    """gRPC hands them on then, however many there are (RFC 9113, section 6.10)."""
    recorder = Recorder()
    server: Any = HardenedServer((recorder,), OPTIONS)
    nothing: Any = grpc.unary_unary_rpc_method_handler(lambda request, _: request)
    server.add_registered_method_handlers("test.Service", {"Call": nothing})
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    begun = request_headers("/test.Service/Call")
    header = b"\x00\x04aaaa\x20" + b"b" * 32
    writer.write(preface(65_535) + begun[:4] + b"\0" + begun[5:])
    writer.write(frame(FrameType.CONTINUATION, 0, STREAM, header))
    for _ in range(frames):
        writer.write(frame(FrameType.CONTINUATION, 0, STREAM, header * 400))
    await writer.drain()
    writer.close()
    async with asyncio.timeout(PATIENCE):
        assert await recorder.seen.get() == seen
    await server.stop(None)
