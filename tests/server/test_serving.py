"""A process that is a server: its signals, its exit codes, what it says when it cannot start."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import grpc
import pytest

from kitumaija.server.store.engines import FILE_NAME
from kitumaija.v1 import bot_pb2, bot_pb2_grpc
from kitumaija.wire.exits import ExitCode
from kitumaija.wire.status import ErrorReason
from tests.support.processes import PATIENCE_SECONDS, ServerProcess, cli
from tests.support.raw_bot import RawBot


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "one") as server:
        port = server.address.rpartition(":")[2]
        second = cli("serve", "--port", port, "--data", str(tmp_path / "two"))

    assert second.returncode == ExitCode.FAILED
    (line,) = said(second.stderr)
    assert line.startswith(f"kitumaija: cannot listen on 127.0.0.1:{port}")
    assert second.stdout == ""


def test_the_command_says_of_a_taken_port_one_line_and_grpc_none(tmp_path: Path) -> None:
    """The command of everybody, which loads the authors' part first, and gRPC with it."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        program = "from kitumaija.sdk.cli import main; main()"
        arguments = ("serve", "--port", port, "--data", str(tmp_path / "data"))
        process = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            env={name: text for name, text in os.environ.items() if name != "GRPC_VERBOSITY"},
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )

    assert process.returncode == ExitCode.FAILED
    (line,) = process.stderr.splitlines()
    assert line.startswith(f"kitumaija: cannot listen on 127.0.0.1:{port}")


def test_a_store_that_is_in_use_is_said_in_one_line(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data"):
        second = cli("serve", "--port", "0", "--data", str(tmp_path / "data"))

    assert second.returncode == ExitCode.FAILED
    (line,) = said(second.stderr)
    assert str(tmp_path / "data") in line


def test_a_data_directory_that_cannot_be_made_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    process = cli("serve", "--port", "0", "--data", str(tmp_path / "file" / "data"))

    assert process.returncode == ExitCode.FAILED
    (line,) = said(process.stderr)
    assert "file" in line


def test_a_token_that_opens_nothing_is_said_in_one_line_to_organizers_and_to_bots(
    tmp_path: Path,
) -> None:
    with ServerProcess(tmp_path / "data") as server:
        command = cli("tournament", "create", "t", "--address", server.address, "--token", "wrong")
        bot = subprocess.run(
            [sys.executable, "-m", "kitumaija.sdk", "sample:smallest"],
            env={**os.environ, "KITUMAIJA_ADDRESS": server.address, "KITUMAIJA_TOKEN": "wrong"},
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )

    for process in (command, bot):
        assert process.returncode == ExitCode.REFUSED, process.stderr
        (line,) = process.stderr.splitlines()
        assert "token" in line
        assert process.stdout == ""


def test_a_metrics_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        process = cli(
            "serve", "--port", "0", "--metrics-port", port, "--data", str(tmp_path / "data")
        )

    assert process.returncode == ExitCode.FAILED
    (line,) = said(process.stderr)
    assert line.startswith(f"kitumaija: cannot show metrics on 127.0.0.1:{port}: ")
    assert process.stdout == ""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_the_server_and_tells_its_bots(
    tmp_path: Path, number: signal.Signals
) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "kitumaija.server", "serve", "--json"),
        *("--port", "0", "--data", str(tmp_path / "data")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        server = ServerProcess(tmp_path / "data")
        assert process.stdout is not None
        server.address = json.loads(await process.stdout.readline())["address"]
        token = (await asyncio.to_thread(server.register, "alice"))["alice"]
        async with RawBot(server.address, token) as bot:
            await bot.hello()
            process.send_signal(number)
            await bot.expect("drain")
            if number == signal.SIGTERM:
                await bot.close()
            else:
                code, reason, _, _ = await bot.end()
                assert code is grpc.StatusCode.UNAVAILABLE
                assert reason is ErrorReason.DRAINING
        async with asyncio.timeout(PATIENCE_SECONDS):
            _, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()

    assert process.returncode == ExitCode.OK
    assert b"Traceback" not in errors


def said(stderr: str) -> list[str]:
    """Return the lines that are not log lines."""
    return [line for line in stderr.splitlines() if line.startswith("kitumaija:")]


async def test_a_second_signal_ends_a_server_that_drains_at_once(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        token = server.register("alice")["alice"]
        async with RawBot(server.address, token) as bot:
            await bot.hello()
            server.send_signal(signal.SIGTERM)
            await bot.expect("drain")
            server.send_signal(signal.SIGTERM)

            assert server.ended() == ExitCode.INTERRUPTED
    assert "Traceback" not in server.log()


def test_a_second_signal_to_a_server_that_is_all_but_gone_is_not_what_ends_it(
    tmp_path: Path,
) -> None:
    """There is no moment at which nobody listens to signals any more, but the process is there."""
    with ServerProcess(tmp_path / "data") as server:
        server.send_signal(signal.SIGINT)
        while _listens(server.address):
            pass
        while server.running():
            server.send_signal(signal.SIGTERM)

        assert server.ended() in {ExitCode.OK, ExitCode.INTERRUPTED}
    assert "Traceback" not in server.log()


@pytest.mark.parametrize("signals", [(signal.SIGINT,), (signal.SIGINT, signal.SIGTERM)])
def test_a_server_whose_disk_hangs_ends_all_the_same(
    tmp_path: Path, signals: tuple[signal.Signals, ...]
) -> None:
    with (
        ServerProcess(tmp_path / "data") as server,
        closing(sqlite3.connect(server.data / FILE_NAME, isolation_level=None)) as other,
        grpc.insecure_channel(server.address) as channel,
    ):
        # Whoever writes waits for this one, for as long as the server would wait for a disk.
        other.execute("BEGIN IMMEDIATE")
        token = (server.data / "organizer.token").read_text(encoding="ascii").strip()
        register = bot_pb2_grpc.BotServiceStub(channel).RegisterBot.future(
            bot_pb2.RegisterBotRequest(bot_id="alice"),
            metadata=(("authorization", f"Bearer {token}"),),
        )
        grpc.channel_ready_future(channel).result(PATIENCE_SECONDS)
        for number in signals:
            server.send_signal(number)
        code = server.ended()
        register.cancel()

    assert code == (ExitCode.OK if len(signals) == 1 else ExitCode.INTERRUPTED)
    assert "Traceback" not in server.log()


def _listens(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS).close()
    except OSError:
        return False
    return True
