"""Looks, while a tournament runs, whether it has found out what it was to find out.

There are planned looks, each due when so many numbers of a schedule are settled without a gap. What
a look shows follows from these numbers and from who has not left: nothing is kept of it until the
tournament ends. So a server that died looks again and sees the same, and a match that is declared
void, or somebody who leaves, makes it look anew from the beginning.

An adaptive tournament is not watched: whether its goal is reached is asked when a round is over
(`drawing`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from kitumaija.server.goal import looks
from kitumaija.server.store import matches
from kitumaija.server.store.rows import VerdictRow
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.board import Board
from kitumaija.server.tournament.goals import all_looked_at, find_verdict, stops_early

_Presupposed: TypeAlias = tuple[frozenset[str], int]
"""Who had left, and how often a number was opened again: what looks are to be taken anew after."""


class GoalWatch:
    """The looks at one tournament."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._watches = stops_early(board.settings)
        self._presupposed: _Presupposed | None = None
        self._looked: dict[int, int] = {}
        """How far the schedule of each table size was settled when it was looked at."""
        self._found: dict[int, VerdictRow] = {}

    @property
    def found(self) -> Mapping[int, VerdictRow]:
        """What is found out, by table size, as far as it was looked at; nothing is begun anew."""
        return self._found if self._is_current else {}

    @property
    def reached(self) -> bool:
        """Whether the goal is reached at every table size."""
        return self._watches and len(self.found) == len(self._board.course.tables)

    @property
    def holds_back(self) -> bool:
        """Whether nothing is to be begun: the goal is reached, or nobody knows whether it is."""
        return self.reached or (self._watches and not self._is_current)

    @property
    def due(self) -> bool:
        """Whether it is time to look."""
        return self._watches and (not self._is_current or bool(self._sizes_due()))

    async def look(self) -> None:
        """Take the looks that are due, in a thread."""
        board, presupposed = self._board, self._now()
        if not self._is_current:
            self._looked, self._found = {}, {}
        due = self._sizes_due()
        known = dict(self._looked)
        contenders = [bot for bot in board.players if bot not in board.course.gone]

        def read(tx: ReadTx) -> list[VerdictRow | None]:
            return [
                find_verdict(
                    board.settings,
                    board.course.tables[size].schedule,
                    all_looked_at(
                        matches.results_in_order(tx, board.tournament_id, size, below=settled)
                    ),
                    tournament_id=board.tournament_id,
                    settled=settled,
                    contenders=contenders,
                    known=known.get(size, 0),
                )
                for size, settled in due.items()
            ]

        found = await board.context.read(read) if due else []
        if presupposed != self._now():
            return  # Somebody left meanwhile, or a match was declared void: looked at once more.
        self._presupposed = presupposed
        self._looked |= due
        self._found |= {row.table_size: row for row in found if row is not None}

    @property
    def _is_current(self) -> bool:
        return self._presupposed == self._now()

    def _now(self) -> _Presupposed:
        return frozenset(self._board.course.gone), self._board.course.reopened

    def _sizes_due(self) -> dict[int, int]:
        """Return the table sizes at which a look is due, and how far each schedule is settled."""
        found: dict[int, int] = {}
        for size, table in self._board.course.tables.items():
            settled, looked = table.settled.length, self._looked.get(size, 0)
            if size in self._found:
                continue
            if any(looked < numbers <= settled for numbers in looks(table.schedule.planned)):
                found[size] = settled
        return found
