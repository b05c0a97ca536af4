"""Bytes on the ports that are no HTTP/2, or nearly: the server goes on, and tells no exception.

The one port is the bots' and the organizers', the other that of the metrics.
"""

from __future__ import annotations

import asyncio
import struct
from contextlib import suppress
from random import Random
from typing import Final

from kitumaija.server.bench.http2 import PREFACE, data_frame, preface, request_headers
from kitumaija.v1 import arena_pb2, bot_pb2
from tests.fuzz.figures import Figures, GoesOn
from tests.fuzz.mutating import mutated, noise
from tests.fuzz.services import served

AT_ONCE: Final = 20
LISTENS_FOR: Final = 0.02
ANSWERS_WITHIN: Final = 20.0
GET_METRICS: Final = b"GET /metrics HTTP/1.0\r\n\r\n"
LIST_BOTS: Final = "/kitumaija.v1.BotService/ListBots"
PLAY: Final = "/kitumaija.v1.ArenaService/Play"
FRAME_HEADER: Final = 9
FRAMES: Final = {
    0: "data",
    1: "headers",
    3: "a reset",
    4: "settings",
    6: "a ping",
    7: "goaway",
    8: "a window",
}
NEVER_SAID: Final = (b"Traceback", b'File "', b"kitumaija/server")


async def raw_bytes(chance: Random, goes_on: GoesOn) -> Figures:
    """Say things on connections, and after each round call as an honest caller does."""
    figures = Figures()
    async with served(metrics_port=0) as organizer:
        metrics = organizer.app.metrics_port
        assert metrics is not None
        while goes_on(figures.inputs):
            given = [_input(chance, organizer.tokens["ann"]) for _ in range(AT_ONCE)]
            plain = [_plain_http(chance) for _ in range(AT_ONCE // 4)]
            await asyncio.gather(
                *(_say(figures, organizer.app.port, data) for data in given),
                *(_say(figures, metrics, data) for data in plain),
            )
            try:
                request = bot_pb2.ListBotsRequest()
                await organizer.call(organizer.registry.ListBots, request)
                assert b"200 OK" in await _heard(metrics, GET_METRICS)
            except Exception as error:  # noqa: BLE001 - the server is not what it was
                figures.broke(given, error)
    return figures


async def _say(figures: Figures, port: int, data: bytes) -> None:
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError as error:
        figures.broke(data, error)
        return
    heard = b""
    with suppress(OSError, TimeoutError):
        writer.write(data)
        async with asyncio.timeout(LISTENS_FOR):
            while part := await reader.read(65_536):
                heard += part
    writer.transport.abort()
    if any(words in heard for words in NEVER_SAID):
        figures.broke(data, repr(heard))
    else:
        figures.came_to(_outcome(heard))


async def _heard(port: int, data: bytes) -> bytes:
    """Return all that is answered to an honest request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    async with asyncio.timeout(ANSWERS_WITHIN):
        heard = await reader.read()
    writer.close()
    return heard


def _outcome(heard: bytes) -> str:
    """Return what the server said, by the last kind of HTTP/2 frame (RFC 9113) that came whole."""
    if heard.startswith(b"HTTP/1"):
        return f"metrics {heard[9:12].decode('ascii', 'replace')}"
    said = "nothing"
    while len(heard) >= FRAME_HEADER:
        said = FRAMES.get(heard[3], "something else")
        heard = heard[FRAME_HEADER + int.from_bytes(heard[:3]) :]
    return f"{said} last"


def _input(chance: Random, token: str) -> bytes:
    kind = chance.randrange(6)
    if kind == 0:
        return noise(chance, 2_000)
    if kind == 5:
        return _split_headers(chance, token)
    if kind == 1:
        return b"".join((PREFACE, *(_frame(chance) for _ in range(chance.randrange(1, 20)))))
    hello = arena_pb2.PlayRequest(messages=[arena_pb2.BotMessage(hello=arena_pb2.Hello())])
    path, said = chance.choice(((LIST_BOTS, bot_pb2.ListBotsRequest()), (PLAY, hello)))
    honest = preface(65_535) + request_headers(path, token) + data_frame(said)
    if kind == 2:
        return mutated(chance, honest)
    if kind == 3:
        return honest + b"".join(_frame(chance) for _ in range(chance.randrange(1, 20)))
    start = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\x02\x00\x01", b"SSH-2.0-x\r\n"
    return chance.choice(start) + noise(chance)


def _split_headers(chance: Random, token: str) -> bytes:
    """Return a call whose headers come in several frames: between these no other may come."""
    whole = request_headers(LIST_BOTS, token)[FRAME_HEADER:]
    if chance.random() < 0.5:
        whole = mutated(chance, whole)
    parts, size = [], chance.choice((1, 7, 64, 1_000))
    for at in range(0, len(whole) or 1, size):
        last = at + size >= len(whole)
        part = whole[at : at + size]
        kind, flags = (1 if at == 0 else 9), (4 if last and chance.random() < 0.8 else 0)
        parts.append(struct.pack(">I", len(part))[1:] + struct.pack(">BBI", kind, flags, 1) + part)
        if chance.random() < 0.1:
            parts.append(_frame(chance))
    return preface(65_535) + b"".join(parts) + data_frame(bot_pb2.ListBotsRequest())


def _plain_http(chance: Random) -> bytes:
    """Return what somebody might say to the port of the metrics, which speaks HTTP/1."""
    if chance.random() < 0.3:
        return noise(chance, 2_000)
    path = chance.choice((b"/metrics", b"/../../etc/passwd", b"/%00", b"/?name[]=x", b"x" * 70_000))
    line = chance.choice((b"GET", b"POST", b"OPTIONS", b"\xff")) + b" " + path + b" HTTP/1.1\r\n"
    head = chance.choice(
        (b"Host: x\r\n", b"Accept: ;q=\r\n", b"Content-Length: -1\r\n", b"x" * 200)
    )
    return mutated(chance, line + head + b"\r\n")


def _frame(chance: Random) -> bytes:
    """Return a frame of any kind, with any flags, of a stream that there is or is not."""
    payload = noise(chance, chance.choice((1, 9, 100, 20_000)))
    size = len(payload) if chance.random() < 0.8 else chance.randrange(2**24)
    stream = chance.choice((0, 1, 1, 2, 3, 5, 2**31 - 1, 2**32 - 1))
    kind, flags = chance.choice((*range(10), 255)), chance.choice((0, 1, 4, 5, 8, 0x20, 255))
    return struct.pack(">I", size)[1:] + struct.pack(">BBI", kind, flags, stream) + payload
