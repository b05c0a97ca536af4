"""A ladder: open-ended, and new entries begin at its foot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from kitumaija.engine import Chance
from kitumaija.server.schedule.seating import (
    NOBODY,
    Played,
    Record,
    Round,
    names_of,
    pick_byes,
    seat,
)


def ladder_order(entries: Sequence[str], rounds: Sequence[Played]) -> tuple[str, ...]:
    """Return who stands where, the top first.

    `entries` are all who ever entered, in the order of their entering; a new version of a bot is a
    new entry. They stand in that order at first. After a table its members share the rungs that
    they stood on, the best by points of its set on the highest; those level stay as they stood. So
    an entry that came later changes nothing of what was before. Raises `ValueError` for one that
    is named twice.
    """
    if len(set(entries)) < len(entries):
        raise ValueError("an entry is named twice")
    order = list(entries)
    for played in rounds:
        rungs = {name: rung for rung, name in enumerate(order)}
        for seats in played.round.tables:
            taken = sorted(rungs[name] for name in seats)
            best = sorted(seats, key=lambda name: (-played.points.get(name, 0), rungs[name]))
            for rung, name in zip(taken, best, strict=True):
                order[rung] = name
    return tuple(order)


def ladder_round(
    entries: Sequence[str],
    *,
    table_size: int,
    seed: bytes,
    rounds: Sequence[Played] = (),
    away: Collection[str] = (),
    owners: Mapping[str, str] = NOBODY,
) -> Round:
    """Return the next round of those who are not `away`, neighbours against neighbours.

    Those who do not fill a table sit out: whoever did so least often, the lowest first; who came
    later is taken to have done so as often as anybody had by then. The others are moved down by
    fewer rungs than two tables have seats, as is drawn, and sit down from the top with the next
    whom they have not met in the last round: else the same few would meet for ever, and none would
    climb past them. Raises `ValueError` for fewer entries than seats.
    """
    ladder = [name for name in ladder_order(entries, rounds) if name not in away]
    if not 2 <= table_size <= len(ladder):
        raise ValueError(
            f"tables of {table_size} need at least {max(2, table_size)} entries, got {len(ladder)}"
        )
    byes = pick_byes(ladder, _byes(ladder, rounds), len(ladder) % table_size)
    chance = Chance(seed, f"ladder/{table_size}/{len(rounds)}")
    moved: list[tuple[int, str]] = []
    for rung, name in enumerate(name for name in ladder if name not in byes):
        down, chance = chance.below(2 * table_size)
        moved.append((rung + down, name))
    playing = [name for _, name in sorted(moved, key=lambda one: one[0])]
    groups = [playing[first : first + table_size] for first in range(0, len(playing), table_size)]
    return Round(seat(groups, Record.of(rounds[-1:]).meetings, owners), byes)


def _byes(ladder: Sequence[str], rounds: Sequence[Played]) -> Counter[str]:
    """Return how often each sat out, a newcomer as often as whoever had done so most by then."""
    counted: Counter[str] = Counter()
    for played in rounds:
        most = max(counted.values(), default=0)
        for name in names_of(played.round):
            counted.setdefault(name, most)
        counted.update(played.round.byes)
    most = max(counted.values(), default=0)
    for name in ladder:
        counted.setdefault(name, most)
    return counted
