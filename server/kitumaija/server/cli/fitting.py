"""What `kitumaija ratings fit` computes and prints: strengths from all results at once.

It is computed by the command, from the list of matches that everybody can read: whoever doubts a
number can compute it himself, and it takes nothing of the server's time.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import typer
from rich.table import Table
from rich.text import Text

from kitumaija.console.text import counted, plain
from kitumaija.server.cli.luck import luck_as_dict, show_luck
from kitumaija.server.cli.output import out, print_table, table
from kitumaija.server.cli.rated import rated_results
from kitumaija.server.cli.strengths import HEADS, as_dict, cells, print_alike
from kitumaija.server.goal import Goal, Settled, verdict
from kitumaija.server.rating import RatedResult
from kitumaija.server.rating.fit import LEVEL, REPLICATES, Cards, Fit, Fitted, fit
from kitumaija.server.rating.fit.settling import when_settled
from kitumaija.v1 import tournament_pb2 as v1

_GONE = {v1.ENTRANT_STATE_WITHDRAWN, v1.ENTRANT_STATE_DISQUALIFIED}


@dataclass(frozen=True, slots=True)
class FittedTable:
    """The fit of one table size, and the standings that it stands beside."""

    entry: v1.StandingsTable
    fit: Fit
    goal: Goal | None = None
    settled: Settled | None = None
    unlucky: Fit | None = None
    """The fit with the luck of the cards taken out, where that was asked for."""

    @classmethod
    def of(
        cls,
        entry: v1.StandingsTable,
        played: Iterable[v1.Match],
        seed: bytes,
        goal: Goal | None = None,
        cards: Cards | None = None,
    ) -> "FittedTable":
        """Fit the matches that are rated in the standings, of those that were played.

        With `cards`, fit them once more without their luck.
        """
        size = entry.table_size
        results = rated_results(entry, played)
        bots = [row.bot_id for row in entry.rows]
        return cls(
            entry,
            fit(bots, results, table_size=size, seed=seed),
            goal,
            None if goal is None else _settled(entry, results, goal),
            None if cards is None else fit(bots, results, table_size=size, seed=seed, cards=cards),
        )

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
            **as_dict(found),
            "settled": self._settled_as_dict(),
            "without_a_fit": found.unfitted,
            "without_luck": None if self.unlucky is None else luck_as_dict(self.unlucky),
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
                [">#", "bot", *HEADS, ">games", ">forf."],
                [_row(row, entry) for row, entry in zip(found.rows, self._entries(), strict=True)],
                title=f"{plain(title)} · tables of {size} · {shown}{self.entry.rated} of "
                f"{counted(self.entry.planned, 'match', 'matches')} · {counted(found.sets, 'set')}",
            )
        )
        print_alike(found)
        if self.goal is not None:
            out.print(Text(f"  {verdict(self.goal, self.settled, rated=self.entry.rated)}"))
        if found.unfitted:
            out.print(Text(f"  nothing is known of: {', '.join(found.unfitted)}"))
        if self.unlucky is not None:
            show_luck(self.unlucky)
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

    def _entries(self) -> list[v1.Standing]:
        by_bot = {entry.bot_id: entry for entry in self.entry.rows}
        return [by_bot[row.bot_id] for row in self.fit.rows]


def goal_of(text: str, option: str) -> Goal:
    """Read a goal; one that is none is told as a wrong value of the option."""
    try:
        return Goal.of(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


def _settled(
    entry: v1.StandingsTable, results: Sequence[RatedResult], goal: Goal
) -> Settled | None:
    return when_settled(
        results,
        goal,
        planned=entry.planned,
        settled=entry.rated,
        contenders=[row.bot_id for row in entry.rows if row.state not in _GONE],
        table_size=entry.table_size,
    )


def _row(row: Fitted, entry: v1.Standing) -> list[str]:
    return [str(row.rank), row.bot_id, *cells(row), str(entry.games), str(entry.forfeits)]


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
