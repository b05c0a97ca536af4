"""Ratings in the store: the table as it was computed last, and the results that make it anew."""

from __future__ import annotations

from collections.abc import Iterable

from kitumaija.server.rating.results import results_of
from kitumaija.server.rating.table import RatingTable, rebuild
from kitumaija.server.store import ReadTx, WriteTx, ratings


def load_table(
    tx: ReadTx, tournament_id: str, table_size: int, entrants: Iterable[str]
) -> RatingTable:
    """The table that was saved last, or the one before the first match."""
    stored = ratings.load(tx, tournament_id, table_size)
    return RatingTable.from_dict(stored.state) if stored else RatingTable.of(entrants)


def save_table(tx: WriteTx, tournament_id: str, table_size: int, table: RatingTable) -> None:
    """Keep a table, with how far it got."""
    ratings.save(tx, tournament_id, table_size, table.rated, table.as_dict())


def rebuild_table(
    tx: ReadTx, tournament_id: str, table_size: int, entrants: Iterable[str]
) -> RatingTable:
    """The table from the stored results alone, whatever was saved."""
    return rebuild(entrants, results_of(tx, tournament_id, table_size))
