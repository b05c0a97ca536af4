"""The gRPC server: health, reflection, its port, TLS."""

from __future__ import annotations

import asyncio
from datetime import timedelta
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

from kitumaija.server.app import App
from kitumaija.server.rpc.server import SERVICES, BindError
from kitumaija.server.settings import ServerSettings
from kitumaija.server.store import Store, StoreInUse
from tests.support.arena import Arena, ScriptedPlan, running_arena
from tests.support.raw_bot import PATIENCE


async def health(address: str, service: str) -> int:
    channel: Any
    async with grpc.aio.insecure_channel(address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        request = health_pb2.HealthCheckRequest(service=service)
        return int((await stub.Check(request)).status)


@pytest.mark.parametrize("service", ["", *SERVICES])
async def test_a_server_that_takes_calls_says_that_it_serves(arena: Arena, service: str) -> None:
    assert await health(arena.app.address, service) == health_pb2.HealthCheckResponse.SERVING


async def test_a_server_that_drains_says_that_it_serves_no_more(arena: Arena) -> None:
    bot = await arena.connect("alice")
    stopping = asyncio.create_task(arena.app.stop(drain=timedelta(seconds=PATIENCE)))
    await bot.until("drain")

    status = await health(arena.app.address, "kitumaija.v1.ArenaService")
    await bot.close()
    await stopping

    assert status == health_pb2.HealthCheckResponse.NOT_SERVING


async def test_the_services_can_be_looked_up(arena: Arena) -> None:
    channel: Any
    async with grpc.aio.insecure_channel(arena.app.address) as channel:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
        call = stub.ServerReflectionInfo()
        await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
        listed = (await call.read()).list_services_response.service
        await call.done_writing()

    assert {*SERVICES, "grpc.health.v1.Health"} <= {service.name for service in listed}


async def test_a_second_server_does_not_share_a_port(arena: Arena, tmp_path: Path) -> None:
    settings = ServerSettings.load(data=tmp_path / "other", port=arena.app.port)
    second = App(settings, plan=ScriptedPlan)

    with pytest.raises(BindError, match=str(arena.app.port)):
        await second.start()

    with Store.open(tmp_path / "other"):
        """Nothing of the server that did not start is left open."""


async def test_a_second_server_does_not_share_a_store(arena: Arena) -> None:
    settings = ServerSettings.load(data=arena.app.settings.data, port=0)

    with pytest.raises(StoreInUse):
        await App(settings, plan=ScriptedPlan).start()


async def test_a_host_that_is_not_this_machines_is_refused(tmp_path: Path) -> None:
    settings = ServerSettings.load(data=tmp_path, host="192.0.2.1", port=0, insecure_bind=True)

    with pytest.raises(BindError, match=r"192\.0\.2\.1"):
        await App(settings, plan=ScriptedPlan).start()


async def test_an_address_of_ipv6_is_put_in_brackets(tmp_path: Path) -> None:
    async with running_arena(tmp_path, host="::1") as arena:
        assert arena.app.address == f"[::1]:{arena.app.port}"
        await arena.connect("alice")
