"""`run` and `python -m kitumaija.sdk` as an author starts them, against a scripted server."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from kitumaija.engine import position
from kitumaija.sdk.testing import Line, ScriptedServer, host_match
from kitumaija.wire.exits import ExitCode
from kitumaija.wire.kinds import Kind
from kitumaija.wire.status import ErrorReason

STATE = position(seats=2, mover=0, hands={0: "8H 2D 9C 3S 4S", 1: "2C"}, pile="7H", stock="5C 6C")
BOT = """
from kitumaija.sdk import Bot, run

class Mine(Bot):
    version = "mine-1"

    def choose(self, turn):
        return turn.legal[0]

if __name__ == "__main__":
    run(Mine)
"""


@pytest.fixture(name="bot")
def _bot(tmp_path: Path) -> Path:
    path = tmp_path / "my_bot.py"
    path.write_text(BOT, encoding="utf-8")
    return path


async def _run(
    *arguments: str | Path,
    address: str = "",
    token: str = "secret",
    while_it_runs: Callable[[asyncio.subprocess.Process], Awaitable[None]] | None = None,
) -> tuple[int | None, str]:
    """Run a program with the server in its environment; its exit code and what it said."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KITUMAIJA_")}
    environment |= {"KITUMAIJA_ADDRESS": address} if address else {}
    environment |= {"KITUMAIJA_TOKEN": token} if token else {}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *map(str, arguments),
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        if while_it_runs is not None:
            await while_it_runs(process)
        said, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode, said.decode()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_program_plays_and_leaves_politely_when_it_is_told_to(
    bot: Path, number: signal.Signals
) -> None:
    over = asyncio.Event()

    async def script(line: Line) -> None:
        hello = await line.greet()
        assert (line.token, hello.bot_version, hello.capacity) == ("secret", "mine-1", 8)
        await host_match(line, "m", seed=1)
        over.set()
        assert (await line.hear(Kind.GOODBYE)).reason == f"stopped by {number.name}"
        await line.hear_end()

    async def stop(process: asyncio.subprocess.Process) -> None:
        await over.wait()
        process.send_signal(number)

    async with ScriptedServer(script) as server:
        code, said = await _run(bot, address=server.address, while_it_runs=stop)
        await server.played()

    assert code == ExitCode.OK, said
    assert "connected to scripted" in said
    assert "match m is over" in said
    assert "chttp2" not in said


async def test_a_bot_that_thinks_does_not_keep_its_process_from_leaving(tmp_path: Path) -> None:
    path = tmp_path / "thinker.py"
    path.write_text(
        BOT.replace("return turn.legal[0]", "import time; time.sleep(600)"), encoding="utf-8"
    )
    asked = asyncio.Event()

    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        asked.set()
        await line.hear(Kind.GOODBYE)

    async def stop(process: asyncio.subprocess.Process) -> None:
        await asked.wait()
        process.send_signal(signal.SIGTERM)

    async with ScriptedServer(script) as server:
        code, said = await _run(path, address=server.address, while_it_runs=stop)

    assert code == ExitCode.OK, said


async def test_the_module_runs_a_bot_by_its_name_with_its_options(bot: Path) -> None:
    heard = asyncio.Event()

    async def script(line: Line) -> None:
        hello = await line.greet()
        assert (line.token, hello.bot_version, hello.capacity) == ("other", "v2", 3)
        heard.set()
        await line.hear(Kind.GOODBYE)

    async def stop(process: asyncio.subprocess.Process) -> None:
        await heard.wait()
        process.terminate()

    async with ScriptedServer(script) as server:
        arguments = ["-m", "kitumaija.sdk", f"{bot}:Mine", "--address", server.address]
        options = ["--token", "other", "--capacity", "3", "--bot-version", "v2"]
        code, said = await _run(*arguments, *options, while_it_runs=stop)
        await server.played()

    assert code == ExitCode.OK, said


async def test_a_refused_token_ends_the_program_with_one_clear_line(bot: Path) -> None:
    async def script(line: Line) -> None:
        await line.end_with(ErrorReason.UNAUTHENTICATED_TOKEN)

    async with ScriptedServer(script) as server:
        code, said = await _run(bot, address=server.address)

    assert code == ExitCode.REFUSED
    assert "the server does not know this token: check KITUMAIJA_TOKEN" in said
    assert "Traceback" not in said


async def test_a_server_that_is_not_there_ends_the_program_after_the_patience(bot: Path) -> None:
    async def script(line: Line) -> None:
        await line.greet()

    async with ScriptedServer(script) as server:
        address = server.address
    code, said = await _run("-m", "kitumaija.sdk", bot, "--patience", "0", address=address)

    assert code == ExitCode.UNREACHABLE
    assert f"no server at {address}" in said
    assert "Traceback" not in said


async def test_with_raise_an_error_in_the_bot_ends_the_program(tmp_path: Path) -> None:
    path = tmp_path / "raising.py"
    path.write_text(BOT.replace("turn.legal[0]", "1 / 0"), encoding="utf-8")

    async def script(line: Line) -> None:
        await line.greet()
        await line.offer("m")
        await line.seat("m")
        await line.ask("m", 1, STATE)
        await line.hear(Kind.GOODBYE)

    async with ScriptedServer(script) as server:
        arguments = ("-m", "kitumaija.sdk", path, "--on-error", "raise")
        code, said = await _run(*arguments, address=server.address)

    assert code == ExitCode.FAILED
    assert "Mine: choose raised ZeroDivisionError: division by zero" in said
    assert "make_turn(" in said
    assert 'raising.py", line' in said


@pytest.mark.parametrize(
    ("address", "token", "says"),
    [
        ("", "secret", "no server: set KITUMAIJA_ADDRESS"),
        ("localhost:4800", "", "no token: set KITUMAIJA_TOKEN"),
        ("localhost", "secret", "got 'localhost' as the server's address"),
    ],
)
async def test_what_is_missing_is_told_with_where_to_put_it(
    bot: Path, address: str, token: str, says: str
) -> None:
    code, said = await _run(bot, address=address, token=token)

    assert code == ExitCode.USAGE
    assert says in said
    assert "Traceback" not in said


async def test_a_bot_that_cannot_be_loaded_is_told() -> None:
    code, said = await _run("-m", "kitumaija.sdk", "sample:nobody")

    assert code == ExitCode.USAGE
    assert said.startswith("sample:nobody: there is no such sample bot")
