"""The lessons in LESSONS.md name tests that there are."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.support.syntax import tree_of

TESTS = Path(__file__).parents[1]
LESSONS = (TESTS / "LESSONS.md").read_text(encoding="utf-8")
LINES = re.findall(r"^- (.*(?:\n  .*)*)", LESSONS, flags=re.MULTILINE)


def _first_words(line: str) -> str:
    return " ".join(line.split()[:8])


@pytest.mark.parametrize("line", LINES, ids=_first_words)
def test_a_lesson_names_tests_that_there_are(line: str) -> None:
    files = [TESTS / path for path in re.findall(r"\]\(([^)]+)\)", line)]
    named = set(re.findall(r"`(test_\w+)`", line))

    assert files, "a lesson without a test is a wish"
    there = {
        node.name
        for file in files
        for node in ast.walk(tree_of(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert named <= there


def test_every_line_of_the_lessons_is_read() -> None:
    assert len(LINES) == LESSONS.count("\n- ")
