"""Matches as they are begun and ended. What is read of them is in `match_reads`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, update

from kitumaija.server.store import records
from kitumaija.server.store.failpoints import failpoint
from kitumaija.server.store.match_reads import (
    counts,
    get,
    page,
    public_page,
    resolved_after,
    results_in_order,
    running,
    seats,
    unsettled,
)
from kitumaija.server.store.rows import MatchRow, MatchSeatRow, MatchState
from kitumaija.server.store.schema import MATCH_SEATS, MATCHES
from kitumaija.server.store.transactions import WriteTx

__all__ = [
    "add",
    "annul",
    "cancel",
    "claim",
    "counts",
    "finish",
    "get",
    "page",
    "public_page",
    "resolved_after",
    "results_in_order",
    "running",
    "seats",
    "unsettled",
    "void",
]


_MATCH_COLUMNS = tuple(column.name for column in MATCHES.c)
_SEAT_COLUMNS = tuple(column.name for column in MATCH_SEATS.c)

# What every match needs is built once: building it costs more than running it.
_ADD = insert(MATCHES)
_ADD_SEATS = insert(MATCH_SEATS)
_END = update(MATCHES).where(
    MATCHES.c.match_id == bindparam("its_id"),
    MATCHES.c.epoch == bindparam("its_epoch"),
    MATCHES.c.state == MatchState.RUNNING,
)
_SET_SEAT = update(MATCH_SEATS).where(
    MATCH_SEATS.c.match_id == bindparam("its_match_id"),
    MATCH_SEATS.c.seat == bindparam("its_seat"),
    MATCH_SEATS.c.bot_id == bindparam("its_bot_id"),
)


@failpoint
def add(tx: WriteTx, row: MatchRow, seats: Sequence[str]) -> None:
    """Add a match with the bots of its seats, seat 0 first.

    A number that will not be played is settled by adding a row that is cancelled and final.
    Raises AlreadyStored if the match, the deal, or this attempt at the number is there, if the
    number is settled or if it is being played; NotStored if the tournament or a bot is not there.
    """
    what = f"the match {row.match_id!r}"
    tx.insert(_ADD, _match_values(row), what=what)
    rows = [
        _seat_values(MatchSeatRow(row.match_id, seat, bot_id)) for seat, bot_id in enumerate(seats)
    ]
    if rows:
        tx.insert(_ADD_SEATS, rows, what=f"a seat of {what}")


@failpoint
def claim(tx: WriteTx, match_id: str, epoch: int) -> bool:
    """Take over a running match from an earlier epoch, so that only this one can end it.

    False if the match is not running, or belongs to this epoch or a later one.
    """
    change = update(MATCHES).where(
        MATCHES.c.match_id == match_id,
        MATCHES.c.state == MatchState.RUNNING,
        MATCHES.c.epoch < epoch,
    )
    return tx.change(change.values(epoch=epoch)) == 1


@failpoint
def finish(
    tx: WriteTx,
    match_id: str,
    epoch: int,
    *,
    ending: str,
    termination: str | None,
    seats: Sequence[MatchSeatRow],
    ended_at: datetime,
    record: bytes,
    absent: Sequence[str] = (),
) -> bool:
    """End a match with a result that counts, and keep its record.

    False, with nothing done, unless the match is running and of this epoch: it was ended already,
    or another server has taken it over.
    """
    ended = {
        "state": MatchState.FINISHED,
        "final": True,
        "ending": ending,
        "termination": termination,
        "absent": tuple(absent),
        "ended_at": ended_at,
    }
    if not _end(tx, match_id, epoch, ended):
        return False
    _set_seats(tx, match_id, seats)
    records.put(tx, match_id, record)
    return True


@failpoint
def void(
    tx: WriteTx,
    match_id: str,
    epoch: int,
    *,
    reason: str,
    final: bool,
    ended_at: datetime,
    seats: Sequence[MatchSeatRow] = (),
    absent: Sequence[str] = (),
    record: bytes | None = None,
) -> bool:
    """End a match that does not count; False as with `finish`.

    `final` settles its number, which is then given up; otherwise another attempt may follow.
    `absent` are bots that take a last place all the same. `record` is that of what was played, if
    the game had begun.
    """
    ended = {
        "state": MatchState.VOID,
        "final": final,
        "ending": "void",
        "reason": reason,
        "absent": tuple(absent),
        "ended_at": ended_at,
    }
    if not _end(tx, match_id, epoch, ended):
        return False
    _set_seats(tx, match_id, seats)
    if record is not None:
        records.put(tx, match_id, record)
    return True


@failpoint
def cancel(
    tx: WriteTx,
    match_id: str,
    epoch: int,
    *,
    reason: str,
    ended_at: datetime,
    absent: Sequence[str] = (),
    record: bytes | None = None,
) -> bool:
    """End a match with its tournament or with an entrant that left; False as with `finish`.

    `absent` are those that had left. `record` is that of what was played, if the game had begun.
    """
    ended = {
        "state": MatchState.CANCELLED,
        "final": True,
        "reason": reason,
        "absent": tuple(absent),
        "ended_at": ended_at,
    }
    if not _end(tx, match_id, epoch, ended):
        return False
    if record is not None:
        records.put(tx, match_id, record)
    return True


@failpoint
def annul(tx: WriteTx, match_id: str, *, reason: str) -> bool:
    """Make a finished match void, so that its number is open again; False if it is not finished.

    Its seats lose their places and faults, which count no more; its record and journal stay.
    """
    finished = update(MATCHES).where(
        MATCHES.c.match_id == match_id, MATCHES.c.state == MatchState.FINISHED
    )
    values = {
        "state": MatchState.VOID,
        "final": False,
        "ending": "void",
        "termination": None,
        "reason": reason,
        "absent": (),
    }
    if tx.change(finished.values(values)) != 1:
        return False
    seats = update(MATCH_SEATS).where(MATCH_SEATS.c.match_id == match_id)
    nothing = MatchSeatRow("", 0, "")
    cleared = ("place", "forfeited", "faults", "decisions", "default_decisions")
    tx.change(seats.values({name: getattr(nothing, name) for name in cleared}))
    return True


def _end(tx: WriteTx, match_id: str, epoch: int, values: Mapping[str, Any]) -> bool:
    return tx.change(_END, {"its_id": match_id, "its_epoch": epoch, **values}) == 1


def _set_seats(tx: WriteTx, match_id: str, seats: Sequence[MatchSeatRow]) -> None:
    for row in seats:
        if row.match_id != match_id:
            raise ValueError(f"got a seat of {row.match_id!r}; wanted seats of {match_id!r}")
        values = _seat_values(row)
        key = {f"its_{name}": values.pop(name) for name in ("match_id", "seat", "bot_id")}
        if tx.change(_SET_SEAT, key | values) != 1:
            raise ValueError(f"{row.bot_id!r} did not take seat {row.seat} of {match_id!r}")


def _match_values(row: MatchRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _MATCH_COLUMNS}


def _seat_values(row: MatchSeatRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _SEAT_COLUMNS}
