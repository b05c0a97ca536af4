"""What the organizers' commands take on the command line."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
import typer

from kitumaija.engine import HandSizes, PickUp
from kitumaija.server.cli.creating import parse_pairs
from kitumaija.server.cli.parameters import organizer_token, parse_duration


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("1s", timedelta(seconds=1)),
        ("250ms", timedelta(milliseconds=250)),
        ("1.5m", timedelta(seconds=90)),
        ("40us", timedelta(microseconds=40)),
        ("2h", timedelta(hours=2)),
        ("0s", timedelta(0)),
    ],
)
def test_a_duration_is_a_number_and_a_unit(text: str, duration: timedelta) -> None:
    assert parse_duration(text) == duration


@pytest.mark.parametrize(
    "text", ["", "1", "s", "-1s", "1 s", "1sec", "1s2s", "nan s", "1e3s", "٣s s"]
)
def test_what_is_no_duration_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(typer.BadParameter, match=r"such as 1\.5s or 250ms"):
        parse_duration(text)


def test_limits_are_named_with_hyphens_or_underscores() -> None:
    assert parse_pairs("limits", ["per-decision=100ms", "bank=2s"]) == {
        "limits.per_decision": timedelta(milliseconds=100),
        "limits.bank": timedelta(seconds=2),
    }


@pytest.mark.parametrize("text", ["bank", "bonk=1s", "=1s"])
def test_an_unknown_limit_is_refused_with_the_names_there_are(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="startup, per_decision, bank"):
        parse_pairs("limits", [text])


def test_options_of_the_rules_are_given_by_the_names_of_the_rules() -> None:
    assert parse_pairs("options", ["pickup=always", "hand_sizes=never", "repetition=0"]) == {
        "options.pickup": PickUp.ALWAYS,
        "options.hand_sizes": HandSizes.NEVER,
        "options.repetition": 0,
    }


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("pickup=sometimes", '"unable", "always"'),
        ("pickup=unspecified", '"unable", "always"'),
        ("repetition=-1", "whole number"),
        ("repetition=many", "whole number"),
        ("jokers=2", "free_from_stock, pickup"),
    ],
)
def test_an_unknown_option_is_refused_with_what_there_is(text: str, wanted: str) -> None:
    with pytest.raises(typer.BadParameter, match=wanted):
        parse_pairs("options", [text])


def test_the_organizers_token_is_the_one_given_or_the_one_that_the_server_left(
    tmp_path: Path,
) -> None:
    (tmp_path / "organizer.token").write_text("left\n", encoding="utf-8")

    assert organizer_token("given", tmp_path) == "given"
    assert organizer_token(None, tmp_path) == "left"
    assert organizer_token(None, tmp_path / "elsewhere") == ""
