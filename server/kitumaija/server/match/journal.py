"""The journal of a match: what must be on the disk so that nothing that was told is lost.

An entry as bytes is a compact JSON object; `entry_from_bytes` is the inverse of `entry_to_bytes`.
The entries of a match in their order are enough to go on with it (`machine.resume`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from kitumaija.engine import (
    Action,
    DecidedBy,
    NotationError,
    Seat,
    format_action,
    parse_action,
)
from kitumaija.server.match.values import Fault
from kitumaija.wire.record import DecisionTiming


class JournalError(ValueError):
    """Bytes that are no entry, or an entry that cannot follow those before it."""


@dataclass(frozen=True, slots=True)
class Offered:
    """The match was offered. Readiness is not kept: after a restart bots say it anew."""


@dataclass(frozen=True, slots=True)
class Seated:
    """All were ready; the game began."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision was made."""

    seat: Seat
    decision_id: int
    action: Action
    by: DecidedBy
    fault: Fault | None
    timing: DecisionTiming
    bank_left_us: int
    """The seat's bank afterwards, in microseconds, rounded up."""


@dataclass(frozen=True, slots=True)
class RefusedIllegal:
    """An illegal answer was refused; the decision stayed open, with one retry fewer."""

    seat: Seat
    decision_id: int


@dataclass(frozen=True, slots=True)
class Forfeited:
    """The seat was forfeited."""

    seat: Seat
    fault: Fault


@dataclass(frozen=True, slots=True)
class NotStarted:
    """The match ended before it began."""

    absent: tuple[tuple[Seat, Fault], ...]


@dataclass(frozen=True, slots=True)
class Voided:
    """The match ended and does not count."""

    reason: str


JournalEntry: TypeAlias = (
    Offered | Seated | Decided | RefusedIllegal | Forfeited | NotStarted | Voided
)


def entry_to_bytes(entry: JournalEntry) -> bytes:
    """Return the entry as UTF-8 JSON without spaces."""
    kind, content = _WRITERS[type(entry)]
    plain = {"is": kind, **content(entry)}
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode()


def entry_from_bytes(data: bytes) -> JournalEntry:
    """Read an entry; raises `JournalError`, which quotes what it could not read."""
    try:
        plain = json.loads(data)
        entry = _READERS[plain.pop("is")](plain)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise JournalError(f"no entry of a match's journal: {data[:200]!r} ({error})") from error
    if plain:
        raise JournalError(f"unknown fields {sorted(plain)} in the journal entry {data[:200]!r}")
    return entry


def _decided_out(entry: Decided) -> dict[str, Any]:
    timing = entry.timing
    return {
        "seat": entry.seat,
        "id": entry.decision_id,
        "action": format_action(entry.action),
        "by": entry.by.value,
        "fault": entry.fault,
        "us": [timing.used_us, timing.network_us, timing.server_us, timing.retimed_us],
        "bank_us": entry.bank_left_us,
    }


def _decided_in(plain: dict[str, Any]) -> Decided:
    try:
        action = parse_action(plain.pop("action"))
    except NotationError as error:
        raise ValueError(str(error)) from None
    fault = plain.pop("fault")
    used, network, server, retimed = map(_number, plain.pop("us"))
    return Decided(
        _seat(plain),
        _number(plain.pop("id")),
        action,
        DecidedBy(plain.pop("by")),
        None if fault is None else Fault(fault),
        DecisionTiming(used, network, server, retimed),
        _number(plain.pop("bank_us")),
    )


def _absent_in(plain: dict[str, Any]) -> NotStarted:
    absent = plain.pop("absent")
    return NotStarted(tuple((Seat(_number(seat)), Fault(fault)) for seat, fault in absent))


def _seat(plain: dict[str, Any]) -> Seat:
    return Seat(_number(plain.pop("seat")))


def _number(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"got {value!r}, wanted a whole number of 0 or more")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"got {value!r}, wanted a text")
    return value


_WRITERS: Final[Mapping[type[Any], tuple[str, Callable[[Any], dict[str, Any]]]]] = {
    Offered: ("offered", lambda _: {}),
    Seated: ("seated", lambda _: {}),
    Decided: ("decided", _decided_out),
    RefusedIllegal: ("refused", lambda entry: {"seat": entry.seat, "id": entry.decision_id}),
    Forfeited: ("forfeited", lambda entry: {"seat": entry.seat, "fault": entry.fault}),
    NotStarted: ("not_started", lambda entry: {"absent": entry.absent}),
    Voided: ("voided", lambda entry: {"reason": entry.reason}),
}

_READERS: Final[Mapping[str, Callable[[dict[str, Any]], JournalEntry]]] = {
    "offered": lambda _: Offered(),
    "seated": lambda _: Seated(),
    "decided": _decided_in,
    "refused": lambda plain: RefusedIllegal(_seat(plain), _number(plain.pop("id"))),
    "forfeited": lambda plain: Forfeited(_seat(plain), Fault(plain.pop("fault"))),
    "not_started": _absent_in,
    "voided": lambda plain: Voided(_text(plain.pop("reason"))),
}
