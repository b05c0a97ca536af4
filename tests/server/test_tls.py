"""A server with a certificate, over real sockets: shown, asked for, renewed, broken."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]
from structlog.testing import capture_logs

from kitumaija.server.app import App
from kitumaija.server.rpc.server import BindError
from kitumaija.server.settings import ServerSettings
from kitumaija.server.tls import TlsFiles, WrongCertificate
from tests.support.arena import Arena, ScriptedPlan, running_arena
from tests.support.certificates import Certificates, make_certificates
from tests.support.raw_bot import PATIENCE

SERVING = health_pb2.HealthCheckResponse.SERVING


@pytest.fixture(name="made")
def _made(tmp_path: Path) -> Certificates:
    return make_certificates(tmp_path / "certs")


def served_with(made: Certificates, *, mutual: bool = False) -> dict[str, Any]:
    """Return the settings of a server that shows a certificate, and perhaps asks for one."""
    settings = {"tls_cert": made.cert, "tls_key": made.key}
    return {**settings, "tls_client_ca": made.ca} if mutual else settings


def channel_to(
    arena: Arena, trusted: Certificates, shown: Certificates | None = None, host: str = "localhost"
) -> Any:
    credentials = grpc.ssl_channel_credentials(
        trusted.ca.read_bytes(),
        None if shown is None else shown.client_key.read_bytes(),
        None if shown is None else shown.client_cert.read_bytes(),
    )
    options = (("grpc.use_local_subchannel_pool", 1),)
    return grpc.aio.secure_channel(f"{host}:{arena.app.port}", credentials, options)


async def health(channel: Any) -> int | grpc.StatusCode:
    """Ask whether the server serves; return what it says, or why it could not be asked."""
    stub: Any = health_pb2_grpc.HealthStub(channel)
    try:
        async with asyncio.timeout(PATIENCE):
            return int((await stub.Check(health_pb2.HealthCheckRequest())).status)
    except grpc.aio.AioRpcError as error:
        code: grpc.StatusCode = error.code()
        return code


async def ask(*arguments: Any, **options: Any) -> int | grpc.StatusCode:
    """Ask it over a connection of its own."""
    async with channel_to(*arguments, **options) as channel:
        return await health(channel)


def put(made: Certificates, into: Certificates) -> None:
    """Replace a server's pair by another one, as a renewal does."""
    for name in ("server.pem", "server.key"):
        shutil.copy(made.directory / name, into.directory / name)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
async def test_a_server_with_a_certificate_is_known_by_its_names(
    tmp_path: Path, made: Certificates, host: str
) -> None:
    async with running_arena(tmp_path / "data", **served_with(made)) as arena:
        assert await ask(arena, made, host=host) == SERVING


async def test_a_server_is_not_believed_under_another_name(tmp_path: Path) -> None:
    made = make_certificates(tmp_path / "certs", "arena.example", "192.0.2.7")
    async with running_arena(tmp_path / "data", **served_with(made)) as arena:
        assert await ask(arena, made) is grpc.StatusCode.UNAVAILABLE


async def test_who_trusts_another_authority_is_not_connected(
    tmp_path: Path, made: Certificates
) -> None:
    other = make_certificates(tmp_path / "other")
    async with running_arena(tmp_path / "data", **served_with(made)) as arena:
        assert await ask(arena, other) is grpc.StatusCode.UNAVAILABLE


async def test_a_server_that_asks_for_certificates_talks_to_nobody_without_a_right_one(
    tmp_path: Path, made: Certificates
) -> None:
    other = make_certificates(tmp_path / "other")
    async with running_arena(tmp_path / "data", **served_with(made, mutual=True)) as arena:
        assert await ask(arena, made, shown=made) == SERVING
        assert await ask(arena, made) is grpc.StatusCode.UNAVAILABLE
        assert await ask(arena, made, shown=other) is grpc.StatusCode.UNAVAILABLE


async def test_a_renewed_certificate_is_shown_to_who_comes_next_and_parts_nobody(
    tmp_path: Path, made: Certificates
) -> None:
    renewed = make_certificates(tmp_path / "renewed")
    before = Certificates(tmp_path / "before")
    shutil.copytree(made.directory, before.directory)
    async with (
        running_arena(tmp_path / "data", **served_with(made)) as arena,
        channel_to(arena, before) as old,
    ):
        assert await health(old) == SERVING
        with capture_logs() as logs:
            put(renewed, into=made)
            assert await ask(arena, renewed) == SERVING
            assert await ask(arena, before) is grpc.StatusCode.UNAVAILABLE

        assert await health(old) == SERVING
    assert [log["event"] for log in logs].count("certificate renewed") == 1


async def test_a_broken_renewal_keeps_the_certificate_before_and_is_said_once(
    tmp_path: Path, made: Certificates
) -> None:
    renewed = make_certificates(tmp_path / "renewed")
    good = made.cert.read_bytes()
    async with running_arena(tmp_path / "data", **served_with(made)) as arena:
        with capture_logs() as logs:
            shutil.copy(renewed.cert, made.cert)
            for _ in range(3):
                assert await ask(arena, made) == SERVING
            made.cert.unlink()
            assert await ask(arena, made) == SERVING
            made.cert.write_bytes(good)
            assert await ask(arena, made) == SERVING

    told = [log for log in logs if "certificate" in log["event"]]
    assert [log["log_level"] for log in told] == ["warning", "warning", "info"]
    assert str(made.key) in told[0]["why"]
    assert "cannot be read" in told[1]["why"]


@pytest.mark.parametrize(
    ("broken", "content", "said"),
    [
        ("server.pem", b"no certificate", "no certificates in PEM form"),
        ("server.key", b"no key", "no private key in PEM form"),
        ("ca.pem", b"", "no certificates in PEM form"),
    ],
)
async def test_a_certificate_that_is_none_keeps_a_server_from_starting(
    tmp_path: Path, made: Certificates, broken: str, content: bytes, said: str
) -> None:
    (made.directory / broken).write_bytes(content)
    settings = ServerSettings.load(data=tmp_path / "data", port=0, **served_with(made, mutual=True))

    with pytest.raises(BindError, match=said) as refused:
        await App(settings, plan=ScriptedPlan).start()

    assert broken in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_key_with_a_password_or_of_another_certificate_is_no_pair(
    tmp_path: Path, made: Certificates
) -> None:
    other = make_certificates(tmp_path / "other")

    with pytest.raises(WrongCertificate, match="not that of the certificate"):
        TlsFiles(made.cert, other.key).read()
    with pytest.raises(WrongCertificate, match="cannot be read"):
        TlsFiles(made.cert, tmp_path / "nowhere.key").read()
