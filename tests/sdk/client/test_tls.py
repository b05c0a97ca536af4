"""Encrypted connections: whom the client trusts, and what it says where it trusts nobody."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import grpc
import pytest

from kitumaija.sdk.client import Address, Settings
from kitumaija.sdk.client.client import Client
from kitumaija.sdk.clocks import real_clock
from kitumaija.sdk.errors import ConnectionFailed
from kitumaija.sdk.testing import Line, ScriptedServer, host_match
from tests.support.bots import First
from tests.support.certificates import Certificates, make_certificates
from tests.support.client import SECRET, Never, client_for


@pytest.fixture(name="made")
def _made(tmp_path: Path) -> Certificates:
    return make_certificates(tmp_path / "certs")


def credentials(made: Certificates, *, mutual: bool = False) -> grpc.ServerCredentials:
    pair = (made.key.read_bytes(), made.cert.read_bytes())
    roots = made.ca.read_bytes() if mutual else None
    return grpc.ssl_server_credentials([pair], roots, require_client_auth=mutual)


async def test_a_match_is_played_over_tls_with_a_certificate_of_ones_own(
    made: Certificates,
) -> None:
    async def script(line: Line) -> None:
        await line.greet()
        await host_match(line, "m", seed=1)

    async with ScriptedServer(script, credentials=credentials(made)) as server:
        assert server.address.startswith("https://")
        client = client_for(server, First, tls_ca=made.ca)
        run = asyncio.create_task(client.run())
        await server.played()
        client.stop()
        await run


async def test_a_certificate_file_means_tls_without_https_in_the_address(
    made: Certificates,
) -> None:
    async def script(line: Line) -> None:
        await line.greet()

    async with ScriptedServer(script, credentials=credentials(made)) as server:
        plain = Address.parse(server.address.removeprefix("https://"))
        settings = Settings(plain, "token", tls_ca=made.ca)
        client = Client(First, settings, clock=real_clock, random=Never(), secret=SECRET)
        run = asyncio.create_task(client.run())
        await server.played()
        client.stop()
        await run


async def test_a_server_that_nobody_vouches_for_is_not_talked_to(made: Certificates) -> None:
    async def script(line: Line) -> None:
        raise AssertionError("the token was shown to a stranger")

    async with ScriptedServer(script, credentials=credentials(made)) as server:
        with pytest.raises(ConnectionFailed, match="no server at https://localhost"):
            await client_for(server, First, patience=timedelta(0)).run()


async def test_a_client_shows_its_certificate_to_a_server_that_wants_one(
    made: Certificates,
) -> None:
    async def script(line: Line) -> None:
        await line.greet()

    async with ScriptedServer(script, credentials=credentials(made, mutual=True)) as server:
        client = client_for(
            server,
            First,
            tls_ca=made.ca,
            tls_cert=made.client_cert,
            tls_key=made.client_key,
        )
        run = asyncio.create_task(client.run())
        await server.played()
        client.stop()
        await run


async def test_a_client_without_a_certificate_is_not_let_in_where_one_is_wanted(
    made: Certificates,
) -> None:
    async def script(line: Line) -> None:
        raise AssertionError("it was let in")

    async with ScriptedServer(script, credentials=credentials(made, mutual=True)) as server:
        with pytest.raises(ConnectionFailed, match="no server at https://localhost"):
            await client_for(server, First, tls_ca=made.ca, patience=timedelta(0)).run()


@pytest.mark.parametrize(
    ("address", "warned"),
    [
        ("localhost:1", False),
        ("127.0.0.1:1", False),
        ("https://10.255.255.1:1", False),
        ("10.255.255.1:1", True),
    ],
)
async def test_a_token_that_would_travel_in_the_open_is_warned_of(
    address: str, caplog: pytest.LogCaptureFixture, *, warned: bool
) -> None:
    settings = Settings(Address.parse(address), "token")
    client = Client(First, settings, clock=real_clock, random=Never(), secret=SECRET)
    client.stop()  # it warns before it dials, and here it never does

    await client.run()

    assert ("can read the token" in caplog.text) is warned
