"""Keeps the ratings up with the results, a piece at a time and away from the event loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from kitumaija.server.rating import (
    Entry,
    RatingTable,
    load_table,
    rebuild_table,
    results_of,
    save_table,
)
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.tournament.context import Context

PIECE = 100
"""How many results are rated before they are saved."""


async def advance(
    context: Context, tournament_id: str, table_size: int
) -> tuple[RatingTable, bool]:
    """Rate the next results of the longest settled prefix.

    Return the table as it is now, and whether it got further. A piece is saved only if nobody else
    rated meanwhile, so no result counts twice.
    """

    def look(tx: ReadTx) -> tuple[RatingTable, RatingTable]:
        before = load_table(tx, tournament_id, table_size, ())
        results = results_of(tx, tournament_id, table_size, first=before.rated)
        return before, before.apply_all(islice(results, PIECE))

    before, after = await context.read(look)
    if after.rated == before.rated:
        return after, False

    def work(tx: WriteTx) -> RatingTable:
        now = load_table(tx, tournament_id, table_size, ())
        # Not the number alone: what was rated may have been taken back meanwhile, and rated anew.
        if now != before:
            return now
        save_table(tx, tournament_id, table_size, after)
        return after

    now = await context.write(work)
    if now is after:
        context.metrics.rated(after.rated - before.rated)
    return now, True


async def catch_up(context: Context, tournament_id: str, table_size: int) -> RatingTable:
    """Rate all results of the longest settled prefix."""
    while True:
        table, advanced = await advance(context, tournament_id, table_size)
        if not advanced:
            return table


def begin(tx: WriteTx, tournament_id: str, table_size: int, entrants: list[str]) -> None:
    """Save the table before the first match; its rows say who is in the schedule."""
    save_table(tx, tournament_id, table_size, RatingTable.of(sorted(entrants, key=str.encode)))


def add(tx: WriteTx, tournament_id: str, table_size: int, entrants: Sequence[str]) -> None:
    """Give rows to entrants that come after the start: they begin like all others."""
    table = load_table(tx, tournament_id, table_size, ())
    entries = {**table.entries, **dict.fromkeys(entrants, Entry())}
    save_table(tx, tournament_id, table_size, replace(table, entries=entries))


async def rebuild(context: Context, tournament_id: str, table_size: int) -> tuple[int, bool]:
    """Compute a table anew from the stored results alone and save it where it differs.

    Return how many results were rated and whether any number changed.
    """

    def look(tx: ReadTx) -> tuple[RatingTable, RatingTable]:
        before = load_table(tx, tournament_id, table_size, ())
        return before, rebuild_table(tx, tournament_id, table_size, before.entries)

    before, after = await context.read(look)
    if after.rated > before.rated:
        before = await catch_up(context, tournament_id, table_size)
    changed = before.rated == after.rated and before.as_dict() != after.as_dict()

    def work(tx: WriteTx) -> None:
        if load_table(tx, tournament_id, table_size, ()).rated == after.rated:
            save_table(tx, tournament_id, table_size, after)

    if changed:
        await context.write(work)
    return after.games, changed
