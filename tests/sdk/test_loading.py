"""From a bot's name to its class, and what is said where that fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from kitumaija.sdk.errors import LoadError
from kitumaija.sdk.loading import command_of, load, sample_names

TWO_BOTS = """
from kitumaija.sdk import Bot

class Base(Bot):
    pass

class Fast(Bot):
    def choose(self, turn):
        return turn.legal[0]

class Slow(Fast):
    pass

number = 7
"""


@pytest.fixture(name="two")
def _two(tmp_path: Path) -> Path:
    path = tmp_path / "two.py"
    path.write_text(TWO_BOTS, encoding="utf-8")
    return path


def test_a_class_is_loaded_by_its_name(two: Path) -> None:
    assert load(f"{two}:Fast").__name__ == "Fast"
    assert load(f"{two}:Slow") is load(f"{two}:Slow")


def test_a_file_with_one_bot_needs_no_name(tmp_path: Path) -> None:
    path = tmp_path / "one.py"
    path.write_text(TWO_BOTS.replace("class Slow(Fast):\n    pass\n", ""), encoding="utf-8")

    assert load(str(path)).__name__ == "Fast"


def test_what_lies_beside_the_file_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "my_helper_beside.py").write_text("CHOICE = -1", encoding="utf-8")
    path = tmp_path / "importing.py"
    path.write_text("import my_helper_beside\n" + TWO_BOTS, encoding="utf-8")

    assert load(f"{path}:Fast").__name__ == "Fast"


@pytest.mark.parametrize("name", sample_names())
def test_every_sample_is_loaded_by_its_name(name: str) -> None:
    assert load(f"sample:{name}").__module__.startswith("kitumaija_bot_")


def test_an_unknown_sample_names_those_there_are() -> None:
    with pytest.raises(LoadError, match=r"no such sample bot; there are .*smallest"):
        load("sample:nobody")


def test_a_missing_file_is_told_with_the_forms_of_a_name() -> None:
    with pytest.raises(LoadError, match=r"there is no file nowhere.py \(a bot is named"):
        load("nowhere.py:Bot")


def test_a_missing_class_names_the_bots_that_are_there(two: Path) -> None:
    with pytest.raises(LoadError, match="the file has no Quick; it defines the bots Fast, Slow"):
        load(f"{two}:Quick")


def test_two_bots_and_no_name_are_told(two: Path) -> None:
    with pytest.raises(LoadError, match="it defines the bots Fast, Slow; say which"):
        load(str(two))


def test_what_is_no_bot_is_told(two: Path) -> None:
    with pytest.raises(LoadError, match=r"number is not a bot.*derived from kitumaija.sdk.Bot"):
        load(f"{two}:number")


def test_a_bot_that_is_not_finished_is_told(two: Path) -> None:
    with pytest.raises(LoadError, match="Base has no method choose"):
        load(f"{two}:Base")


def test_a_file_whose_bot_misspells_choose_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "misspelt.py"
    one_bot = TWO_BOTS.replace("class Base(Bot):\n    pass\n", "")
    path.write_text(one_bot.replace("def choose", "def chose"), encoding="utf-8")

    with pytest.raises(LoadError, match="Fast has no method choose"):
        load(str(path))


def test_a_file_without_bots_is_told(tmp_path: Path) -> None:
    path = tmp_path / "none.py"
    path.write_text("x = 1", encoding="utf-8")

    with pytest.raises(LoadError, match="it defines no bot"):
        load(str(path))


def test_a_file_that_fails_shows_the_authors_lines_and_not_the_sdks(tmp_path: Path) -> None:
    path = tmp_path / "failing.py"
    path.write_text("def f():\n    return 1 / 0\n\nf()\n", encoding="utf-8")

    with pytest.raises(LoadError) as raised:
        load(f"{path}:Bot")

    text = str(raised.value)
    assert "failed while it was imported" in text
    assert "ZeroDivisionError: division by zero" in text
    assert 'failing.py", line 4' in text
    assert "loading.py" not in text
    assert "importlib" not in text


def test_a_file_that_does_not_parse_shows_where(tmp_path: Path) -> None:
    path = tmp_path / "syntax.py"
    path.write_text("def (:\n", encoding="utf-8")

    with pytest.raises(LoadError, match="SyntaxError"):
        load(str(path))


def test_a_file_that_failed_is_tried_again_when_it_was_mended(tmp_path: Path) -> None:
    path = tmp_path / "mended.py"
    path.write_text("x = 1 / 0", encoding="utf-8")
    with pytest.raises(LoadError):
        load(str(path))
    path.write_text(TWO_BOTS, encoding="utf-8")

    assert load(f"{path}:Fast").__name__ == "Fast"


def test_a_file_that_is_no_python_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bot.txt"
    path.write_text("hello", encoding="utf-8")

    with pytest.raises(LoadError, match="no Python file"):
        load(f"{path}:Bot")


def test_a_command_is_no_class_and_it_is_said_where_one_may_be_named() -> None:
    with pytest.raises(LoadError, match="started as a process of its own, by `kitumaija arena`"):
        load("cmd:sh -c true")


def test_a_command_that_cannot_be_started_is_an_error_of_loading() -> None:
    assert command_of("sample:smallest") is None
    with pytest.raises(LoadError, match="there is no program no-such-program"):
        command_of("cmd:no-such-program")
