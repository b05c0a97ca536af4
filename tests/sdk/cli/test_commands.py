"""The authors' commands as they are typed."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint, version
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import typer
from typer.testing import CliRunner

from kitumaija.engine import commitment
from kitumaija.sdk import play
from kitumaija.sdk.check.steps import catalogue
from kitumaija.sdk.cli import main
from kitumaija.sdk.cli.extensions import GROUP, ORGANIZERS, extend
from kitumaija.sdk.cli.root import build
from kitumaija.sdk.records import record_of, save
from kitumaija.wire.exits import ExitCode
from kitumaija.wire.record import record_to_json
from tests.support.bots import First, Last

GAMES = ("--games", "4", "--seed", "1")
BROKEN = """
from kitumaija.sdk import Bot, TakeCards

class Broken(Bot):
    def choose(self, turn):
        return TakeCards(6)
"""


def run(*words: str | Path) -> Any:
    """Run a command in this process."""
    return CliRunner().invoke(build(), list(map(str, words)))


def ends(*words: str | Path) -> int:
    """Run the whole program in this process; its exit code."""
    with pytest.raises(SystemExit) as ended:
        main(list(map(str, words)))
    return int(ended.value.code or 0)


@pytest.fixture(name="record")
def _record(tmp_path: Path) -> Path:
    path = tmp_path / "game.kitu"
    save(play([First, Last, First], seed="story"), path)
    return path


def test_it_says_its_version() -> None:
    assert run("--version").stdout == f"kitumaija {version('kitumaija')}\n"


def test_an_arena_prints_places_and_who_beats_whom() -> None:
    done = run("arena", "sample:observer", "sample:smallest", *GAMES)

    assert done.exit_code == ExitCode.OK
    assert "mean place" in done.stdout
    assert "4 games in 2 sets" in done.stdout
    assert "duplicates: the games of a set have one deal (only here" in done.stdout
    assert "95 % interval" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_an_arena_prints_json_and_nothing_else_for_programs() -> None:
    done = run("arena", "sample:observer", "sample:smallest", *GAMES, "--json")

    found = json.loads(done.stdout)
    assert (found["games"], found["sets"]) == (4, 2)
    assert {row["name"] for row in found["standings"]} == {"Observer", "Smallest"}


def test_an_arena_may_deal_anew_for_every_game_as_a_server_does() -> None:
    done = run("arena", "sample:observer", "sample:smallest", *GAMES, "--fresh-deals")

    assert "every game has a deal of its own, as on a server" in done.stdout


def test_an_arena_takes_seats_limits_options_and_keeps_records(tmp_path: Path) -> None:
    done = run(
        *("arena", "sample:smallest", "sample:smallest", "--seats", "3", "--games", "3"),
        *("--limit", "per-decision=20ms", "--option", "pickup=always"),
        *("--option", "turns_per_player=5", "--records", tmp_path / "r", "--json"),
    )

    assert done.exit_code == ExitCode.OK
    assert json.loads(done.stdout)["seats"] == 3
    shown = run("replay", "show", tmp_path / "r" / "3-0-0.kitu")
    assert "options: pickup=always, turns_per_player=5" in shown.stdout


def test_an_arena_with_a_single_error_says_that_it_is_the_only_one(tmp_path: Path) -> None:
    source = """
from kitumaija.sdk import Bot


class Once(Bot):
    erred = False

    def choose(self, turn):
        if Once.erred:
            return turn.legal[0]
        Once.erred = True
        raise ValueError("the first turn")
