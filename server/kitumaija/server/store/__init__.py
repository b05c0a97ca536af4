"""The store: everything the server must not lose, in SQLite or PostgreSQL.

Open a `Store`; write through a `StoreWriter` from asyncio, or with `store.write()`; read with
`store.read()`. The modules of this package are the tables' verbs: `matches.finish(tx, ...)`.
"""

from __future__ import annotations

from kitumaija.server.choices import Durability
from kitumaija.server.store import (
    audit,
    bots,
    entrants,
    journal,
    matches,
    meta,
    ratings,
    records,
    requests,
    rounds,
    tournaments,
)
from kitumaija.server.store.errors import (
    AlreadyStored,
    BadPageToken,
    JournalConflict,
    NotStored,
    RequestIdReused,
    StoreClosed,
    StoreError,
    StoreFailed,
    StoreInUse,
    StoreOutdated,
    StoreTooNew,
)
from kitumaija.server.store.migrating import Migration
from kitumaija.server.store.rows import (
    AuditRow,
    BotRow,
    EntrantRow,
    EntrantState,
    JournalRow,
    MatchCounts,
    MatchRow,
    MatchSeatRow,
    MatchState,
    Page,
    RatingState,
    RoundRow,
    SeatedMatch,
    TournamentRow,
    TournamentState,
)
from kitumaija.server.store.store import Store, StoreReader
from kitumaija.server.store.transactions import ReadTx, WriteTx
from kitumaija.server.store.writer import StoreWriter

__all__ = [
    "AlreadyStored",
    "AuditRow",
    "BadPageToken",
    "BotRow",
    "Durability",
    "EntrantRow",
    "EntrantState",
    "JournalConflict",
    "JournalRow",
    "MatchCounts",
    "MatchRow",
    "MatchSeatRow",
    "MatchState",
    "Migration",
    "NotStored",
    "Page",
    "RatingState",
    "ReadTx",
    "RequestIdReused",
    "RoundRow",
    "SeatedMatch",
    "Store",
    "StoreClosed",
    "StoreError",
    "StoreFailed",
    "StoreInUse",
    "StoreOutdated",
    "StoreReader",
    "StoreTooNew",
    "StoreWriter",
    "TournamentRow",
    "TournamentState",
    "WriteTx",
    "audit",
    "bots",
    "entrants",
    "journal",
    "matches",
    "meta",
    "ratings",
    "records",
    "requests",
    "rounds",
    "tournaments",
]
