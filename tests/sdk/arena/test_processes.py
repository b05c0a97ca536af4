"""Bots in other languages in the arena: as commands, which it starts, hosts and ends."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from kitumaija.sdk.arena import arena
from kitumaija.sdk.bot import BotFactory
from kitumaija.sdk.errors import BotError, LoadError, SdkError, UsageError
from kitumaija.sdk.records import read_record
from tests.support import hand_made
from tests.support.bots import First
from tests.support.processes import nothing_is_left


def command(how: str, mark: Path) -> str:
    """The hand-made bot, started by a command that names `mark`."""
    words = ["env", f"MARK={mark}", sys.executable, hand_made.__file__, how]
    return f"cmd:{shlex.join(words)}"


def test_a_mixed_table_comes_out_the_same_whoever_plays_it(tmp_path: Path) -> None:
    bots: list[str | BotFactory] = [command("fair", tmp_path), "sample:observer"]

    def play(jobs: int | None) -> object:
        return arena(bots, seats=2, games=4, seed=1, jobs=jobs, on_error="raise")

    assert play(None) == play(2)
    assert nothing_is_left(tmp_path)


def test_processes_make_the_same_games_as_classes_that_decide_alike(tmp_path: Path) -> None:
    # At a table of three the first of two bots sits twice.
    for folder, bot in (("process", command("fair", tmp_path)), ("class", First)):
        arena([bot, First], seats=3, games=3, seed=1, duplicate=False, records=tmp_path / folder)

    for name in ("3-0-0.kitu", "3-0-1.kitu", "3-0-2.kitu"):
        process, own = (read_record(tmp_path / folder / name) for folder in ("process", "class"))
        assert [bot.language for bot in process.timings.bots].count("sketch") == 2
        assert process.game.decisions == own.game.decisions
        assert process.game.result == own.game.result


def test_processes_that_play_many_games_are_dealt_no_cards_twice(tmp_path: Path) -> None:
    bots: list[str | BotFactory] = [command("fair", tmp_path), First]

    assert not arena(bots, seats=2, games=2, seed=1).duplicate
    with pytest.raises(UsageError, match="wanted a fresh process for every game"):
        arena(bots, seats=2, games=2, seed=1, duplicate=True)
    assert arena(bots, seats=2, games=2, seed=1, fresh_bots=True).duplicate


def test_a_crash_is_counted_and_shown_or_ends_the_arena(tmp_path: Path) -> None:
    bots: list[str | BotFactory] = [command("crashes", tmp_path), First]

    rows = {row.name: row for row in arena(bots, seats=2, games=2, seed=1, jobs=1).rows}

    assert rows["python"].errors == 2
    assert "out of ideas" in rows["python"].first_error
    with pytest.raises(BotError, match="exit code 7"):
        arena(bots, seats=2, games=2, seed=1, jobs=1, on_error="raise")
    assert nothing_is_left(tmp_path)


def test_a_process_that_does_not_dial_in_ends_the_arena_with_what_it_said() -> None:
    with pytest.raises(SdkError, match=r"ended before it connected.*exit code 3(?s:.*)no model"):
        arena(["cmd:sh -c 'echo no model; exit 3'", First], seats=2, games=2, seed=1, jobs=1)


def test_a_command_that_cannot_be_started_is_found_before_a_game_begins() -> None:
    with pytest.raises(LoadError, match="there is no program no-such-program"):
        arena(["cmd:no-such-program", First], seats=2, games=2, seed=1)
