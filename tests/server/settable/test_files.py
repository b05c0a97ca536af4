"""A tournament's file: what is written is read again, and what is wrong is said, all at once."""

from __future__ import annotations

import re
import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitumaija.engine import PickUp
from kitumaija.server.choices import HandsVisible, IllegalActions
from kitumaija.server.rpc.settings_messages import settings_from_message
from kitumaija.server.settable.kinds import Aim, Duration, Flag, Kind, Several, Text, Whole, Word
from kitumaija.server.settable.messages import message_of
from kitumaija.server.settable.reading import FILE_BYTES_MAX, WrongFile, nearest, read_file
from kitumaija.server.settable.table import BY_PATH, GROUPS, OF_A_FILE, SETTINGS
from kitumaija.server.settable.writing import written_file
from kitumaija.server.tournament.settings import TournamentSettings

DOCUMENT = Path(__file__).parents[3] / "server" / "docs" / "tournaments.md"
IDS = st.text("abz09-", max_size=62).map("x".__add__)
PLAIN = "aZ0 äß語😀\"\\'#=.[{"
STRANGE = "\n\r\t\x7f\x1b\u202e\u2028\U000e0001"


def any_of(kind: Kind[Any]) -> st.SearchStrategy[Any]:
    """Return any value of a kind."""
    match kind:
        case Whole():
            numbers = st.integers(kind.least, kind.most)
            return numbers.filter(lambda number: number not in kind.besides)
        case Duration():
            least = timedelta(microseconds=1 if kind.more_than_zero else 0)
            return st.timedeltas(least, timedelta(days=365))
        case Word():
            return st.sampled_from(kind.words)
        case Flag():
            return st.booleans()
        case Several():
            return st.lists(any_of(kind.each), min_size=kind.least, max_size=5, unique=True).map(
                tuple
            )
        case Aim():
            return st.sampled_from(["", "top 3 settled at 95 %", "order of top 1 settled at 99.5%"])
        case Text():
            return st.text(PLAIN if kind.one_line else PLAIN + STRANGE, max_size=kind.most)
        case _:
            return IDS


VALUES = st.fixed_dictionaries(
    {}, optional={path: any_of(setting.kind) for path, setting in BY_PATH.items()}
)


def problems(text: str | bytes) -> tuple[str, ...]:
    with pytest.raises(WrongFile) as wrong:
        read_file(text if isinstance(text, bytes) else text.encode())
    return wrong.value.problems


@settings(max_examples=40)
@given(VALUES)
def test_what_is_written_is_read_as_what_it_was(values: dict[str, Any]) -> None:
    read = read_file(written_file(values).encode())
    assert read == {**read, **values}


def test_the_file_of_no_values_says_every_setting_and_makes_a_tournament_of_defaults() -> None:
    text = written_file({})
    read = read_file(text.encode())
    unsaid = {one.path for one in (*SETTINGS, *OF_A_FILE)} - read.keys()
    assert unsaid == {"id", "limits.match_cap"}
    assert settings_from_message(message_of(read)) == TournamentSettings()
    for setting in BY_PATH.values():
        assert f"\n{setting.name} = " in text or f"\n# {setting.name} = " in text
        assert setting.meaning.split(".")[0] in " ".join(text.replace("\n#", "").split())


def test_a_policy_without_retries_is_written_with_none() -> None:
    values = {"faults.illegal_actions": IllegalActions.FORFEIT_AT_ONCE}
    read = read_file(written_file(values).encode())
    assert settings_from_message(message_of(read)).policy.illegal_retries == 0


def test_a_file_is_read_key_by_key() -> None:
    text = """
    id = "cup"
    title = "Kesä & co."
    entrants = ["ann", "bob"]
    table_sizes = [2, 4]
    hands_visible = "after_match"
    blind = true
    limits.bank = "1.5m"
    [options]
    pickup = "always"
    [faults]
    faults_to_forfeit = 0
    """
    assert read_file(text.encode()) == {
        "id": "cup",
        "title": "Kesä & co.",
        "entrants": ("ann", "bob"),
        "table_sizes": (2, 4),
        "hands_visible": HandsVisible.AFTER_MATCH,
        "blind": True,
        "limits.bank": timedelta(seconds=90),
        "options.pickup": PickUp.ALWAYS,
        "faults.faults_to_forfeit": 0,
    }


def test_the_example_of_the_documents_is_such_a_file() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    read = read_file(example.encode())
    assert read["entrants"] == ("ann", "bob", "cid")
    assert settings_from_message(message_of(read)).policy.faults_to_forfeit == 0


