"""The list of steps, and what the documents say of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kitumaija.sdk.check.steps import catalogue

ROOT = Path(__file__).parents[4]
SDK_GUIDE = (ROOT / "sdk/README.md").read_text(encoding="utf-8")
PROTOCOL_GUIDE = (ROOT / "proto/README.md").read_text(encoding="utf-8")


def test_the_guide_lists_every_step_as_it_is() -> None:
    rows = [f"| `{step.id}` | {step.sentence} | *{step.section}* |" for step in catalogue.ALL]

    chapter = SDK_GUIDE.split("\n## Check your bot\n")[1].split("\n## ")[0]
    assert [line for line in chapter.splitlines() if line.startswith("| `")] == rows


def test_every_step_names_a_section_of_the_protocols_guide() -> None:
    sections = set(re.findall(r"^###? (.+)$", PROTOCOL_GUIDE, re.MULTILINE))

    assert {step.section for step in catalogue.ALL} - sections == set()


def test_steps_have_names_of_their_own_and_whole_sentences() -> None:
    ids = [step.id for step in catalogue.ALL]

    assert len(set(ids)) == len(ids)
    for step in catalogue.ALL:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", step.id)
        assert step.sentence[0].isupper()
        assert step.sentence.endswith(".")
        assert step.hint.endswith(".")


def test_steps_are_run_in_the_order_of_the_list_however_they_are_named() -> None:
    assert [step.id for step in catalogue.named(["ready", "hello"])] == ["hello", "ready"]


def test_a_step_that_there_is_not_is_told() -> None:
    with pytest.raises(ValueError, match="there is no step 'nonsense'; there are local-games"):
        catalogue.named(["hello", "nonsense"])
