"""The table of settings: it is whole, and a server keeps what it says."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, cast

import pytest
from google.protobuf.descriptor import Descriptor

from kitumaija.server.choices import Format
from kitumaija.server.errors import InvalidArgument
from kitumaija.server.rpc.settings_messages import settings_from_message, settings_to_message
from kitumaija.server.settable.kinds import (
    Aim,
    Duration,
    Kind,
    Several,
    Text,
    Whole,
    Word,
    WrongValue,
)
from kitumaija.server.settable.messages import message_of, values_of
from kitumaija.server.settable.table import GROUPS, SETTINGS, Setting
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.times import LONGEST

DEFAULTS = {one.path: one.default for one in SETTINGS if one.default is not None}
NUMBERS = [one for one in SETTINGS if isinstance(one.kind, Whole)]
WORDS = [one for one in SETTINGS if isinstance(one.kind, Word)]
TIMES = [one for one in SETTINGS if isinstance(one.kind, Duration)]


def fields_of(kind: Descriptor, before: str = "") -> Iterator[str]:
    """Yield the paths of a message's fields, those of the messages in it too."""
    for field in kind.fields:
        inner = field.message_type
        if inner is None or inner.full_name == "google.protobuf.Duration":
            yield before + field.name
        else:
            yield from fields_of(inner, f"{before}{field.name}.")


ADAPTIVE = {"format": Format.ADAPTIVE, "until": "top 1 settled at 95 %", "match_budget": 100}


def kept(values: dict[str, Any]) -> TournamentSettings:
    return settings_from_message(message_of(values))


def test_every_setting_of_the_protocol_is_in_the_table_once() -> None:
    paths = [one.path for one in SETTINGS]
    assert sorted(paths) == sorted(fields_of(v1.TournamentSettings.DESCRIPTOR))
    assert {one.group for one in SETTINGS} == {"", *GROUPS}


def test_the_defaults_of_the_table_are_those_of_a_server() -> None:
    whole = values_of(settings_to_message(kept({})))
    assert {path: whole[path] for path in DEFAULTS} == DEFAULTS


@pytest.mark.parametrize("setting", NUMBERS, ids=lambda one: one.path)
def test_a_server_keeps_a_number_at_its_bounds_and_none_beyond(setting: Setting[int]) -> None:
    assert isinstance(setting.kind, Whole)
    # Short limits, so that no number of turns makes a match too long.
    short: dict[str, Any] = {
        one.path: timedelta(microseconds=1) for one in TIMES if one.default is not None
    }
    if setting.name == "tables_per_round":
        short |= ADAPTIVE
    for value in (setting.kind.least, setting.kind.most):
        values = {**short, setting.path: setting.kind.read(value)}
        assert values_of(settings_to_message(kept(values)))[setting.path] == value
    for value in (setting.kind.least - 1, setting.kind.most + 1, *setting.kind.besides):
        with pytest.raises(WrongValue, match=f"got {value}, wanted a whole number"):
            setting.kind.read(value)
        if value >= 0:
            with pytest.raises(InvalidArgument, match=setting.name):
                kept({**short, setting.path: value})


@pytest.mark.parametrize("setting", TIMES, ids=lambda one: one.path)
def test_a_time_is_taken_at_its_bounds_and_not_beyond(setting: Setting[timedelta]) -> None:
    assert setting.kind.read(f"{LONGEST.days * 24}h") == LONGEST
    with pytest.raises(WrongValue):
        setting.kind.read(f"{LONGEST.days * 24 + 1}h")
    for value in (LONGEST + timedelta(microseconds=1), timedelta(0)):
        refused = value or setting.name in {"startup", "per_decision", "match_cap"}
        if not refused:
            assert setting.kind.read("0s") == timedelta(0)
            continue
        with pytest.raises(InvalidArgument, match=setting.name):
            kept({setting.path: value})
    if setting.name in {"startup", "per_decision", "match_cap"}:
        with pytest.raises(WrongValue, match="more than 0s"):
            setting.kind.read("0s")


@pytest.mark.parametrize("setting", WORDS, ids=lambda one: one.path)
def test_every_word_of_the_protocol_is_one_of_the_table(setting: Setting[Any]) -> None:
    kind: Kind[Any] = setting.kind
    assert isinstance(kind, Word)
    words = list(cast("Any", kind.words))
    for each in words:
        values = {setting.path: each, "faults.illegal_retries": 0}
        if each is Format.GAUNTLET:
            values["challengers"] = ("ann",)
        if each is Format.ADAPTIVE:
            values |= ADAPTIVE
        assert values_of(settings_to_message(kept(values)))[setting.path] is each
    part: Any = v1.TournamentSettings.DESCRIPTOR
    if setting.group:
        part = part.fields_by_name[setting.group].message_type
    told = part.fields_by_name[setting.name].enum_type.values
    assert len(told) == len(words) + 1, "all but the one that says nothing"


def test_what_a_newer_server_means_by_an_unknown_word_is_left_out() -> None:
    message = settings_to_message(kept({}))
    message.hands_visible = 77  # type: ignore[assignment]
    assert "hands_visible" not in values_of(message)
    assert "blind" in values_of(message)


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("one\nline", '"one\\u000aline"'),
        ("turned \u202eround", '"turned \\u202eround"'),
        ("\ud800", '"\\ud800"'),
        ("\0", '"\\u0000"'),
        ("x" * 101, "101 characters"),
    ],
)
def test_a_title_that_would_do_more_than_be_read_is_refused(text: str, got: str) -> None:
    with pytest.raises(WrongValue) as refused:
        Text(100).read(text)
    assert refused.value.got == got


def test_a_goal_is_kept_with_single_spaces_and_what_is_none_is_refused() -> None:
    assert Aim().read("top  3 settled\tat 95%") == "top 3 settled at 95%"
    assert Aim().read(" ") == ""
    for wrong in ("the best", 3, "top 3 settled at 100 %"):
        with pytest.raises(WrongValue, match="wanted a goal such as 'top 3 settled at 95 %'"):
            Aim().read(wrong)


def test_several_are_each_looked_at_and_each_there_once() -> None:
    kind = Several(Whole(2, 10), least=1)
    assert kind.read([3, 2]) == (3, 2)
    for wrong, said in (([], "got 0 of them"), ([2, 2], "once"), ([2, 11], "got 11"), (2, "got 2")):
        with pytest.raises(WrongValue, match=said):
            kind.read(wrong)
