"""What decides the places of a table beside TrueSkill: by the rounds of its format that are over.

A round robin, a gauntlet and an adaptive tournament are decided by TrueSkill alone. Of the others
it is what their rounds are drawn by: points, who went out when, rungs. Equals share a place, and
stand in the order of their ratings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from kitumaija.server.rating import Entry, Ranked, RatingTable
from kitumaija.server.schedule.knockout import knockout_left
from kitumaija.server.schedule.ladder import ladder_order
from kitumaija.server.schedule.round_formats import RoundFormat
from kitumaija.server.schedule.rounds import Rounds
from kitumaija.server.schedule.schedule import Schedule
from kitumaija.server.schedule.seating import names_of
from kitumaija.server.schedule.swiss import swiss_points


@dataclass(frozen=True, slots=True)
class Placed:
    """What decides an entrant's place, where it is not TrueSkill alone; None is not of its format.

    `points` are those of a Swiss, byes included; `out_in_round` counts the rounds of a knockout
    from 1, and is 0 for one that is still in; `rung` counts from 1, the top. `byes` are the rounds
    that were over and that it sat out while others played.
    """

    points: int | None = None
    out_in_round: int | None = None
    rung: int | None = None
    byes: int | None = None

    @property
    def key(self) -> tuple[int, ...]:
        """By what the table is ordered, the best first."""
        if self.points is not None:
            return (-self.points,)
        if self.out_in_round is not None:
            return (self.out_in_round > 0, -self.out_in_round)
        return (self.rung or 0,)


BY_RATING = Placed()
"""Of a format whose places the ratings decide."""


@dataclass(frozen=True, slots=True)
class Placing:
    """A row of a table: its rank, from 1, which equals share, and what decided it."""

    rank: int
    bot_id: str
    entry: Entry
    placed: Placed = BY_RATING


def placings(
    ratings: RatingTable, schedule: Schedule, *, left: Collection[str]
) -> tuple[Placing, ...]:
    """Return the rows of a table, best first; `left` are those who are not in it any more."""
    ranked = ratings.ranking()
    if not isinstance(schedule, Rounds) or schedule.rules.adaptive:
        return tuple(Placing(one.rank, one.bot_id, one.entry) for one in ranked)
    return tuple(_by_rounds(ranked, placed_by_rounds(schedule, left=left)))


def placed_by_rounds(rounds: Rounds, *, left: Collection[str]) -> Mapping[str, Placed]:
    """Return what the rounds that are over make of each entrant."""
    byes = Counter(name for played in rounds.played for name in played.round.byes)
    rules = rounds.rules
    match rules.played_as:
        case RoundFormat.SWISS:
            points = swiss_points(
                rounds.entrants, table_size=rules.table_size, rounds=rounds.played
            )
            return {name: Placed(points=won, byes=byes[name]) for name, won in points.items()}
        case RoundFormat.KNOCKOUT:
            out = _out(rounds, left)
            return {
                name: Placed(out_in_round=out[name], byes=byes[name]) for name in rounds.entrants
            }
        case RoundFormat.LADDER:
            order = ladder_order(rounds.entrants, rounds.played)
            stand = sorted(order, key=lambda name: name in left)
            return {
                name: Placed(rung=rung, byes=byes[name]) for rung, name in enumerate(stand, start=1)
            }
        case RoundFormat.ADAPTIVE:
            return dict.fromkeys(rounds.entrants, BY_RATING)


def _by_rounds(ranked: Iterable[Ranked], placed: Mapping[str, Placed]) -> list[Placing]:
    found: list[Placing] = []
    ordered = sorted(ranked, key=lambda one: placed[one.bot_id].key)
    for place, one in enumerate(ordered, start=1):
        mine = placed[one.bot_id]
        shared = bool(found) and found[-1].placed.key == mine.key
        found.append(Placing(found[-1].rank if shared else place, one.bot_id, one.entry, mine))
    return found


def _out(rounds: Rounds, left: Collection[str]) -> Mapping[str, int]:
    """Return in which round each went out: its last one; 0 for those still in."""
    rules = rounds.rules
    still_in = knockout_left(
        rounds.entrants, table_size=rules.table_size, seed=rules.seed, rounds=rounds.played
    )
    last: dict[str, int] = {}
    for number, played in enumerate(rounds.played, start=1):
        last.update(dict.fromkeys(names_of(played.round), number))
    there = frozenset(still_in) if rounds.open is None else names_of(rounds.open)
    return {
        name: 0
        if name in there and (rounds.open is not None or name not in left)
        else last.get(name, 0)
        for name in rounds.entrants
    }
