"""Those who want a server to stand still, each kind in a process of its own.

`python -m tests.support.attacker KIND` reads a line of JSON, `{"address": ..., "tokens": [...]}`,
from standard input, attacks until it is killed, and never outlives who started it for long: it ends
with its input. The kinds are the keys of `ATTACKS`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

from kitumaija.server.bench.http2 import (
    PREFACE,
    STREAM,
    FrameType,
    frame,
    preface,
    request_headers,
)
from kitumaija.server.bench.light import PLAY, LightCall
from kitumaija.v1 import arena_pb2, bot_pb2, tournament_pb2
from tests.support.told_process import ToldProcess

HELLO: Final = arena_pb2.PlayRequest(messages=[arena_pb2.BotMessage(hello=arena_pb2.Hello())])
LIST_BOTS: Final = "/kitumaija.v1.BotService/ListBots"
WATCH: Final = "/kitumaija.v1.TournamentService/WatchTournament"
MEGABYTE: Final = 1_000_000


class Attacker(ToldProcess):
    """A process that attacks from when it is entered until it is left."""

    module = "tests.support.attacker"

    def __init__(self, kind: str, address: str, tokens: Sequence[str]) -> None:
        super().__init__(kind)
        self._said = {"address": address, "tokens": list(tokens)}

    def start(self) -> None:
        """Begin the attack."""
        super().start()
        self._tell(self._said)


async def _connect(address: str, number: int = 0) -> asyncio.StreamWriter:
    """Connect from one of many addresses of this machine."""
    host, _, port = address.rpartition(":")
    source = (f"127.0.{1 + number // 250}.{1 + number % 250}", 0)
    _, writer = await asyncio.open_connection(host, int(port), local_addr=source)
    return writer


async def slow_handshakes(address: str, _: Sequence[str]) -> None:
    """Five hundred connections that say a byte a second of what begins HTTP/2."""

    async def one(number: int) -> None:
        while True:
            with suppress(OSError):
                writer = await _connect(address, number % 5)
                for byte in PREFACE:
                    writer.write(bytes([byte]))
                    await writer.drain()
                    await asyncio.sleep(1)
            await asyncio.sleep(0.1)

    await asyncio.gather(*(one(number) for number in range(500)))


async def slow_writers(address: str, tokens: Sequence[str]) -> None:
    """Streams on which a frame of a mebibyte is announced, and comes at ten bytes a second."""

    async def one(number: int) -> None:
        while True:
            with suppress(OSError):
                writer = await _connect(address)
                token = tokens[number % len(tokens)]
                part = frame(FrameType.DATA, 0, STREAM, b"\0\0\x10\0\0")
                writer.write(preface(65_535) + request_headers(PLAY, token) + part)
                for _ in range(60):
                    writer.write(frame(FrameType.DATA, 0, STREAM, bytes(10)))
                    await writer.drain()
                    await asyncio.sleep(1)
            await asyncio.sleep(0.1)

    await asyncio.gather(*(one(number) for number in range(200)))


async def deaf_spectators(address: str, _: Sequence[str]) -> None:
    """Two hundred who watch the tournament, and read nothing; they come again when let go."""
    request = tournament_pb2.WatchTournamentRequest(tournament_id="dos")

    async def one() -> None:
        while True:
            with suppress(OSError):
                call = await LightCall(WATCH, request, window=0).dial(address)
                await asyncio.wait((call.ended,), timeout=20)
                call.close()

    await asyncio.gather(*(one() for _ in range(200)))


async def deaf_bots(address: str, tokens: Sequence[str]) -> None:
    """Bots that say Hello, and never read a byte."""

    async def one(token: str) -> None:
        while True:
            with suppress(OSError):
                call = await LightCall(PLAY, HELLO, token=token, window=0).dial(address)
                await asyncio.wait((call.ended,), timeout=20)
                call.close()

    await asyncio.gather(*map(one, tokens))


async def flood(address: str, tokens: Sequence[str]) -> None:
    """Ten megabytes a second of data on a bot's stream, again and again."""
    junk = frame(FrameType.DATA, 0, STREAM, b"\0\0\0\x40\x00" + bytes(16_379))
    while True:
        with suppress(OSError):
            writer = await _connect(address)
            writer.write(preface(65_535) + request_headers(PLAY, tokens[0]))
            # HTTP/2 lets nobody send beyond its window: whoever does is cut off.
            while not writer.transport.is_closing():
                writer.write(junk * (MEGABYTE // len(junk)))
                await writer.drain()
                await asyncio.sleep(0.1)
        await asyncio.sleep(0.01)


async def bad_tokens(address: str, _: Sequence[str]) -> None:
    """Calls with tokens that are nobody's, one after the other on thirty connections."""

    async def one(number: int) -> None:
        count = 0
        while True:
            count += 1
            with suppress(OSError):
                token = f"made-up-{number}-{count}"
                call = LightCall(LIST_BOTS, bot_pb2.ListBotsRequest(), token=token)
                await call.dial(address)
                await asyncio.wait((call.ended,), timeout=5)
                call.close()

    await asyncio.gather(*(one(number) for number in range(30)))


async def idle_streams(address: str, tokens: Sequence[str]) -> None:
    """Two thousand connections that begin HTTP/2, and then say nothing."""
    kept = []
    for number in range(2_000):
        with suppress(OSError):
            writer = await _connect(address, number % 5)
            writer.write(preface(65_535))
            kept.append(writer)
    await asyncio.Event().wait()


async def storm(address: str, tokens: Sequence[str]) -> None:
    """Bots that come, say Hello, and are gone, as fast as they can."""

    async def one(token: str) -> None:
        while True:
            with suppress(OSError):
                call = await LightCall(PLAY, HELLO, token=token).dial(address)
                await asyncio.wait((call.begun, call.ended), timeout=1)
                call.close()

    await asyncio.gather(*map(one, tokens))


ATTACKS: Final[dict[str, Callable[[str, Sequence[str]], Awaitable[None]]]] = {
    "slow-handshakes": slow_handshakes,
    "slow-writers": slow_writers,
    "deaf-spectators": deaf_spectators,
    "deaf-bots": deaf_bots,
    "flood": flood,
    "bad-tokens": bad_tokens,
    "idle-streams": idle_streams,
    "storm": storm,
}


async def _main(kind: str) -> None:
    loop = asyncio.get_running_loop()
    said = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    attack = asyncio.ensure_future(ATTACKS[kind](said["address"], said["tokens"]))
    over = loop.run_in_executor(None, sys.stdin.readline)
    await asyncio.wait((attack, over), return_when=asyncio.FIRST_COMPLETED)
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1]))
