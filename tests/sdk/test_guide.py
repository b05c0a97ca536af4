"""The author's guide says what is so: all of its examples run."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kitumaija.sdk import Turn
from kitumaija.sdk.errors import SdkError
from kitumaija.sdk.testing import Line, ScriptedServer, host_match
from kitumaija.wire.exits import ExitCode
from kitumaija.wire.kinds import Kind

GUIDE = (Path(__file__).parents[2] / "sdk" / "README.md").read_text(encoding="utf-8")
FILE_NAME = re.compile(r"# (\w+\.py)\n")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)


def _written(folder: Path) -> None:
    """Write the examples that are files."""
    for block in _blocks("python"):
        if named := FILE_NAME.match(block):
            (folder / named[1]).write_text(block, encoding="utf-8")


def _commands() -> list[str]:
    lines = [line for block in _blocks("console") for line in block.splitlines()]
    assert all(line.startswith("$ ") for line in lines)
    return [line.removeprefix("$ ") for line in lines]


def test_every_program_of_the_guide_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _written(tmp_path)
    monkeypatch.chdir(tmp_path)
    # As one module, so that later examples use what earlier ones made, as a reader does.
    namespace: dict[str, object] = {"__name__": "guide"}

    for number, block in enumerate(_blocks("python")):
        exec(compile(block, f"block {number} of the guide", "exec"), namespace)

    assert "cards seen" in capsys.readouterr().out


async def test_the_scripts_of_the_guide_play_on_a_scripted_server(tmp_path: Path) -> None:
    _written(tmp_path)
    namespace: dict[str, object] = {"__name__": "guide"}
    (block,) = [block for block in _blocks("python") if "ScriptedServer" in block]
    exec(block, namespace)

    await _python_my_bot(tmp_path, namespace["script_with_a_broken_line"], namespace["script"])


async def _python_my_bot(folder: Path, *scripts: object) -> None:
    """Run `python my_bot.py` against scripts, and end it as a person does."""
    async with ScriptedServer(*scripts) as server:  # type: ignore[arg-type]
        environment = {"KITUMAIJA_ADDRESS": server.address, "KITUMAIJA_TOKEN": "token"}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "my_bot.py",
            cwd=folder,
            env={**os.environ, **environment},
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            await server.played()
            process.send_signal(signal.SIGINT)
            _, said = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    assert process.returncode == ExitCode.OK, said


async def test_the_bot_in_ten_lines_plays_on_a_server(tmp_path: Path) -> None:
    _written(tmp_path)

    async def script(line: Line) -> None:
        await line.greet()
        await host_match(line, "m", seed=1)

    assert "python my_bot.py" in _commands()
    await _python_my_bot(tmp_path, script)


def test_a_bot_really_takes_ten_lines() -> None:
    (block,) = [block for block in _blocks("python") if block.startswith("# my_bot.py")]

    assert len([line for line in block.splitlines() if line.strip()]) <= 10


@pytest.mark.timeout(600)
def test_every_command_of_the_guide_does_what_it_is_for(tmp_path: Path) -> None:
    _written(tmp_path)
    run = [command for command in _commands() if command.startswith("kitumaija ")]

    assert len(run) >= 6
    for command in run:
        program = "from kitumaija.sdk.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", program, *command.split()[1:]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == ExitCode.OK, f"{command}: {done.stderr}"


def test_the_table_of_a_turn_names_every_value_there_is() -> None:
    section = GUIDE.split("\n## What a turn tells\n")[1].split("\n## ")[0]
    told = set(re.findall(r"`(\w+)(?:\(\))?`", section))
    values = {name for name in dir(Turn) if not name.startswith("_")}

    # The view holds the same once more; the clock's own parts are behind `remaining`.
    assert values - told == {"asked_at", "clock", "view"}


def test_the_table_of_exit_codes_is_the_one_there_is() -> None:
    rows = re.findall(r"^\| (\d+) \|", GUIDE, re.MULTILINE)

    assert [int(row) for row in rows] == [code.value for code in ExitCode]


def test_every_error_is_named() -> None:
    named = {cls.__name__ for cls in SdkError.__subclasses__()}

    assert {name for name in named if f"`{name}`" not in GUIDE} == set()


def test_kinds_are_where_the_guide_imports_them_from() -> None:
    assert Kind.HELLO.value == "hello"