def test_everything_that_is_wrong_is_told_at_once_and_in_order() -> None:
    said = problems(
        """
        tables_sizes = [2]
        rounds = 0
        blind = "yes"
        faults = 3
        per_decision = "1s"
        [limits]
        bank = 5
        startup = "0s"
        [options]
        pickup = "sometimes"
        """
    )
    assert [one.split(":")[0] for one in said] == [
        "tables_sizes",
        "rounds",
        "blind",
        "faults",
        "per_decision",
        "limits.bank",
        "limits.startup",
        "options.pickup",
    ]
    assert said[0].endswith("there is no such key; the nearest is table_sizes")
    assert said[1] == (
        "rounds: got 0, wanted a whole number of rounds from 1 to 10000; left out it is 1, and of "
        "a swiss and a ladder 10"
    )
    assert 'got "yes", wanted true or false' in said[2]
    assert "write [faults]" in said[3]
    assert said[4].endswith("the nearest is limits.per_decision")
    assert 'got 5, wanted a time such as "1.5s"' in said[5]
    assert "more than 0s" in said[6]
    assert 'got "sometimes", wanted one of "unable", "always"' in said[7]


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("round", "rounds"),
        ("Title", "title"),
        ("limits.per-decision", "limits.per_decision"),
        ("faults.retries", "faults.illegal_retries"),
        ("turns_per_players", "options.turns_per_player"),
        ("no_shows", "faults.no_shows_to_withdraw"),
    ],
)
def test_the_nearest_key_is_the_one_that_was_meant(key: str, meant: str) -> None:
    assert nearest(key) == meant


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rounds = true", "got true"),
        ("rounds = 1.0", "got 1.0"),
        ("rounds = nan", "got nan"),
        ("rounds = 1979-05-27", "got 1979-05-27"),
        ("rounds = 0x" + "f" * 40, "got a number beyond all bounds"),
        ("rounds = " + "9" * 5000, "no TOML"),
        ("rounds = {a = 1}", "got a table of 1 key"),
        ("rounds = [[[1]]]", r"got \[a list\]"),
        ("table_sizes = 2", "wanted a list"),
        ("table_sizes = [2, 2]", "once"),
        ('title = "a\\nb"', r"got \"a\\u000ab\""),
        ('title = "\\u202e"', r"marks that cannot be seen"),
        ('entrants = ["Ann"]', 'entrants: got "Ann", wanted 1 to 63 of a-z'),
        ('"limits.bank" = "1s"', '"limits.bank": there is no such key'),
        ("[[limits]]", "wanted a table"),
        ("rounds = 1\nrounds = 2", "no TOML"),
        ("rounds = ", "no TOML"),
        ('"\\u202e\\n" = 1', r"^\\u202e\\n: there is no such key"),
    ],
)
def test_what_cannot_be_is_refused_with_its_key(text: str, said: str) -> None:
    (only,) = problems(text)
    assert re.search(said, only), only
    assert only.isprintable()


def test_what_is_no_text_or_too_much_is_refused_before_it_is_read() -> None:
    assert problems(b"title = '\xff'") == ("byte 9: not UTF-8; save the file as UTF-8",)
    assert "bytes" in problems(b" " * (FILE_BYTES_MAX + 1))[0]
    assert read_file(b" " * FILE_BYTES_MAX) == {}
    assert "nested too deeply" in problems("rounds = " + "[" * 100_000)[0]


def test_of_very_many_unknown_keys_the_first_are_told_and_the_others_counted() -> None:
    said = problems("\n".join(f"key{number} = 1" for number in range(50)))
    assert len(said) == 21
    assert said[-1] == "30 more keys that no setting has"


def test_however_much_is_wrong_every_wrong_value_is_told() -> None:
    unknown = "".join(f"key{number} = 1\n" for number in range(30))
    wrong = "".join(f"{path} = [[1]]\n" for path in BY_PATH if "." not in path)
    for table in GROUPS:
        names = [path.partition(".")[2] for path in BY_PATH if path.startswith(f"{table}.")]
        wrong += f"[{table}]\n" + "".join(f"{name} = [[1]]\n" for name in names)
    said = problems(unknown + wrong)
    assert {problem.partition(":")[0] for problem in said} >= set(BY_PATH)
    assert said[-1] == "10 more keys that no setting has"


def test_a_table_that_is_spelt_wrong_is_told_the_table_that_is_meant() -> None:
    assert problems("[option]\npickup = 1") == (
        "option: there is no such key; the nearest is options",
    )


def test_a_file_may_be_any_toml_that_says_nothing() -> None:
    assert read_file(b"") == {}
    assert read_file(b"[limits]\n[options]\n# nothing\n") == {}
    assert tomllib.loads(written_file({}))["rounds"] == 1
