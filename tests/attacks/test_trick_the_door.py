"""A caller who would be taken for another, or learn something, by what stands beside a request:
metadata, ids of requests and matches, health, reflection.
"""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import (  # type: ignore[import-untyped]
    reflection_pb2,
    reflection_pb2_grpc,
)
from structlog.testing import capture_logs

from kitumaija.server.bench.http2 import (
    END_HEADERS,
    STREAM,
    FrameType,
    data_frame,
    frame,
    preface,
    request_headers,
)
from kitumaija.server.limits import ServerLimits
from kitumaija.server.rpc.server import SERVICES
from kitumaija.v1 import bot_pb2 as bots_v1
from kitumaija.v1 import replay_pb2 as replays_v1
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.status import ErrorReason, reason_of
from tests.support.organizer import Organizer, Refused, organized
from tests.support.raw_bot import PATIENCE

LIST_BOTS = "/kitumaija.v1.BotService/ListBots"


async def called(organizer: Organizer, method: Any, request: Any, *metadata: Any) -> str:
    """Call with metadata as it is given; return the reason of the refusal, or `let in`."""
    try:
        async with asyncio.timeout(PATIENCE):
            await method(request, metadata=metadata)
    except grpc.aio.AioRpcError as error:
        found = reason_of(error)
        return found[0].value if found else error.code().name
    return "let in"


async def test_no_metadata_makes_a_bot_the_organizer_or_another_bot(organizer: Organizer) -> None:
    await organizer.register("eve", "bob")
    await organizer.create()
    eve, boss = organizer.tokens["eve"], organizer.token or ""
    own = ("authorization", f"Bearer {eve}")
    guesses: list[tuple[tuple[str, str | bytes], ...]] = [
        (own, ("authorization", "Bearer organizer")),
        (("authorization", f"Bearer {boss[:-1]}"), own),
        (("authorization", f"Bearer {eve} {boss[:-1]}"),),
        (("authorization", f"Bearer {eve},Bearer organizer"),),
        (("authorization", f"Basic {base64.b64encode(b'organizer:').decode()}"),),
        (("authorization", boss[:-1]), own),
        (("authorization-bin", b"Bearer organizer"), own),
        (("authorization-bin", f"Bearer {eve}".encode()),),
        (own, ("role", "organizer"), ("x-role", "organizer"), ("bot-id", "bob")),
        (own, ("x-forwarded-for", "127.0.0.1"), ("forwarded", "for=127.0.0.1;by=organizer")),
        (own, ("grpc-internal-encoding-request", "x"), ("te", "organizer")),
        (("authorization", "Bearer "), own),
        (("authorization", "Bearer " + " " * 200), own),
        (("x-authorization", f"Bearer {boss[:-1]}"),),
    ]
    close = v1.CloseTournamentRequest(tournament_id="cup")
    rotate = bots_v1.RotateTokenRequest(bot_id="bob")
    refusals = {
        ErrorReason.PERMISSION_DENIED.value,
        ErrorReason.UNAUTHENTICATED_TOKEN.value,
        ErrorReason.UNAUTHENTICATED_NO_TOKEN.value,
    }
    for metadata in guesses:
        for method, request in (
            (organizer.tournaments.CloseTournament, close),
            (organizer.registry.RotateToken, rotate),
        ):
            assert await called(organizer, method, request, *metadata) in refusals, metadata
    assert (await organizer.get()).state == v1.TOURNAMENT_STATE_OPEN


async def test_a_binary_or_misspelt_header_is_no_token_at_all(organizer: Organizer) -> None:
    """Nothing but `authorization` is looked at: an own token elsewhere opens nothing."""
    await organizer.register("eve")
    eve = organizer.tokens["eve"]
    request = bots_v1.RotateTokenRequest(bot_id="eve")
    for key, value in (
        ("authorization-bin", eve.encode()),
        ("proxy-authorization", f"Bearer {eve}"),
        ("token", eve),
        ("cookie", f"authorization=Bearer {eve}"),
    ):
        told = await called(organizer, organizer.registry.RotateToken, request, (key, value))
        assert told == ErrorReason.UNAUTHENTICATED_NO_TOKEN.value


async def test_no_address_that_a_caller_claims_gets_him_more_calls(tmp_path: Path) -> None:
    limits = ServerLimits(calls_per_second=1, calls_burst=5)
    async with organized(tmp_path / "data", limits=limits) as organizer:
        told = [
            await called(
                organizer,
                organizer.registry.ListBots,
                bots_v1.ListBotsRequest(),
                ("x-forwarded-for", f"10.0.0.{number}"),
                ("x-real-ip", f"10.0.0.{number}"),
                ("authorization", f"Bearer guess-{number}"),
            )
            for number in range(8)
        ]

    assert told[:5] == [ErrorReason.UNAUTHENTICATED_TOKEN.value] * 5
    assert set(told[5:]) == {ErrorReason.RESOURCE_EXHAUSTED.value}


