"""The sample bots in other languages, as processes, on a real server: `make test-bots`.

A language is one file in `.ci/bots`, which builds, tests and starts its bot.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import BotProcesses, ServerProcess, whole_tournament

pytestmark = [pytest.mark.languages, whole_tournament]

STARTERS = {path.name: path for path in (Path(__file__).parents[2] / ".ci" / "bots").iterdir()}
LANGUAGES = sorted(STARTERS)
# Python's is the bot to compare with; the others fill the table.
SAMPLES = {"python": "sample:smallest", "observer": "sample:observer", "gambler": "sample:gambler"}


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
        pass


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
    samples = list(SAMPLES)[: max(1, 4 - len(LANGUAGES))]
    entrants = [*LANGUAGES, *samples]
    tokens = server.register(*entrants)
    for language in LANGUAGES:
        _start(bots, language, server.address, tokens[language])
    for name in samples:
        bots.start(name, SAMPLES[name], address=server.address, token=tokens[name])
    server.run(
        *("tournament", "create", "t", "--seats", "2", "--seats", "4", "--rounds", "3"),
        *("--limit", "per_decision=60s", "--limit", "grace=60s", "--limit", "startup=60s"),
    )
    server.run("tournament", "enter", "t", *entrants)
    server.run("tournament", "start", "t", "--allow-absent")
    planned = server.read("tournament", "show", "t")["matches"]["planned"]
    for kill in range(1, kills + 1):
        while server.read("tournament", "show", "t")["matches"]["finished"] < kill * planned // 4:
            pass
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
