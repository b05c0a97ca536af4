"""Swiss: everybody plays every round, against those who stand where he stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kitumaija.server.schedule.seating import NOBODY, Played, Record, Round, drawn, pick_byes, seat


def swiss_points(
    entrants: Iterable[str], *, table_size: int, rounds: Sequence[Played]
) -> dict[str, int]:
    """Return the points of each entrant, in the order given.

    A bye counts as much as the middle of a table, in every match of a set: neither good nor bad.
    """
    record = Record.of(rounds)
    bye = (table_size - 1) * table_size
    return {name: record.points[name] + bye * record.byes[name] for name in entrants}


def swiss_ranking(
    entrants: Iterable[str], *, table_size: int, seed: bytes, rounds: Sequence[Played]
) -> tuple[str, ...]:
    """Return the entrants by their points, best first; those level in an order that is drawn."""
    order = drawn(entrants, seed, f"swiss/{table_size}/{len(rounds)}")
    points = swiss_points(order, table_size=table_size, rounds=rounds)
    return tuple(sorted(order, key=lambda name: -points[name]))


def swiss_round(
    entrants: Iterable[str],
    *,
    table_size: int,
    seed: bytes,
    rounds: Sequence[Played] = (),
    owners: Mapping[str, str] = NOBODY,
) -> Round:
    """Return the next round, of those who are still there.

    Those who do not fill a table sit out: whoever did so least often, the last by points first. The
    others sit down in the order of their points, and where two of a table met before, or belong to
    one owner, the next by points who did not. Raises `ValueError` for fewer entrants than seats.
    """
    ranking = swiss_ranking(entrants, table_size=table_size, seed=seed, rounds=rounds)
    if not 2 <= table_size <= len(ranking):
        raise ValueError(
            f"tables of {table_size} need at least {max(2, table_size)} entrants, "
            f"got {len(ranking)}"
        )
    record = Record.of(rounds)
    byes = pick_byes(ranking, record.byes, len(ranking) % table_size)
    playing = [name for name in ranking if name not in byes]
    groups = [playing[first : first + table_size] for first in range(0, len(playing), table_size)]
    return Round(seat(groups, record.meetings, owners), byes)
