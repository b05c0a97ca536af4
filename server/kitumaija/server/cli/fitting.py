"""What `kitumaija ratings fit` computes and prints: strengths from all results at once.

It is computed by the command, from the list of matches that everybody can read: whoever doubts a
number can compute it himself, and it takes nothing of the server's time.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from kitumaija.console.text import plain
from kitumaija.server.cli.output import out, print_table, table
from kitumaija.server.rating import RatedResult
from kitumaija.server.rating.fit import LEVEL, REPLICATES, Fit, Fitted, fit
from kitumaija.server.rating.fit.settling import Goal, Settled, when_settled
from kitumaija.v1 import tournament_pb2 as v1

_GONE = {v1.ENTRANT_STATE_WITHDRAWN, v1.ENTRANT_STATE_DISQUALIFIED}


@dataclass(frozen=True, slots=True)
class FittedTable:
    """The fit of one table size, and the standings that it stands beside."""

    entry: v1.StandingsTable
    fit: Fit
    goal: Goal | None = None
    settled: Settled | None = None

    @classmethod
    def of(
        cls,
        entry: v1.StandingsTable,
        played: Iterable[v1.Match],
        seed: bytes,
        goal: Goal | None = None,
    ) -> "FittedTable":
        """Fit the matches that are rated in the standings, of those that were played."""
        size = entry.table_size
        results = [
            _result(match)
            for match in played
            if match.table_size == size
            and match.state == v1.MATCH_STATE_FINISHED
            and match.number < entry.rated
        ]
        bots = [row.bot_id for row in entry.rows]
        found = fit(bots, results, table_size=size, seed=seed)
        if goal is None:
            return cls(entry, found)
        here = [row.bot_id for row in entry.rows if row.state not in _GONE]
        settled = when_settled(
            results,
            goal,
            planned=entry.planned,
            settled=entry.rated,
            contenders=here,
            table_size=size,
        )
        return cls(entry, found, goal, settled)

    def as_dict(self) -> dict[str, Any]:
        """Everything, as JSON values; what is infinite is null."""
        found = self.fit
        return {
            "table_size": self.entry.table_size,
            "provisional": self.entry.provisional,
            "rated": self.entry.rated,
            "planned": self.entry.planned,
            "sets": found.sets,
            "level": LEVEL,
            "replicates": REPLICATES,
            "rows": [
                {
                    "rank": row.rank,
                    "bot_id": row.bot_id,
                    "strength": row.strength,
                    "low": _finite(row.low),
                    "high": _finite(row.high),
                    "best_rank": row.best,
                    "worst_rank": row.worst,
                    "sets": row.sets,
                }
                for row in found.rows
            ],
            "above": {
                row.bot_id: {
                    other.bot_id: chance
                    for other, chance in zip(found.rows, chances, strict=True)
                    if other is not row
                }
                for row, chances in zip(found.rows, found.above, strict=True)
            },
            "not_told_apart": found.alike,
            "settled": self._settled_as_dict(),
            "without_a_fit": found.unfitted,
            "games": {
                row.bot_id: {
                    "games": row.games,
                    "forfeits": row.forfeits,
                    "absences": _absences(row),
                    "places_by_seat": found.tallies[row.bot_id].places,
                }
                for row in self.entry.rows
            },
        }

    def show(self, title: str, *, above: bool, places: bool) -> None:
        """Print it for people."""
        found, size = self.fit, self.entry.table_size
        shown = "provisional, " if self.entry.provisional else ""
        out.print()
        print_table(
            table(
                [">#", "bot", ">strength", ">95 % from", ">to", ">rank", ">games", ">forf."],
                [_row(row, entry) for row, entry in zip(found.rows, self._entries(), strict=True)],
                title=f"{plain(title)} · tables of {size} · {shown}{self.entry.rated} of "
                f"{self.entry.planned} matches · {found.sets} sets",
            )
        )
        for group in found.alike:
            out.print(Text(f"  not told apart: {', '.join(group)}"))
        if self.goal is not None:
            out.print(Text(f"  {self._verdict(self.goal)}"))
        if found.unfitted:
            out.print(Text(f"  nothing is known of: {', '.join(found.unfitted)}"))
        if above and found.rows:
            print_table(_above_table(found))
        if places:
            for row in found.rows:
                print_table(_places_table(row.bot_id, found.tallies[row.bot_id].places))

    def _settled_as_dict(self) -> dict[str, Any] | None:
        if self.settled is None:
            return None
        found = self.settled
        return {"look": found.look, "matches": found.matches, "best": found.best}

    def _verdict(self, goal: Goal) -> str:
        what = f"the {'order of the ' if goal.in_order else ''}top {goal.first}"
        level = f"at {_percent(goal.level)} %"
        if self.settled is None:
            return f"{what} is not settled {level} by {self.entry.rated} matches"
        bots = ", ".join(self.settled.best)
        return f"{what} is settled {level}, after {self.settled.matches} matches: {bots}"

    def _entries(self) -> list[v1.Standing]:
        by_bot = {entry.bot_id: entry for entry in self.entry.rows}
        return [by_bot[row.bot_id] for row in self.fit.rows]


def _result(match: v1.Match) -> RatedResult:
    return RatedResult(
        match.number,
        seats=tuple(seat.bot_id for seat in match.seats),
        places=tuple(seat.place for seat in match.seats),
        forfeited=tuple(seat.forfeited for seat in match.seats),
    )


def _row(row: Fitted, entry: v1.Standing) -> list[str]:
    ranks = str(row.best) if row.best == row.worst else f"{row.best}–{row.worst}"
    return [
        str(row.rank),
        row.bot_id,
        f"{row.strength:+.0f}",
        f"{row.low:+.0f}" if math.isfinite(row.low) else "–",
        f"{row.high:+.0f}" if math.isfinite(row.high) else "–",
        ranks,
        str(entry.games),
        str(entry.forfeits),
    ]


def _above_table(found: Fit) -> Table:
    """How surely the bot of the row is stronger than that of the column, in per cent."""
    return table(
        ["stronger than", *(f">{row.rank}. {row.bot_id}" for row in found.rows)],
        [
            [
                row.bot_id,
                *(_percent(chance) if at != mine else "" for at, chance in enumerate(line)),
            ]
            for mine, (row, line) in enumerate(zip(found.rows, found.above, strict=True))
        ],
        title="how surely the bot of the row is stronger, in per cent",
    )


def _places_table(bot_id: str, places: Sequence[Sequence[int]]) -> Table:
    """How often it came in each place in each seat, in games that it played to the end."""
    return table(
        ["seat", *(f">{place}." for place in range(1, len(places) + 1))],
        ([str(seat), *map(str, counts)] for seat, counts in enumerate(places)),
        title=f"{bot_id} by seat and place",
    )


def _percent(chance: float) -> str:
    """A chance in per cent; none is shown as certain."""
    return f"{min(max(chance, 0.001), 0.999):.1%}".removesuffix("%")


def _absences(row: v1.Standing) -> int:
    return sum(fault.count for fault in row.faults if fault.fault == "no_show")


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
