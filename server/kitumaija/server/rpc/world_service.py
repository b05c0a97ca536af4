"""`WorldService`: worlds for bots that search, from what their requests say and nothing else."""

from __future__ import annotations

from typing import Any

import grpc.aio

from kitumaija.server.rpc.search_child import APPLY, SAMPLE
from kitumaija.server.rpc.search_process import SearchProcess
from kitumaija.v1 import world_pb2 as v1
from kitumaija.v1 import world_pb2_grpc

Call = grpc.aio.ServicerContext[Any, Any]


class WorldService(world_pb2_grpc.WorldServiceServicer):
    """Passes requests on to a process of its own; it is given no match, and no store."""

    def __init__(self, search: SearchProcess) -> None:
        self._search = search

    async def SampleWorlds(
        self, request: v1.SampleWorldsRequest, context: Call
    ) -> v1.SampleWorldsResponse:
        """Draw worlds that agree with what a seat was told."""
        answer = await self._search.ask(SAMPLE, request.SerializeToString())
        return v1.SampleWorldsResponse.FromString(answer)

    async def ApplyActions(
        self, request: v1.ApplyActionsRequest, context: Call
    ) -> v1.ApplyActionsResponse:
        """Play actions in worlds."""
        answer = await self._search.ask(APPLY, request.SerializeToString())
        return v1.ApplyActionsResponse.FromString(answer)


def add_worlds(server: grpc.aio.Server, search: SearchProcess) -> None:
    """Serve it."""
    world_pb2_grpc.add_WorldServiceServicer_to_server(WorldService(search), server)
