"""The limits of time of a match, as a value, as a message, and as they are typed."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Final

from google.protobuf import duration_pb2

from kitumaija.v1 import arena_pb2

LONGEST: Final = timedelta(days=365)
"""No limit may be longer: a year is far from every number that would not fit."""

_ZERO: Final = timedelta(0)
_LONGEST_US: Final = LONGEST // timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of time of one match; the defaults are the server's.

    Raises `ValueError`, naming the field, what was got and what is wanted.
    """

    startup: timedelta = timedelta(seconds=30)
    """From the offer of a match to the bot's Ready; charged to nobody's clock. More than zero."""
    per_decision: timedelta = timedelta(seconds=1)
    """The time for one decision. More than zero."""
    bank: timedelta = timedelta(seconds=10)
    """The reserve of a whole match, spent only above `per_decision`."""
    increment: timedelta = timedelta(0)
    """Added to the bank after each answered decision."""
    margin: timedelta = timedelta(milliseconds=50)
    """What is forgiven a decision for the network's sake; bots are not told it as time left."""
    grace: timedelta = timedelta(seconds=15)
    """How long a bot may be away in a match before its seat is forfeited."""
    match_cap: timedelta | None = None
    """The longest that a match may take; None for what the other limits add up to."""

    def __post_init__(self) -> None:
        for name in _NAMES:
            value: object = getattr(self, name)
            if value is None and name == "match_cap":
                continue
            least = "more than zero" if name in MORE_THAN_ZERO else "zero or more"
            if (
                not isinstance(value, timedelta)
                or value < _ZERO
                or (value == _ZERO and name in MORE_THAN_ZERO)
                or value > LONGEST
            ):
                raise ValueError(
                    f"limit {name}: got {_described(value)}, "
                    f"wanted a duration of {least} and at most {LONGEST.days} days"
                )


_NAMES: Final = tuple(field.name for field in fields(Limits))
MORE_THAN_ZERO: Final = frozenset({"startup", "per_decision", "match_cap"})
"""The limits that may not be zero."""


_MICROSECONDS: Final = {"us": 1, "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000}
_DURATION: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)(us|ms|s|m|h)")


def parse_duration(text: str) -> timedelta:
    """Read a duration as it is typed, a number and a unit: `1s`, `250ms`, `1.5m`, `40us`, `2h`.

    Below a microsecond it is rounded. Raises `ValueError`, saying what was got and is wanted.
    """
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise ValueError(
            f"'{text}' is no duration; write a number and a unit (us, ms, s, m or h), "
            "such as 1.5s or 250ms"
        )
    try:
        return timedelta(microseconds=round(float(match[1]) * _MICROSECONDS[match[2]]))
    except OverflowError:
        raise ValueError(f"'{text}' is longer than any duration can be") from None


def limits_to_message(limits: Limits) -> arena_pb2.Limits:
    """Return the message; every field is set, but `match_cap` where it is None."""
    return arena_pb2.Limits(
        startup=duration_to_message(limits.startup),
        per_decision=duration_to_message(limits.per_decision),
        bank=duration_to_message(limits.bank),
        increment=duration_to_message(limits.increment),
        margin=duration_to_message(limits.margin),
        grace=duration_to_message(limits.grace),
        match_cap=None if limits.match_cap is None else duration_to_message(limits.match_cap),
    )


def limits_from_message(message: arena_pb2.Limits) -> Limits:
    """Read a message; a duration that is not set has its default. Below a microsecond is cut off.

    Raises `ValueError`, naming the field, for a duration that is none or that `Limits` refuses.
    """
    given: dict[str, timedelta] = {}
    for name in _NAMES:
        if message.HasField(name):  # type: ignore[arg-type]  # the names are those of the message
            given[name] = duration_from_message(name, getattr(message, name))
    return Limits(**given)


def think_time_from_message(answer: arena_pb2.Answer) -> int | None:
    """Return how long a bot says it thought, in microseconds; None where it does not.

    No fault can be made with it, for nothing is decided by it: what no thought can have taken, less
    than nothing or more than `LONGEST`, is passed over.
    """
    said = answer.think_time_us
    if not answer.HasField("think_time_us") or not 0 <= said <= _LONGEST_US:
        return None
    return said


def duration_to_message(value: timedelta) -> duration_pb2.Duration:
    """Return the message, exact to the microsecond."""
    # From the exact parts of the timedelta: no floating point comes near a limit.
    return duration_pb2.Duration(
        seconds=value.days * 86_400 + value.seconds, nanos=value.microseconds * 1_000
    )


def duration_from_message(name: str, message: duration_pb2.Duration) -> timedelta:
    """Read a message; below a microsecond is cut off.

    Raises `ValueError`, naming the limit, for a duration that is none, is less than zero or is more
    than `LONGEST`.
    """
    seconds, nanos = message.seconds, message.nanos
    if abs(nanos) >= 1_000_000_000 or seconds * nanos < 0:
        raise ValueError(
            f"limit {name}: got seconds {seconds} and nanos {nanos}, wanted a Duration whose nanos "
            "are below a second and of the sign of its seconds"
        )
    if seconds > LONGEST.total_seconds():
        raise ValueError(f"limit {name}: got {seconds} s, wanted at most {LONGEST.days} days")
    if seconds < 0 or nanos < 0:
        raise ValueError(f"limit {name}: got less than zero, wanted a duration of zero or more")
    return timedelta(seconds=seconds, microseconds=nanos // 1_000)


def _described(value: object) -> str:
    return f"{value.total_seconds():g} s" if isinstance(value, timedelta) else repr(value)
