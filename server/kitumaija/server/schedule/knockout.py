"""Knockout over tables: of each table the better half goes on, until one is left."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from kitumaija.server.schedule.seating import NOBODY, Played, Record, Round, drawn, pick_byes, seat


def knockout_left(
    entrants: Iterable[str], *, table_size: int, seed: bytes, rounds: Sequence[Played]
) -> tuple[str, ...]:
    """Return who is still in, best first; the winner alone when all is over.

    The first order is drawn. Of each table the better half goes on, rounded down, one at least, by
    the points of its set; those level, and a table of which nothing counts, by the order before.
    So somebody goes out in every round, whatever happens at its tables. Who goes on is ordered by
    how much of the points of the table he had, then by the order before.
    """
    left = drawn(entrants, seed, f"knockout/{table_size}")
    for played in rounds:
        places = {name: place for place, name in enumerate(left)}
        shares: dict[str, float] = dict.fromkeys(played.round.byes, 0.5)
        for seats in played.round.tables:
            points = {name: played.points.get(name, 0) for name in seats}
            total = sum(points.values())
            order = sorted(seats, key=lambda name: (-points[name], places[name]))
            for name in order[: max(1, len(seats) // 2)]:
                shares[name] = points[name] * len(seats) / (2 * total) if total else 0.5
        left = tuple(sorted(shares, key=lambda name: (-shares[name], places[name])))
    return left


def knockout_round(
    entrants: Iterable[str],
    *,
    table_size: int,
    seed: bytes,
    rounds: Sequence[Played] = (),
    away: Collection[str] = (),
    owners: Mapping[str, str] = NOBODY,
) -> Round | None:
    """Return the next round; None when there is a winner, or nobody is there to meet the last one.

    Who is still in and `away` is out.
    Those who are left sit at as few tables as they fit at, whose sizes differ by one at the most;
    the best are spread over the tables, and so are those of one owner. At tables of two an odd one
    sits out: whoever did so least often, the last in the order first. Raises `ValueError` for a
    table size below 2.
    """
    if table_size < 2:
        raise ValueError(f"a table has at least 2 seats, got {table_size}")
    still_in = knockout_left(entrants, table_size=table_size, seed=seed, rounds=rounds)
    left = [name for name in still_in if name not in away]
    if len(left) < 2:
        return None
    odd = len(left) % 2 if table_size == 2 else 0
    byes = pick_byes(left, Record.of(rounds).byes, odd)
    playing = [name for name in left if name not in byes]
    count = -(-len(playing) // table_size)
    groups: list[list[str]] = [[] for _ in range(count)]
    for place, name in enumerate(playing):
        # There and back again, so that the best of one table meets the least of the best.
        lap, within = divmod(place, count)
        groups[within if lap % 2 == 0 else count - 1 - within].append(name)
    return Round(seat(groups, {}, owners), byes)
