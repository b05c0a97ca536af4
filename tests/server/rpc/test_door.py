"""How much one caller may ask of a real server: below the limit, at it, above it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from google.rpc import error_details_pb2, status_pb2

from kitumaija.server.limits import ServerLimits
from kitumaija.v1 import bot_pb2, bot_pb2_grpc, tournament_pb2
from kitumaija.wire.status import DETAILS_KEY, ErrorReason
from tests.support.organizer import Organizer, Refused, organized
from tests.support.raw_bot import PATIENCE

LIST = bot_pb2.ListBotsRequest()


@pytest.fixture
async def tight(tmp_path: Path) -> AsyncIterator[Organizer]:
    """A server that takes two calls a second of a caller, and four at once."""
    limits = ServerLimits(calls_per_second=2, calls_burst=4, calls_per_large_read=3)
    async with organized(
        tmp_path / "data", limits=limits, host="::", insecure_bind=True
    ) as running:
        yield running


@asynccontextmanager
async def from_ipv4(organizer: Organizer) -> AsyncIterator[Any]:
    """A stub that calls from 127.0.0.1, where the organizer calls from ::1."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{organizer.app.port}") as channel:
        yield bot_pb2_grpc.BotServiceStub(channel)


async def refusal(organizer: Organizer, token: str | None, request: Any = LIST) -> Refused:
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.registry.ListBots, request, token=token)
    assert refused.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refused.value.reason is ErrorReason.RESOURCE_EXHAUSTED
    return refused.value


async def ask(organizer: Organizer, times: int, token: str | None) -> None:
    for _ in range(times):
        await organizer.call(organizer.registry.ListBots, LIST, token=token)


async def test_a_caller_may_call_as_often_as_the_limit_says_and_no_more_often(
    tight: Organizer,
) -> None:
    await ask(tight, 4, None)

    refused = await refusal(tight, None)
    assert refused.metadata == {"resource": "calls", "limit": "2", "retry_seconds": "1"}
    tight.advance(timedelta(milliseconds=500))
    await ask(tight, 1, None)
    await refusal(tight, None)


async def test_only_who_calls_too_often_is_refused(tight: Organizer) -> None:
    await tight.register("ann", "bob")
    await ask(tight, 4, tight.tokens["ann"])
    await refusal(tight, tight.tokens["ann"])

    await ask(tight, 4, tight.tokens["bob"])
    await ask(tight, 4, None)
    await refusal(tight, None)
    async with from_ipv4(tight) as other:
        await other.ListBots(LIST)
    await ask(tight, 20, tight.token)


async def test_a_stranger_is_his_address_whatever_tokens_he_makes_up(tight: Organizer) -> None:
    for number in range(4):
        with pytest.raises(Refused) as refused:
            await ask(tight, 1, f"made up {number}")
        assert refused.value.reason is ErrorReason.UNAUTHENTICATED_TOKEN

    await refusal(tight, "made up too")
    await refusal(tight, None)


async def test_a_call_that_reads_a_whole_tournament_counts_as_several(tight: Organizer) -> None:
    request = tournament_pb2.GetStandingsRequest(tournament_id="none")
    with pytest.raises(Refused) as refused:
        await tight.call(tight.tournaments.GetStandings, request, token=None)
    assert refused.value.reason is ErrorReason.NOT_FOUND_TOURNAMENT

    with pytest.raises(Refused) as refused:
        await tight.call(tight.tournaments.GetStandings, request, token=None)
    assert refused.value.metadata["retry_seconds"] == "1"
    await ask(tight, 1, None)


async def test_what_is_refused_for_now_says_when_to_come_again(tight: Organizer) -> None:
    await ask(tight, 4, None)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await tight.registry.ListBots(LIST)

    trailing: dict[str, Any] = dict(refused.value.trailing_metadata())
    details = status_pb2.Status.FromString(trailing[DETAILS_KEY])
    retry = error_details_pb2.RetryInfo()
    assert details.details[1].Unpack(retry)
    assert retry.retry_delay.ToSeconds() == 1


async def test_a_caller_has_only_so_many_calls_open_and_others_are_let_in(tmp_path: Path) -> None:
    limits = ServerLimits(open_calls=2)
    async with organized(tmp_path / "data", limits=limits) as organizer, AsyncExitStack() as calls:
        await organizer.create()
        watched = [await watch(organizer, calls) for _ in range(2)]
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await watch(organizer, calls)
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert "2 calls are open" in (refused.value.details() or "")

        await organizer.register("ann")
        await ask(organizer, 1, organizer.tokens["ann"])
        watched[0].cancel()
        await eventually_watches(organizer, calls)


async def watch(organizer: Organizer, calls: AsyncExitStack) -> Any:
    """Watch the tournament as anybody, from a message on."""
    request = tournament_pb2.WatchTournamentRequest(tournament_id="cup")
    call = organizer.tournaments.WatchTournament(request)
    calls.callback(call.cancel)
    await call.read()
    return call


async def eventually_watches(organizer: Organizer, calls: AsyncExitStack) -> None:
    """A place is free once the server has heard that who had it hung up."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await watch(organizer, calls)
            except grpc.aio.AioRpcError:
                continue
            return


async def test_an_address_calls_on_only_so_many_connections_at_once(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"host": "::", "insecure_bind": True, "connections_per_address": 2}
    async with organized(tmp_path / "data", **settings) as organizer:
        await organizer.register("ann", "bob", "cem", "dan")
        await organizer.connect("ann")
        await organizer.connect("bob")

        refused = await refusal(organizer, organizer.token)
        assert refused.metadata == {
            "resource": "connections",
            "limit": "2",
            "retry_seconds": "10",
        }
        async with from_ipv4(organizer) as other:
            await other.ListBots(LIST)
