"""What bots and spectators who harm a server cost it in memory, while fair bots play a tournament.

Run `python -m tests.e2e.soak_abuse --seconds 20`. One offender after the other does its worst for
so long: a bot that sends 10 MB a second, one that sends a message of 64 MB, bots and spectators who
never read. It ends with status 1 if the server's resident memory grew by more than it may, or if a
fair bot had a fault.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from kitumaija.server.bench.light import PLAY, LightCall
from kitumaija.v1 import arena_pb2, arena_pb2_grpc, tournament_pb2
from tests.support.flock import FAIR, FlockProcess
from tests.support.live import resident_mib
from tests.support.processes import ServerProcess
from tests.support.scripted_tournament import TOURNAMENT, finished

WATCH = "/kitumaija.v1.TournamentService/WatchTournament"
FAIR_BOTS = ("fair-1", "fair-2")
OFFENDER = "offender"
ROUNDS = 500
"""Enough to play for as long as this lasts."""

DEAF = 8
"""How many streams or calls those who never read have open at a time."""
FRAME_BYTES = 60_000
FLOOD_BYTES = 10_000_000
"""So many a second."""
MESSAGE_BYTES = 64_000_000
WARM = 20
"""After so many matches of the fair bots the server has taken what it takes for itself."""
CALM_SECONDS = 2.0
LOOK_EVERY = 0.05

GROWTH_MIB = 8.0
"""By how much the memory may be above that before the offender: his own, what playing takes
meanwhile, and what an allocator keeps."""


def padded(size: int) -> arena_pb2.PlayRequest:
    """A frame of about so many bytes, in a field that nobody knows."""
    length = bytes(
        [size & 0x7F | 0x80, size >> 7 & 0x7F | 0x80, size >> 14 & 0x7F | 0x80, size >> 21]
    )
    message = arena_pb2.BotMessage.FromString(b"\xfa\x3e" + length + bytes(size))
    return arena_pb2.PlayRequest(messages=[message])


async def send(address: str, token: str, frame: arena_pb2.PlayRequest, pause: float) -> None:
    """Send a frame again and again, on one stream after the other, without end."""
    options = (("grpc.max_send_message_length", -1), ("grpc.use_local_subchannel_pool", 1))
    hello = arena_pb2.PlayRequest(messages=[arena_pb2.BotMessage(hello=arena_pb2.Hello())])
    channel: Any
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        play: Any = arena_pb2_grpc.ArenaServiceStub(channel).Play
        while True:
            call = play(metadata=(("authorization", f"Bearer {token}"),))
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                await call.write(hello)
                while True:
                    await call.write(frame)
                    await asyncio.sleep(pause)


async def flood(address: str, token: str) -> None:
    """Send 10 MB a second."""
    await send(address, token, padded(FRAME_BYTES), FRAME_BYTES / FLOOD_BYTES)


async def send_one_huge_message(address: str, token: str) -> None:
    """Send 64 MB at once."""
    await send(address, token, padded(MESSAGE_BYTES), 0.0)


async def never_read_a_stream(address: str, token: str) -> None:
    """Be bots who do not read one byte."""
    hello = arena_pb2.PlayRequest(messages=[arena_pb2.BotMessage(hello=arena_pb2.Hello())])
    await _deaf(address, lambda: LightCall(PLAY, hello, token=token, window=0))


async def never_read_a_watch(address: str, token: str) -> None:
    """Be spectators who do not read one byte."""
    del token
    asked = tournament_pb2.WatchTournamentRequest(tournament_id=TOURNAMENT)
    await _deaf(address, lambda: LightCall(WATCH, asked, window=0))


async def _deaf(address: str, call: Callable[[], LightCall]) -> None:
    calls = [call() for _ in range(DEAF)]
    try:
        for one in calls:
            await one.dial(address)
        await asyncio.wait([one.ended for one in calls])
    finally:
        for one in calls:
            one.close()


OFFENDERS: tuple[Callable[[str, str], Awaitable[None]], ...] = (
    flood,
    send_one_huge_message,
    never_read_a_stream,
    never_read_a_watch,
)


async def growth(
    server: ServerProcess,
    offender: Callable[[str, str], Awaitable[None]],
    token: str,
    seconds: float,
) -> float:
    """By how many MiB the server's memory is at most above the quiet figure meanwhile."""
    quiet = resident_mib(server.pid)
    highest = quiet

    async def again_and_again() -> None:
        while True:
            await offender(server.address, token)

    task = asyncio.create_task(again_and_again())
    until = time.monotonic() + seconds
    while time.monotonic() < until and not task.done():
        await asyncio.sleep(LOOK_EVERY)
        highest = max(highest, resident_mib(server.pid))
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    return highest - quiet


def soak(folder: Path, seconds: float) -> list[str]:
    """Let one after the other do his worst; print what it cost, and return what is wrong."""
    found = []
    with ServerProcess(folder / "data") as server:
        tokens = server.register(*FAIR_BOTS, OFFENDER)
        fair = {name: (FAIR, tokens[name]) for name in FAIR_BOTS}
        with FlockProcess(server.address, fair, folder / "fair.log"):
            server.run(
                *("tournament", "create", TOURNAMENT, "--seats", "2", "--rounds", str(ROUNDS)),
                *("--max-running", "2", "--limit", "startup=60s"),
            )
            server.run("tournament", "enter", TOURNAMENT, *FAIR_BOTS)
            server.run("tournament", "start", TOURNAMENT, "--allow-absent")
            while finished(server) < WARM:
                time.sleep(CALM_SECONDS)
            for offender in OFFENDERS:
                time.sleep(CALM_SECONDS)
                grown = asyncio.run(growth(server, offender, tokens[OFFENDER], seconds))
                _say(f"{offender.__name__}: {grown:.1f} MiB above the quiet figure at most")
                if grown > GROWTH_MIB:
                    found.append(f"{offender.__name__} took {grown:.1f} MiB, wanted {GROWTH_MIB}")
            played = server.read("tournament", "matches", TOURNAMENT)["matches"]
        faults = [seat["faults"] for match in played for seat in match["seats"] if seat["faults"]]
        _say(f"{len(played)} matches of fair bots meanwhile, {len(faults)} with a fault")
        if faults or not played:
            found.append(f"fair bots had faults: {faults[:3]}")
    return found


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Soak as the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(description="what offenders cost a server in memory")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each (default: 20)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kitumaija-soak-") as folder:
        problems = soak(Path(folder), given.seconds)
    for problem in problems:
        _say(f"WRONG: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