"""
    (tmp_path / "once.py").write_text(source, encoding="utf-8")

    done = run("arena", tmp_path / "once.py", "sample:smallest", "--games", "2")

    assert "\nthe only error: Once: choose raised ValueError: the first turn" in done.stderr


def test_an_arena_with_a_bot_that_answers_illegally_ends_with_1_and_shows_the_error(
    tmp_path: Path,
) -> None:
    (tmp_path / "broken.py").write_text(BROKEN, encoding="utf-8")

    done = run("arena", tmp_path / "broken.py", "sample:smallest", *GAMES)

    assert done.exit_code == ExitCode.FAILED
    assert "errors: Broken: choose answered 'take 6', which is not legal" in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--limit", "bank"), "wanted NAME=VALUE of: startup"),
        (("--limit", "tea=5s"), "got 'tea=5s'"),
        (("--limit", "bank=5"), "'5' is no duration"),
        (("--limit", "per_decision=0s"), "wanted a duration of more than zero"),
        (("--option", "pickup=never"), "wanted one of unable, always"),
        (("--option", "repetition=1"), "wanted 0 (off) or at least 2"),
    ],
)
def test_a_wrong_limit_or_option_is_told(words: tuple[str, ...], says: str) -> None:
    done = run("arena", "sample:smallest", "sample:smallest", *words)

    assert done.exit_code == ExitCode.USAGE
    assert says in " ".join(done.stderr.replace("│", " ").split())


def test_a_bot_that_cannot_be_loaded_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert ends("arena", "sample:nobody", "sample:smallest") == ExitCode.USAGE
    assert capsys.readouterr().err.startswith("sample:nobody: there is no such sample bot")


def local_games(*words: str | Path) -> Any:
    """Check a Python bot by its local games alone, which need no process."""
    return run("check", *words, "--only", "local-games")


def test_the_local_games_of_a_sound_bot_are_counted() -> None:
    done = local_games("sample:smallest", "--games", "8")

    assert done.exit_code == ExitCode.OK
    assert "ok    local-games" in done.stdout
    assert "(8 games, " in done.stdout
    assert done.stdout.endswith("1 step: 1 passed, 0 failed\n")


def test_a_check_prints_json_and_its_progress_elsewhere() -> None:
    done = local_games("sample:smallest", "--games", "4", "--json")

    found = json.loads(done.stdout)
    assert (found["ok"], found["passed"], found["failed"], found["skipped"]) == (True, 1, 0, 0)
    assert found["steps"][0]["step"] == "local-games"
    assert found["steps"][0]["note"].startswith("4 games, ")
    assert done.stderr.startswith("ok    local-games")


@pytest.mark.parametrize("as_json", [False, True])
def test_a_check_of_a_broken_bot_ends_with_1(tmp_path: Path, *, as_json: bool) -> None:
    (tmp_path / "broken.py").write_text(BROKEN, encoding="utf-8")

    done = local_games(tmp_path / "broken.py", *(["--json"] if as_json else []))

    assert done.exit_code == ExitCode.FAILED
    said = json.loads(done.stdout)["steps"][0]["got"] if as_json else done.stdout
    assert "Broken: choose answered 'take 6', which is not legal" in said
    assert "play([" in said


def test_a_check_of_a_slow_bot_ends_with_1() -> None:
    limits = ("per_decision=1us", "bank=0s", "margin=0s")
    words = [word for limit in limits for word in ("--limit", limit)]
    done = local_games("sample:smallest", "--games", "4", *words)

    assert done.exit_code == ExitCode.FAILED
    assert "that took too long" in done.stdout


def test_a_check_writes_its_report_for_a_service_that_runs_tests(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(BROKEN, encoding="utf-8")

    local_games(tmp_path / "broken.py", "--junit", tmp_path / "check.xml")

    suite = ET.parse(tmp_path / "check.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    assert "take 6" in str(suite.findtext("testcase/failure"))


def test_the_steps_of_a_check_are_listed() -> None:
    listed = json.loads(run("check", "--list", "--json").stdout)

    assert [step["step"] for step in listed] == [step.id for step in catalogue.ALL]
    assert run("check", "--list").stdout.startswith("step")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--only", "nonsense"), "there is no step 'nonsense'; there are local-games, hello"),
        (("sample:smallest", "--listen", "127.0.0.1:0"), "--listen is for one that is not"),
        (("--listen", "127.0.0.1"), "got '127.0.0.1', wanted HOST:PORT"),
        (("--listen", "127.0.0.1:99999"), "got '127.0.0.1:99999', wanted HOST:PORT"),
    ],
)
def test_a_check_that_cannot_be_meant_is_told(words: tuple[str, ...], says: str) -> None:
    done = run("check", *words)

    assert done.exit_code == ExitCode.USAGE
    assert says in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize("bot", ["sample:nobody", "cmd:", "cmd:./no-such-bot"])
def test_a_bot_that_is_not_there_is_told(bot: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ends("check", bot) == ExitCode.USAGE
    assert capsys.readouterr().err.startswith(bot)


def test_a_bot_needs_a_server_to_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KITUMAIJA_ADDRESS", raising=False)

    assert ends("bot", "run", "sample:smallest") == ExitCode.USAGE
    assert "no server: set KITUMAIJA_ADDRESS" in capsys.readouterr().err


def test_a_game_is_told_turn_by_turn_in_80_columns(record: Path) -> None:
    done = run("replay", "show", record)
    lines = done.stdout.splitlines()

    assert done.exit_code == ExitCode.OK
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in done.stdout
    assert lines[0] == "deal local/story, rules 1"
    assert "seat 1 Last" in lines
    assert any(line.startswith("   1. 0 First: catch, top ") for line in lines)
    assert lines[-1].startswith("place 3: ")


def test_the_story_tells_every_decision_in_order(record: Path) -> None:
    played = play([First, Last, First], seed="story")

    lines = run("replay", "show", record).stdout.splitlines()

    told = [line.strip() for line in lines]
    for decision in played.record.decisions:
        card = getattr(decision.action, "card", None)
        if card is None:
            continue
        position = next(
            number
            for number, line in enumerate(told)
            if line in (f"catches with {card}", f"plays {card}", f"leads {card}")
        )
        told = told[position + 1 :]


def test_a_game_is_shown_as_its_json_form(record: Path) -> None:
    shown = run("replay", "show", record, "--json").stdout

    assert (
        shown.strip() == record_to_json(record_of(play([First, Last, First], seed="story"))).strip()
    )


def test_a_true_record_is_verified(record: Path) -> None:
    seed = play([First, Last, First], seed="story").record.deal.seed

    done = run("replay", "verify", record, "--commitment", commitment(seed).hex())

    assert done.exit_code == ExitCode.OK
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [
        ["ok", "commitment:"],
        ["ok", "deal:"],
        ["ok", "decisions:"],
        ["ok", "result:"],
    ]


def test_another_commitment_ends_with_1_and_is_named(record: Path) -> None:
    done = run("replay", "verify", record, "--commitment", "00" * 32, "--json")

    assert done.exit_code == ExitCode.FAILED
    found = json.loads(done.stdout)
    assert [finding["name"] for finding in found["findings"] if not finding["holds"]] == [
        "commitment"
    ]


def test_a_record_without_a_path_is_not_proved_by_a_root(record: Path) -> None:
    done = run("replay", "verify", record, "--root", "00" * 32)

    assert done.exit_code == ExitCode.FAILED
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("DIFFERS")]
    assert "path: the record has none" in line
    assert run("replay", "verify", record, "--root", "xyz").exit_code == ExitCode.USAGE


def test_a_commitment_that_is_no_number_is_a_wrong_call(record: Path) -> None:
    assert run("replay", "verify", record, "--commitment", "xyz").exit_code == ExitCode.USAGE


@pytest.mark.parametrize("command", ["show", "verify"])
def test_a_record_that_was_cut_off_ends_with_1(record: Path, command: str) -> None:
    record.write_bytes(record.read_bytes()[:-20])

    done = run("replay", command, record)

    assert done.exit_code == ExitCode.FAILED
    assert "is no whole record" in done.stderr


@pytest.mark.parametrize("content", [b"PK\x03\x04", b"", b'{"game": 1}', b"Dear sir,"])
def test_a_file_that_is_no_record_ends_with_1_and_is_told_what_was_wanted(
    content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "spring.zip"
    path.write_bytes(content)

    done = run("replay", "verify", path)

    assert done.exit_code == ExitCode.FAILED
    assert "spring.zip is no whole record: " in done.stderr
    assert "got" in done.stderr
    assert "give a record file in either form" in done.stderr
    assert "is checked by `kitumaija tournament verify`" in done.stderr


@pytest.mark.parametrize("command", ["show", "verify"])
def test_a_record_that_is_not_there_ends_with_2(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ends("replay", command, tmp_path / "none.kitu") == ExitCode.USAGE
    assert "cannot be read" in capsys.readouterr().err


##### Commands of other packages #####


def greet(root: typer.Typer, groups: dict[str, typer.Typer]) -> None:
    """What an entry point of another package is: it adds to the root and to the groups."""

    def hello() -> None:
        typer.echo("hello")

    root.command("hello")(hello)
    groups["replay"].command("greet")(hello)


def needs_what_is_not_there(root: typer.Typer, groups: dict[str, typer.Typer]) -> None:
    """A package that is there without what it needs."""
    import a_module_of_another_extra  # type: ignore[import-not-found]  # noqa: F401


def _with(*functions: str) -> typer.Typer:
    root, groups = typer.Typer(), {"bot": typer.Typer(), "replay": typer.Typer()}
    root.callback()(lambda: None)
    for name, group in groups.items():
        root.add_typer(group, name=name)
    points = [EntryPoint(name, f"{__name__}:{name}", GROUP) for name in functions]
    extend(root, groups, points)
    return root


def test_an_installed_package_adds_to_the_root_and_to_the_groups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = _with("greet")

    assert CliRunner().invoke(root, ["hello"]).stdout == "hello\n"
    assert CliRunner().invoke(root, ["replay", "greet"]).stdout == "hello\n"


@pytest.mark.parametrize("functions", [(), ("needs_what_is_not_there",)])
@pytest.mark.parametrize(
    "words",
    [
        [*([group] if group else []), command]
        for group, commands in ORGANIZERS.items()
        for command in commands
    ],
    ids=" ".join,
)
def test_an_organizers_command_that_is_not_installed_says_what_to_install(
    words: list[str], functions: tuple[str, ...]
) -> None:
    done = CliRunner().invoke(_with(*functions), [*words, "--port", "1", "x"])

    assert done.exit_code == ExitCode.USAGE
    assert done.stderr == (
        f"kitumaija {' '.join(words)} is an organizer's command and needs more: "
        "pip install 'kitumaija[server]'\n"
    )


def test_help_wraps_where_the_terminal_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")

    shown = run("check", "--help").output

    [line] = [line for line in shown.splitlines() if "the server that the bot dials" in line]
    assert "or waits for one that you start" in line
