"""The least that a server could do: ``python -m kitumaija.server.bench.echo``.

It answers each frame with one of the size that matches have (`samples.told`) and knows no match, no
clock and no disk; what a server takes beyond that is its own doing. It prints one line of JSON, its
address and its process id, and serves until it is ended.
"""

from __future__ import annotations

import json
import os
import sys

import grpc.aio

from kitumaija.server.bench.samples import told
from kitumaija.server.loops import run
from kitumaija.v1 import arena_pb2, arena_pb2_grpc


class Echo(arena_pb2_grpc.ArenaServiceServicer):
    """`ArenaService.Play` with the cheapest answer there is."""

    async def Play(  # type: ignore[override]  # noqa: N802 - gRPC's name; async here, sync there
        self,
        request_iterator: object,
        context: grpc.aio.ServicerContext[arena_pb2.PlayRequest, arena_pb2.PlayResponse],
    ) -> None:
        """Answer each frame by one with as many decisions."""
        while True:
            came: object = await context.read()
            if not isinstance(came, arena_pb2.PlayRequest):
                return
            await context.write(told(len(came.messages)))


async def main() -> None:
    """Serve on a free port of this machine."""
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    arena_pb2_grpc.add_ArenaServiceServicer_to_server(Echo(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(json.dumps({"address": f"127.0.0.1:{port}", "pid": os.getpid()}) + "\n")
    sys.stdout.flush()
    await server.wait_for_termination()


if __name__ == "__main__":
    run(main())