async def test_metadata_without_measure_ends_its_own_call_and_no_other(
    organizer: Organizer,
) -> None:
    await organizer.register("ann")
    ann = await organizer.connect("ann")
    request = bots_v1.ListBotsRequest()
    huge: list[list[tuple[str, str | bytes]]] = [
        [("x", "y" * 100_000)],
        [(f"x-{number}", "y" * 100) for number in range(1_000)],
        [("authorization", "Bearer " + "y" * 60_000)],
        [("x-bin", b"\0" * 100_000)],
    ]
    for metadata in huge:
        told = await called(organizer, organizer.registry.ListBots, request, *metadata)
        assert told == "RESOURCE_EXHAUSTED"
    assert await called(organizer, organizer.registry.ListBots, request) == "let in"
    assert organizer.app.presence.connected("ann")
    assert not ann.stuck.is_set()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (b"authorization", b"Bearer \xff\xfe\x80"),
        (b"authorization", b"Bearer a\r\nx-role: organizer"),
        (b"authorization", b"Bearer \0\x1b[2J"),
        (b"Authorization", b"Bearer guess"),
        (b"x-\xff", b"1"),
        (b"x-bin", b"!no base64!"),
        (b":path", b"/kitumaija.v1.TournamentService/CloseTournament"),
        (b"content-length", b"-1"),
    ],
)
async def test_a_header_of_any_bytes_ends_its_own_call_and_writes_no_log(
    organizer: Organizer, name: bytes, value: bytes
) -> None:
    extra = b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value
    block = request_headers(LIST_BOTS)[9:] + extra
    with capture_logs() as logged:
        reader, writer = await asyncio.open_connection("127.0.0.1", organizer.app.port)
        writer.write(preface(65_535))
        writer.write(frame(FrameType.HEADERS, END_HEADERS, STREAM, block))
        writer.write(data_frame(bots_v1.ListBotsRequest()))
        writer.write(frame(FrameType.DATA, 1, STREAM, b""))
        async with asyncio.timeout(PATIENCE):
            heard = await reader.read(65_536)
        await organizer.call(organizer.registry.ListBots, bots_v1.ListBotsRequest())
        writer.close()
    assert heard
    assert b"Traceback" not in heard
    assert logged == []


async def test_a_request_id_of_another_s_is_neither_answered_nor_taken_from_him(
    organizer: Organizer,
) -> None:
    """Whoever guesses it gets neither the answer that was kept, nor the work left undone."""
    await organizer.register("eve", "bob")
    await organizer.create(entries_per_owner=2)
    enter = v1.EnterTournamentRequest(tournament_id="cup", bot_id="bob", request_id="guessed")
    eve, bob = organizer.tokens["eve"], organizer.tokens["bob"]
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.tournaments.EnterTournament, enter, token=eve)
    assert refused.value.reason is ErrorReason.PERMISSION_DENIED
    hers = v1.EnterTournamentRequest(tournament_id="cup", bot_id="eve", request_id="guessed")
    await organizer.call(organizer.tournaments.EnterTournament, hers, token=eve)
    await organizer.call(organizer.tournaments.EnterTournament, enter, token=bob)

    assert [entrant.bot_id for entrant in (await organizer.get()).entrants] == ["eve", "bob"]


async def test_no_id_near_that_of_a_match_is_one(organizer: Organizer) -> None:
    """Ids are drawn by chance: from one that is known none follows."""
    await organizer.begin("ann", "bob", rounds=2)
    await organizer.finished()
    listed = await organizer.matches()
    known = {match.match_id for match in listed}
    one = listed[0]
    near = {
        one.match_id[:-1] + ("a" if one.match_id[-1] != "a" else "b"),
        one.match_id[:-1],
        one.match_id + "a",
        one.match_id.upper(),
        one.match_id + " ",
        f"cup/{one.table_size}/{one.number}",
        str(one.number),
        "%",
        "_" * len(one.match_id),
        "*",
        "",
    }
    assert len({match_id[:8] for match_id in known}) == len(known), "no two begin alike"
    for match_id in near - known:
        for method, request in (
            (organizer.replays.GetRecord, replays_v1.GetRecordRequest(match_id=match_id)),
            (organizer.replays.GetSeatReplay, replays_v1.GetSeatReplayRequest(match_id=match_id)),
            (organizer.replays.ExplainSeat, replays_v1.ExplainSeatRequest(match_id=match_id)),
        ):
            with pytest.raises(Refused) as refused:
                await organizer.call(method, request, token=None)
            assert refused.value.reason is ErrorReason.NOT_FOUND_MATCH


async def test_health_and_reflection_say_the_same_whatever_there_is(organizer: Organizer) -> None:
    """Neither is an oracle: of bots, matches and tournaments they know nothing."""
    before = await _oracles(organizer)
    await organizer.begin("ann", "bob")
    await organizer.finished()
    names = ["ann", "cup", organizer.tokens["ann"], (await organizer.matches())[0].match_id]
    after = await _oracles(organizer)

    assert after == before
    assert set(before[0]) == {*SERVICES, "grpc.health.v1.Health", REFLECTION}
    told = {await _health(organizer, name) for name in (*names, "nobody", "ANN", "../cup")}
    assert told == {"NOT_FOUND"}


REFLECTION = "grpc.reflection.v1alpha.ServerReflection"


async def _oracles(organizer: Organizer) -> tuple[list[str], bytes, list[str]]:
    """Return all that reflection and health say of the server."""
    asked = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_by_filename="kitumaija/v1/arena.proto"),
        reflection_pb2.ServerReflectionRequest(file_by_filename="../../etc/passwd"),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol="kitumaija.server"),
    ]
    async with grpc.aio.insecure_channel(organizer.app.address) as channel:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub  # typed for blocking channels alone
        call = stub(channel).ServerReflectionInfo()
        answers = []
        for request in asked:
            await call.write(request)
            answers.append(await call.read())
        await call.done_writing()
    assert [each.WhichOneof("message_response") for each in answers[2:]] == ["error_response"] * 2
    services = [service.name for service in answers[0].list_services_response.service]
    health = [await _health(organizer, name) for name in ("", *SERVICES)]
    return sorted(services), answers[1].SerializeToString(), health


async def _health(organizer: Organizer, service: str) -> str:
    async with grpc.aio.insecure_channel(organizer.app.address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        try:
            answer = await stub.Check(health_pb2.HealthCheckRequest(service=service))
        except grpc.aio.AioRpcError as error:
            return error.code().name
        return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))
