"""The sample bots in other languages, as processes, on a real server: `make test-bots`.

A language is one file in `.ci/bots`, which builds, tests and starts its bot.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kitumaija.console.children import Children
from kitumaija.console.commands import Command
from kitumaija.engine import Deal, GameOptions, text_seed
from kitumaija.sdk.bot import BotFactory
from kitumaija.sdk.clocks import real_clock
from kitumaija.sdk.hosting import Guest, Host
from kitumaija.sdk.loading import load
from kitumaija.sdk.local import play_deal
from kitumaija.sdk.players import Remote
from kitumaija.wire.record import game_to_bytes
from kitumaija.wire.times import Limits
from tests.support.processes import BotProcesses, ServerProcess, whole_tournament

pytestmark = [pytest.mark.languages, whole_tournament]

STARTERS = {path.name: path for path in (Path(__file__).parents[2] / ".ci" / "bots").iterdir()}
LANGUAGES = sorted(STARTERS)
NAME = "smallest"
OPTIONS = (
    GameOptions(),
    GameOptions.from_dict({"pickup": "always", "free_from_stock": "always"}),
    GameOptions.from_dict({"hand_sizes": "never"}),
)
PYTHON = "python"
"""The SDK's own `smallest`, which plays beside the others and is what they are compared with."""
LIMITS = Limits(per_decision=timedelta(seconds=60), startup=timedelta(seconds=60))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path / "data") as server:
        yield server


@pytest.fixture
def bots(tmp_path: Path) -> Iterator[BotProcesses]:
    with BotProcesses(tmp_path) as bots:
        yield bots


def _start(bots: BotProcesses, language: str, address: str, token: str, name: str = "") -> None:
    command = [str(STARTERS[language]), "run"]
    bots.start_command(name or language, command, address=address, token=token)


def _wait_until_connected(server: ServerProcess, *names: str) -> None:
    while not set(names) <= {bot["bot_id"] for bot in _connected(server)}:
        _between_two_looks()


def _between_two_looks() -> None:
    """Leave the processor to the bots, which have to share it."""
    time.sleep(0.1)


def _connected(server: ServerProcess) -> list[Any]:
    listed = server.read("bot", "list")["bots"]
    return [bot for bot in listed if bot["connected"]]


def _matches(server: ServerProcess) -> list[Any]:
    matches = server.read("tournament", "matches", "t")["matches"]
    assert isinstance(matches, list)
    return matches


@pytest.mark.parametrize("kills", [0, 2], ids=["undisturbed", "server killed twice"])
def test_bots_in_every_language_finish_a_round_robin_without_a_fault(
    server: ServerProcess, bots: BotProcesses, kills: int
) -> None:
    assert LANGUAGES
    entrants = [*LANGUAGES, PYTHON]
    tokens = server.register(*entrants)
    for language in LANGUAGES:
        _start(bots, language, server.address, tokens[language])
    bots.start(PYTHON, "sample:smallest", address=server.address, token=tokens[PYTHON])
    server.run(
        *("tournament", "create", "t", "--seats", "2", "--seats", "4"),
        *("--limit", "per_decision=60s", "--limit", "grace=60s", "--limit", "startup=60s"),
    )
    server.run("tournament", "enter", "t", *entrants)
    server.run("tournament", "start", "t", "--allow-absent")
    planned = server.read("tournament", "show", "t")["matches"]["planned"]
    for kill in range(1, kills + 1):
        while server.read("tournament", "show", "t")["matches"]["finished"] < kill * planned // 4:
            _between_two_looks()
        server.kill()
        server.start()
    server.run("tournament", "watch", "t")

    matches = _matches(server)
    assert len(matches) == planned
    for match in matches:
        assert match["ending"] == "MATCH_ENDING_PLAYED"
        assert [seat["faults"] for seat in match["seats"]] == [[] for _ in match["seats"]]
    for language in LANGUAGES:
        assert bots.stop(language) == 0, bots.log(language)
        assert "the bot failed" not in bots.log(language)


@pytest.fixture(scope="module")
def own_games() -> list[bytes]:
    """What the SDK's own `smallest` plays, in this process."""
    smallest = load("sample:smallest")
    return _games(smallest, smallest)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_decisions_give_the_same_bytes_in_whatever_language_they_are_made(
    language: str, own_games: list[bytes], tmp_path: Path
) -> None:
    command = Command(NAME, (str(STARTERS[language]), "run"))
    with Host(real_clock) as host, Children(tmp_path) as children:
        guests = [
            Guest(
                command,
                children,
                host,
                label=f"seat-{seat}",
                new_token=partial("token-{}".format, seat),
                startup=LIMITS.startup,
            )
            for seat in (0, 2)
        ]
        games = _games(*guests)

    assert len(set(games)) == len(games)
    assert games == own_games


def _games(first: BotFactory | Remote, third: BotFactory | Remote) -> list[bytes]:
    """The game sections of some records of a table, under several options.

    Between the two sits a bot that plays better, so that the games take many courses. A name is no
    bot's own here, for it is in the record.
    """
    games = []
    for number, options in enumerate(OPTIONS * 3):
        played = play_deal(
            [first, load("sample:observer"), third],
            Deal(f"same/{number}", text_seed(str(number))),
            options=options,
            limits=LIMITS,
        )
        games.append(game_to_bytes(replace(played.record, seats=("a", "b", "c"))))
    return games


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_gives_way_to_a_newer_copy_of_itself(
    server: ServerProcess, bots: BotProcesses, language: str
) -> None:
    token = server.register("twin")["twin"]
    _start(bots, language, server.address, token, "older")
    _wait_until_connected(server, "twin")
    _start(bots, language, server.address, token, "newer")

    assert bots.wait("older") == 4, bots.log("older")
    assert "REPLACED" in bots.log("older")
    assert bots.stop("newer") == 0, bots.log("newer")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_with_a_wrong_token_does_not_dial_again(
    server: ServerProcess, bots: BotProcesses, language: str
) -> None:
    _start(bots, language, server.address, "nobody's")

    assert bots.wait(language) == 4, bots.log(language)
    assert "UNAUTHENTICATED_TOKEN" in bots.log(language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("missing", ["KITUMAIJA_ADDRESS", "KITUMAIJA_TOKEN"])
def test_a_bot_says_which_setting_it_lacks(bots: BotProcesses, language: str, missing: str) -> None:
    settings = {"address": "localhost:1", "token": "t"}
    settings[missing.removeprefix("KITUMAIJA_").lower()] = ""
    _start(bots, language, **settings)

    assert bots.wait(language) == 2, bots.log(language)
    assert missing in bots.log(language)
