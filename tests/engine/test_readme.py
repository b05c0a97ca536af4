"""What the engine's README shows is run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "engine" / "README.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
IMPORTED = re.compile(r"^from kitumaija\.engine\.(\w+) import", re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_the_readme_runs(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example, str(README), "exec"), {})

    assert capsys.readouterr().err == ""


def test_the_first_example_plays_a_game_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(EXAMPLES[0], str(README), "exec"), {})

    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("catch P0 stock=[")
    assert re.fullmatch(r"(finished|repetition|turn_cap) \(\d, \d, \d\)", last)


def test_every_file_of_the_engine_is_in_the_readme() -> None:
    files = {path.name for path in (README.parent / "kitumaija" / "engine").glob("*.py")}
    named = set(re.findall(r"`(\w+\.py)`", README.read_text(encoding="utf-8")))

    assert files - {"__init__.py"} == named


def test_a_file_imports_only_from_those_above_it_in_the_readme() -> None:
    rows = re.findall(r"^\| (`\w+\.py`.*?) \|", README.read_text(encoding="utf-8"), re.MULTILINE)
    height = {
        name: row for row, names in enumerate(rows) for name in re.findall(r"`(\w+)\.py`", names)
    }
    upwards = [
        f"{name} imports {imported}"
        for name in height
        for imported in re.findall(
            r"^from kitumaija\.engine\.(\w+) import", _text(name), re.MULTILINE
        )
        if height[imported] > height[name]
    ]

    assert upwards == []


def _text(module: str) -> str:
    path = README.parent / "kitumaija" / "engine" / f"{module}.py"
    return path.read_text(encoding="utf-8")
