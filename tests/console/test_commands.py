"""Bots named by the command that starts them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kitumaija.console.commands import CommandError, is_command, parse_command


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with a program, a file that is none, and a folder."""
    for name in ("my-bot", "bot.jar", "notes"):
        (tmp_path / name).write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "my-bot").chmod(0o755)
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("cmd:./my-bot", ["./my-bot"]),
        ("cmd:./my-bot  --level 'very high'", ["./my-bot", "--level", "very high"]),
        ('cmd:sh -c "exec ./my-bot"', ["sh", "-c", "exec ./my-bot"]),
        ("cmd:sh $HOME/* ; true", ["sh", "$HOME/*", ";", "true"]),
    ],
)
def test_a_command_is_parted_as_a_shell_parts_it_and_nothing_is_expanded(
    bot: str, words: list[str]
) -> None:
    assert list(parse_command(bot).words) == words


@pytest.mark.parametrize(
    ("bot", "name"),
    [
        ("cmd:./my-bot", "my-bot"),
        ("cmd:./my-bot bot.jar", "my-bot"),
        ("cmd:sh bot.jar", "bot"),
        ("cmd:sh -x bot.jar notes", "bot"),
        ("cmd:env LEVEL=3 ./my-bot", "my-bot"),
        ("cmd:sh -c true", "sh"),
    ],
)
def test_a_bot_is_called_after_its_program_or_the_file_that_this_runs(bot: str, name: str) -> None:
    assert parse_command(bot).name == name


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        ("cmd:", "there is no command after cmd:"),
        ("cmd:   ", "there is no command after cmd:"),
        ("cmd:''", "there is no command after cmd:"),
        ("cmd:sh 'oops", "cannot be parted into words: no closing quotation"),
        ("cmd:./yours --fast", "there is no program yours (seen from"),
        ("cmd:no-such-program", "there is no program no-such-program on the PATH"),
        ("cmd:my-bot", "for the one in this folder write ./my-bot"),
        ("cmd:LEVEL=3 ./my-bot", "write cmd:'env LEVEL=3 ./my-bot'"),
        ("cmd:./inner", "inner is a folder"),
        ("cmd:./notes", "chmod +x notes"),
    ],
)
def test_what_cannot_be_started_is_refused_with_what_to_do(bot: str, problem: str) -> None:
    with pytest.raises(CommandError) as refused:
        parse_command(bot)

    assert str(refused.value).startswith(f"{bot}: ")
    assert problem in str(refused.value)


def test_only_a_name_that_begins_so_is_a_command() -> None:
    assert is_command("cmd:sh")
    assert not is_command("sample:cmd")
    assert not is_command("cmd.py:Bot")
