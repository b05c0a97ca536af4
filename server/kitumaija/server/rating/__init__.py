"""Ratings: TrueSkill as the standings use it. `server/docs/ratings.md` says it in words."""

from __future__ import annotations

from kitumaija.server.rating.backend import NotComputable, Rating
from kitumaija.server.rating.ledger import load_table, rebuild_table, save_table
from kitumaija.server.rating.official import update
from kitumaija.server.rating.results import RatedResult, result_of, results_of
from kitumaija.server.rating.table import Entry, Ranked, RatingTable, rebuild

__all__ = [
    "Entry",
    "NotComputable",
    "Ranked",
    "RatedResult",
    "Rating",
    "RatingTable",
    "load_table",
    "rebuild",
    "rebuild_table",
    "result_of",
    "results_of",
    "save_table",
    "update",
]
