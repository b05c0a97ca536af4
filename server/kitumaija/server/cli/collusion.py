"""What `kitumaija ratings collusion` computes and prints: pairs that help each other.

It is computed by the command, from the list of matches that everybody can read.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from kitumaija.console.text import counted, plain
from kitumaija.server.cli.output import out, print_table, table
from kitumaija.server.cli.rated import rated_results
from kitumaija.server.cli.strengths import bound
from kitumaija.server.rating.collusion import (
    RATE,
    SEATS_MIN,
    WARNING,
    Help,
    PairHelp,
    find,
    pair_as_dict,
    percent,
)
from kitumaija.v1 import tournament_pb2 as v1

SHOWN = 5
"""How many pairs are shown of those that do not stand out, the most striking first."""


@dataclass(frozen=True, slots=True)
class Suspects:
    """The pairs of one table size."""

    entry: v1.StandingsTable
    pairs: tuple[PairHelp, ...]

    @classmethod
    def of(
        cls, entry: v1.StandingsTable, played: Iterable[v1.Match], seed: bytes, tables: int
    ) -> "Suspects":
        """Look at the matches that are rated in the standings; `tables` sizes are looked at."""
        results = rated_results(entry, played)
        return cls(entry, find(results, table_size=entry.table_size, seed=seed, tables=tables))

    def as_dict(self) -> dict[str, Any]:
        """Everything, as JSON values; what is infinite is null."""
        return {
            "table_size": self.entry.table_size,
            "provisional": self.entry.provisional,
            "rated": self.entry.rated,
            "planned": self.entry.planned,
            "rate": RATE,
            "warning": WARNING,
            "pairs": [pair_as_dict(pair) for pair in self.pairs],
        }

    def show(self, title: str, *, whole: bool) -> None:
        """Print it for people: those who stand out, and a few more, or all."""
        entry = self.entry
        shown = "provisional, " if entry.provisional else ""
        out.print()
        if not self.pairs:
            out.print(Text(f"{plain(title)} · tables of {entry.table_size}: nothing to compare"))
            return
        named = [pair for pair in self.pairs if pair.stands_out]
        rest = [pair for pair in self.pairs if not pair.stands_out]
        print_table(
            table(
                [
                    *("pair", ">sets", ">help", ">95 % from", ">to", ">first", ">second"),
                    *(">by chance", ""),
                ],
                [_row(pair) for pair in [*named, *(rest if whole else rest[:SHOWN])]],
                title=f"{plain(title)} · tables of {entry.table_size} · {shown}{entry.rated} of "
                f"{counted(entry.planned, 'match', 'matches')}",
            )
        )
        for pair in named:
            out.print(Text(f"  {pair.one} and {pair.other} stand out"))
        if not named:
            out.print(Text("  no pair stands out"))


def sizes_with_pairs(standings: v1.GetStandingsResponse) -> Sequence[v1.StandingsTable]:
    """The tables at which two can hold together against somebody."""
    return [entry for entry in standings.tables if entry.table_size >= SEATS_MIN]


def _row(pair: PairHelp) -> list[str]:
    return [
        f"{pair.one} + {pair.other}",
        str(pair.together),
        f"{pair.both.points:+z.0f}",
        bound(pair.both.low),
        bound(pair.both.high),
        _one(pair.of_one),
        _one(pair.of_other),
        percent(pair.chance),
        "stands out" if pair.stands_out else "",
    ]


def _one(found: Help) -> str:
    return f"{found.points:+z.0f}"
