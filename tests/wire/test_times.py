"""The limits of time of a match."""

from __future__ import annotations

import dataclasses
from datetime import timedelta

import pytest
from google.protobuf.duration_pb2 import Duration
from hypothesis import given

from kitumaija.v1 import arena_pb2
from kitumaija.wire.times import (
    LONGEST,
    Limits,
    limits_from_message,
    limits_to_message,
    parse_duration,
    think_time_from_message,
)
from tests.support.values import LIMITS

NAMES = [field.name for field in dataclasses.fields(Limits)]
POSITIVE = {"startup", "per_decision", "match_cap"}
TICK = timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("1s", timedelta(seconds=1)),
        ("250ms", timedelta(milliseconds=250)),
        ("1.5m", timedelta(seconds=90)),
        ("40us", timedelta(microseconds=40)),
        ("2h", timedelta(hours=2)),
        (" 0s ", timedelta(0)),
        ("0.1us", timedelta(0)),
    ],
)
def test_a_duration_is_typed_as_a_number_and_a_unit(text: str, duration: timedelta) -> None:
    assert parse_duration(text) == duration


@pytest.mark.parametrize(
    ("text", "says"),
    [
        *((text, "such as 1.5s or 250ms") for text in ("", "1", "s", "-1s", "1 s", "1s2s", "1e3s")),
        ("\u0663s", "such as 1.5s or 250ms"),
        ("9" * 30 + "h", "longer than any duration"),
        ("9" * 400 + "h", "longer than any duration"),
    ],
)
def test_what_is_typed_and_no_duration_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_duration(text)


@given(LIMITS)
def test_limits_survive_the_way_over_the_wire(limits: Limits) -> None:
    data = limits_to_message(limits).SerializeToString()
    assert limits_from_message(arena_pb2.Limits.FromString(data)) == limits


def test_what_is_not_set_has_its_default() -> None:
    assert limits_from_message(arena_pb2.Limits()) == Limits()
    message = arena_pb2.Limits(bank=Duration(), grace=Duration(seconds=2, nanos=500_000_000))
    assert limits_from_message(message) == Limits(bank=timedelta(0), grace=timedelta(seconds=2.5))


def test_the_defaults_are_those_that_the_protocol_promises() -> None:
    assert Limits() == Limits(
        startup=timedelta(seconds=30),
        per_decision=timedelta(seconds=1),
        bank=timedelta(seconds=10),
        increment=timedelta(0),
        margin=timedelta(milliseconds=50),
        grace=timedelta(seconds=15),
        match_cap=None,
    )


def test_the_fields_are_those_of_the_message() -> None:
    assert [field.name for field in arena_pb2.Limits.DESCRIPTOR.fields] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_each_limit_is_bounded_on_both_sides(name: str) -> None:
    least = TICK if name in POSITIVE else timedelta(0)
    for inside in (least, LONGEST):
        assert getattr(Limits(**{name: inside}), name) == inside
    for outside in (least - TICK, LONGEST + TICK):
        with pytest.raises(ValueError, match=rf"limit {name}: got .* s, wanted a duration of"):
            Limits(**{name: outside})


def test_a_number_is_no_duration() -> None:
    with pytest.raises(ValueError, match="limit bank: got 10, wanted a duration of zero or more"):
        Limits(bank=10)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("duration", "words"),
    [
        (Duration(seconds=1, nanos=1_000_000_000), "nanos are below a second"),
        (Duration(seconds=1, nanos=-1), "of the sign of its seconds"),
        (Duration(seconds=-1), "less than zero"),
        (Duration(nanos=-1), "less than zero"),
        (Duration(seconds=2**62), "at most 365 days"),
        (Duration(seconds=365 * 86_400, nanos=1_000), "at most 365 days"),
    ],
)
def test_what_is_no_duration_or_too_long_is_refused_by_its_name(
    duration: Duration, words: str
) -> None:
    with pytest.raises(ValueError, match=rf"limit margin: .*{words}"):
        limits_from_message(arena_pb2.Limits(margin=duration))


def test_what_is_below_a_microsecond_is_cut_off() -> None:
    message = arena_pb2.Limits(margin=Duration(nanos=1_999))
    assert limits_from_message(message).margin == TICK


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (None, None),
        (-1, None),
        (0, 0),
        (1_500, 1_500),
        (LONGEST // TICK, LONGEST // TICK),
        (LONGEST // TICK + 1, None),
        (-(2**63), None),
        (2**63 - 1, None),
    ],
)
def test_a_think_time_that_cannot_be_is_passed_over(said: int | None, read: int | None) -> None:
    assert think_time_from_message(arena_pb2.Answer(think_time_us=said)) == read
