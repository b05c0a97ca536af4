"""The match knows no network, no store, no clock, no chance and no message of the protocol."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from kitumaija.server import match
from tests.support.syntax import tree_of

FILES = sorted(Path(match.__file__).parent.glob("*.py"))
ALLOWED = {
    "__future__",
    "collections.abc",
    "dataclasses",
    "datetime",
    "enum",
    "json",
    "kitumaija.engine",
    "kitumaija.server.choices",  # what a setting may be, and nothing else
    "kitumaija.wire.record",
    "kitumaija.wire.times",
    "types",
    "typing",
}


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree_of(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_room_of_the_match_imports_values_and_nothing_that_acts(path: Path) -> None:
    others = {name for name in imported(path) if not name.startswith("kitumaija.server.match")}
    assert others <= ALLOWED


def test_no_date_is_asked_of_the_system() -> None:
    for path in FILES:
        assert ".now(" not in path.read_text(encoding="utf-8")
