"""The faulty proxy does what it says: other tests believe it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from tests.support.proxy import PATIENCE, FaultyProxy, Way
from tests.support.proxy_process import ProxyProcess

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class EchoServer:
    """Sends back what it gets, and keeps how its connections ended."""

    def __init__(self) -> None:
        self.got = bytearray()
        self.ended: asyncio.Queue[str] = asyncio.Queue()
        self.writers: list[asyncio.StreamWriter] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        try:
            while data := await reader.read(65536):
                self.got += data
                writer.write(data)
                await writer.drain()
            self.ended.put_nowait("farewell")
        except OSError:
            self.ended.put_nowait("reset")


@pytest.fixture
async def server() -> AsyncIterator[EchoServer]:
    echo = EchoServer()
    listening = await asyncio.start_server(echo.serve, "127.0.0.1", 0)
    echo.port = listening.sockets[0].getsockname()[1]
    yield echo
    listening.close()
    for writer in echo.writers:
        writer.close()
    await listening.wait_closed()


@pytest.fixture
async def proxy(server: EchoServer) -> AsyncIterator[FaultyProxy]:
    async with FaultyProxy("127.0.0.1", server.port, chance=random.Random(1)) as made:
        yield made


@asynccontextmanager
async def dialled(proxy: FaultyProxy | ProxyProcess) -> AsyncIterator[Ends]:
    host, _, port = proxy.address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield reader, writer
    finally:
        writer.close()


async def said(ends: Ends, data: bytes) -> bytes:
    """Send something and return as much of what comes back."""
    ends[1].write(data)
    async with asyncio.timeout(PATIENCE):
        return await ends[0].readexactly(len(data))


async def nothing_comes(ends: Ends) -> None:
    """Give what should not come the time to come."""
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await ends[0].read(1)


async def test_without_a_fault_every_byte_and_the_end_are_passed_on(
    server: EchoServer, proxy: FaultyProxy
) -> None:
    data = random.Random(2).randbytes(3_000_000)
    async with dialled(proxy) as ends:
        ends[1].write(data)
        ends[1].write_eof()
        async with asyncio.timeout(PATIENCE):
            assert await ends[0].readexactly(len(data)) == data
            assert await server.ended.get() == "farewell"
    assert proxy.counts.opened == 1
    assert (proxy.counts.bytes_up, proxy.counts.bytes_down) == (len(data), len(data))


async def test_a_cut_is_a_reset_at_both_ends(server: EchoServer, proxy: FaultyProxy) -> None:
    async with dialled(proxy) as ends:
        await said(ends, b"hello")
        assert proxy.cut() == 1
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(ConnectionResetError):
                await ends[0].read(1)
            assert await server.ended.get() == "reset"
    assert (proxy.live, proxy.counts.cut) == (0, 1)


async def test_a_half_that_is_closed_leaves_the_other(
    server: EchoServer, proxy: FaultyProxy
) -> None:
    async with dialled(proxy) as ends:
        await said(ends, b"hello")
        proxy.close_half(Way.DOWN)
        async with asyncio.timeout(PATIENCE):
            assert await ends[0].read(1) == b""
        ends[1].write(b"still heard")
        ends[1].write_eof()
        async with asyncio.timeout(PATIENCE):
            assert await server.ended.get() == "farewell"
    assert bytes(server.got) == b"hellostill heard"


async def test_a_black_hole_swallows_bytes_and_ends_and_is_reset_when_it_heals(
    server: EchoServer, proxy: FaultyProxy
) -> None:
    async with dialled(proxy) as first, dialled(proxy) as whole:
        await said(first, b"hello")
        await said(whole, b"hello")
        proxy.black_hole()
        first[1].write(b"lost")
        await proxy.until(lambda counts: counts.bytes_lost == 4)
        await nothing_comes(first)
        first[1].close()
        async with dialled(proxy) as second:
            second[1].write(b"lost too")
            await proxy.until(lambda counts: counts.swallowed == 1)
            await nothing_comes(second)
            assert bytes(server.got) == b"hellohello"
            assert server.ended.empty()
            assert (proxy.live, proxy.counts.swallowed, proxy.counts.bytes_lost) == (3, 1, 4)
            proxy.heal()
            async with asyncio.timeout(PATIENCE):
                with pytest.raises(ConnectionResetError):
                    await second[0].read(1)
                assert await server.ended.get() == "reset"
        assert await said(whole, b"again") == b"again"
        assert proxy.live == 1


async def test_a_black_hole_can_swallow_one_way_only(
    server: EchoServer, proxy: FaultyProxy
) -> None:
    async with dialled(proxy) as ends:
        await said(ends, b"hello")
        proxy.black_hole(Way.DOWN)
        ends[1].write(b"heard")
        ends[1].write_eof()
        async with asyncio.timeout(PATIENCE):
            assert await server.ended.get() == "farewell"
        await nothing_comes(ends)
    assert bytes(server.got) == b"helloheard"


async def test_what_is_held_comes_when_the_link_is_back(
    server: EchoServer, proxy: FaultyProxy
) -> None:
    async with dialled(proxy) as ends:
        await said(ends, b"hello")
        proxy.hold(Way.UP)
        ends[1].write(b"held")
        await proxy.until(lambda counts: counts.bytes_held == 4)
        await nothing_comes(ends)
        assert bytes(server.got) == b"hello"
        proxy.heal()
        async with asyncio.timeout(PATIENCE):
            assert await ends[0].readexactly(4) == b"held"


async def test_a_delay_keeps_the_order_and_takes_no_less_than_it_says(
    server: EchoServer, proxy: FaultyProxy
) -> None:
    loop = asyncio.get_running_loop()
    async with dialled(proxy) as ends:
        proxy.delay(0.05, Way.UP, jitter=0.02)
        start = loop.time()
        data = bytes(range(250))
        for byte in data:
            ends[1].write(bytes([byte]))
            await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE):
            assert await ends[0].readexactly(len(data)) == data
        assert loop.time() - start >= 0.05


async def test_a_trickle_comes_in_small_pieces_and_whole(
    server: EchoServer, proxy: FaultyProxy
) -> None:
    async with dialled(proxy) as ends:
        proxy.trickle(7)
        data = random.Random(3).randbytes(1000)
        assert await said(ends, data) == data


async def test_a_connection_that_is_refused_is_reset_and_the_open_ones_stay(
    server: EchoServer, proxy: FaultyProxy
) -> None:
    async with dialled(proxy) as ends:
        await said(ends, b"hello")
        proxy.refuse()
        async with dialled(proxy) as refused, asyncio.timeout(PATIENCE):
            with pytest.raises(ConnectionResetError):
                await refused[0].read(1)
        assert await said(ends, b"still") == b"still"
        proxy.heal()
        async with dialled(proxy) as again:
            assert await said(again, b"again") == b"again"
    assert proxy.counts.refused == 1


async def test_a_server_that_does_not_listen_is_a_reset(proxy: FaultyProxy) -> None:
    async with (
        FaultyProxy("127.0.0.1", 1, chance=random.Random(1)) as nowhere,
        dialled(nowhere) as ends,
        asyncio.timeout(PATIENCE),
    ):
        with pytest.raises(ConnectionResetError):
            await ends[0].read(1)
        assert (nowhere.counts.refused, nowhere.counts.opened) == (1, 0)


async def test_who_is_dropped_is_left_to_chance_and_the_same_in_every_run(
    server: EchoServer,
) -> None:
    async def survivors() -> list[int]:
        async with FaultyProxy("127.0.0.1", server.port, chance=random.Random(5)) as proxy:
            links = [dialled(proxy) for _ in range(20)]
            ends = [await link.__aenter__() for link in links]
            for number, each in enumerate(ends):
                await said(each, bytes([number]))
            dropped = proxy.drop_connections(0.5)
            assert 0 < dropped < 20
            assert proxy.live == 20 - dropped
            left = []
            for number, each in enumerate(ends):
                try:
                    await said(each, b"?")
                    left.append(number)
                except (OSError, asyncio.IncompleteReadError):
                    pass
            for link in links:
                await link.__aexit__(None, None, None)
            return left

    first = await survivors()
    assert first == await survivors()


@pytest.fixture
def process(server: EchoServer) -> Iterator[ProxyProcess]:
    with ProxyProcess(f"127.0.0.1:{server.port}", seed="a") as made:
        yield made


async def test_the_proxy_does_the_same_as_a_process(
    server: EchoServer, process: ProxyProcess
) -> None:
    async with dialled(process) as ends:
        assert await said(ends, b"hello") == b"hello"
        assert process.do("delay", seconds=0.01, way=Way.UP)["live"] == 1
        assert await said(ends, b"again") == b"again"
        assert process.do("cut")["cut"] == 1
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(ConnectionResetError):
                await ends[0].read(1)
    assert process.do("counts")["bytes_up"] == 10
