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
from kitumaija.wire.record import DecisionTiming, Incident, IncidentKind


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
class Seen:
    """Something was seen of a seat that decides nothing, and explains what is decided."""

    incident: Incident


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
    Offered | Seated | Decided | RefusedIllegal | Seen | Forfeited | NotStarted | Voided
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
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise JournalError(f"no entry of a match's journal: {data[:200]!r} ({error})") from error
    if plain:
        raise JournalError(f"unknown fields {sorted(plain)} in the journal entry {data[:200]!r}")
    return entry


def _decided_out(entry: Decided) -> dict[str, Any]:
    return {
        "seat": entry.seat,
        "id": entry.decision_id,
        "action": format_action(entry.action),
        "by": entry.by.value,
        "fault": entry.fault,
        "us": _times_out(entry.timing),
        "bank_us": entry.bank_left_us,
    }


def _decided_in(plain: dict[str, Any]) -> Decided:
    action, timing = _action(plain.pop("action")), _times_in(plain.pop("us"))
    fault = plain.pop("fault")
    return Decided(
        _seat(plain),
        _number(plain.pop("id")),
        action,
        DecidedBy(plain.pop("by")),
        None if fault is None else Fault(fault),
        timing,
        _number(plain.pop("bank_us")),
    )


def _seen_out(incident: Incident) -> dict[str, Any]:
    answer, timing = incident.answer, incident.timing
    return {
        "seat": incident.seat,
        "kind": incident.kind.value,
        "at_us": incident.at_us,
        "decisions": incident.decisions,
        "id": incident.decision_id,
        "us": None if timing is None else _times_out(timing),
        "answer": None if answer is None else format_action(answer),
        "detail": incident.detail,
        "fault": incident.fault,
    }


def _seen_in(plain: dict[str, Any]) -> Incident:
    answer, fault, times = plain.pop("answer"), plain.pop("fault"), plain.pop("us")
    return Incident(
        seat=_seat(plain),
        kind=IncidentKind(plain.pop("kind")),
        at_us=_number(plain.pop("at_us")),
        decisions=_number(plain.pop("decisions")),
        decision_id=_number(plain.pop("id")),
        timing=None if times is None else _times_in(times),
        answer=None if answer is None else _action(answer),
        detail=_text(plain.pop("detail")),
        fault=None if fault is None else Fault(fault),
    )


def _absent_in(plain: dict[str, Any]) -> NotStarted:
    absent = plain.pop("absent")
    return NotStarted(tuple((Seat(_number(seat)), Fault(fault)) for seat, fault in absent))


def _times_out(timing: DecisionTiming) -> list[int]:
    times = [timing.used_us, timing.network_us, timing.server_us, timing.retimed_us]
    return times if timing.think_time_us is None else [*times, timing.think_time_us]


def _times_in(plain: list[Any]) -> DecisionTiming:
    used, network, server, retimed, *think_time = map(_number, plain)
    if len(think_time) > 1:
        raise ValueError("got more than five times of a decision")
    return DecisionTiming(used, network, server, retimed, *think_time)


def _action(text: str) -> Action:
    try:
        return parse_action(text)
    except NotationError as error:
        raise ValueError(str(error)) from None


def _seat(plain: dict[str, Any]) -> Seat:
    return Seat(_number(plain.pop("seat")))


def _number(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"got {value!r}, wanted a whole number of 0 or more")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"got {value!r}, wanted a text")
    value.encode()  # half of a surrogate pair is a ValueError
    return value


_WRITERS: Final[Mapping[type[Any], tuple[str, Callable[[Any], dict[str, Any]]]]] = {
    Offered: ("offered", lambda _: {}),
    Seated: ("seated", lambda _: {}),
    Decided: ("decided", _decided_out),
    RefusedIllegal: ("refused", lambda entry: {"seat": entry.seat, "id": entry.decision_id}),
    Seen: ("seen", lambda entry: _seen_out(entry.incident)),
    Forfeited: ("forfeited", lambda entry: {"seat": entry.seat, "fault": entry.fault}),
    NotStarted: ("not_started", lambda entry: {"absent": entry.absent}),
    Voided: ("voided", lambda entry: {"reason": entry.reason}),
}

_READERS: Final[Mapping[str, Callable[[dict[str, Any]], JournalEntry]]] = {
    "offered": lambda _: Offered(),
    "seated": lambda _: Seated(),
    "decided": _decided_in,
    "refused": lambda plain: RefusedIllegal(_seat(plain), _number(plain.pop("id"))),
    "seen": lambda plain: Seen(_seen_in(plain)),
    "forfeited": lambda plain: Forfeited(_seat(plain), Fault(plain.pop("fault"))),
    "not_started": _absent_in,
    "voided": lambda plain: Voided(_text(plain.pop("reason"))),
}
