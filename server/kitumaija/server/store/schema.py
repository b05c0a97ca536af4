"""The tables. The migrations make them; a test holds the two against each other.

What a spectator may never see early, the seeds, the entropies not yet published, the journals and
the records, stands in tables of its own, so that a process that serves the public can be kept from
reading it.
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    text,
)

from kitumaija.server.store.columns import (
    BYTES,
    COUNT,
    FLAG,
    ID,
    TEXT,
    Groups,
    Names,
    Object,
    UtcTime,
    Word,
)
from kitumaija.server.store.rows import EntrantState, MatchState, TournamentState

METADATA = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

SERVER_META = Table(
    "server_meta",
    METADATA,
    Column("key", ID, primary_key=True),
    Column("value", BYTES, nullable=False),
)

BOTS = Table(
    "bots",
    METADATA,
    Column("bot_id", ID, primary_key=True),
    Column("display_name", TEXT, nullable=False),
    Column("owner", TEXT, nullable=False),
    Column("token_hash", BYTES, nullable=False, unique=True),
    Column("created_at", UtcTime(), nullable=False),
    Column("disabled", FLAG, nullable=False),
)

TOURNAMENTS = Table(
    "tournaments",
    METADATA,
    Column("tournament_id", ID, primary_key=True),
    Column("title", TEXT, nullable=False),
    Column("state", Word(TournamentState), nullable=False),
    Column("settings", Object(), nullable=False),
    Column("master_commitment", BYTES, nullable=False),
    # Empty until the tournament is over.
    Column("master_seed", BYTES, nullable=False),
    Column("schedule_seed", BYTES),
    Column("created_at", UtcTime(), nullable=False),
    Column("started_at", UtcTime()),
    Column("ended_at", UtcTime()),
    Index("ix_tournaments_newest", "created_at", "tournament_id"),
)

TOURNAMENT_SECRETS = Table(
    "tournament_secrets",
    METADATA,
    Column("tournament_id", ID, ForeignKey("tournaments.tournament_id"), primary_key=True),
    Column("master_seed", BYTES, nullable=False),
)

ENTRANTS = Table(
    "entrants",
    METADATA,
    Column("tournament_id", ID, ForeignKey("tournaments.tournament_id"), nullable=False),
    Column("bot_id", ID, ForeignKey("bots.bot_id"), nullable=False, index=True),
    Column("position", COUNT, nullable=False),
    Column("state", Word(EntrantState), nullable=False),
    Column("reason", TEXT, nullable=False),
    Column("bot_version", TEXT, nullable=False),
    Column("entropy_commitment", BYTES, nullable=False),
    # Empty until the schedule's seed is set.
    Column("entropy", BYTES, nullable=False),
    Column("no_shows", COUNT, nullable=False),
    PrimaryKeyConstraint("tournament_id", "bot_id"),
    UniqueConstraint("tournament_id", "position"),
)

ENTRANT_SECRETS = Table(
    "entrant_secrets",
    METADATA,
    Column("tournament_id", ID, nullable=False),
    Column("bot_id", ID, nullable=False),
    Column("entropy", BYTES, nullable=False),
    PrimaryKeyConstraint("tournament_id", "bot_id"),
    ForeignKeyConstraint(
        ["tournament_id", "bot_id"], ["entrants.tournament_id", "entrants.bot_id"]
    ),
)

MATCHES = Table(
    "matches",
    METADATA,
    Column("match_id", ID, primary_key=True),
    Column("tournament_id", ID, ForeignKey("tournaments.tournament_id"), nullable=False),
    Column("table_size", COUNT, nullable=False),
    Column("number", COUNT, nullable=False),
    Column("attempt", COUNT, nullable=False),
    Column("deal_id", ID, nullable=False, unique=True),
    Column("state", Word(MatchState), nullable=False),
    Column("final", FLAG, nullable=False),
    Column("epoch", COUNT, nullable=False),
    Column("ending", TEXT),
    Column("termination", TEXT),
    Column("reason", TEXT, nullable=False),
    Column("absent", Names(), nullable=False),
    Column("created_at", UtcTime(), nullable=False),
    Column("ended_at", UtcTime()),
    UniqueConstraint("tournament_id", "table_size", "number", "attempt"),
    CheckConstraint("state != 'running' OR NOT final", name="running_is_not_final"),
    CheckConstraint("state != 'finished' OR final", name="finished_is_final"),
)
# A number counts exactly once, and is played by one match at a time.
Index(
    "ix_matches_one_final",
    MATCHES.c.tournament_id,
    MATCHES.c.table_size,
    MATCHES.c.number,
    unique=True,
    sqlite_where=text("final"),
    postgresql_where=text("final"),
)
Index(
    "ix_matches_one_running",
    MATCHES.c.tournament_id,
    MATCHES.c.table_size,
    MATCHES.c.number,
    unique=True,
    sqlite_where=text("state = 'running'"),
    postgresql_where=text("state = 'running'"),
)

ROUNDS = Table(
    "rounds",
    METADATA,
    Column("tournament_id", ID, ForeignKey("tournaments.tournament_id"), nullable=False),
    Column("table_size", COUNT, nullable=False),
    Column("number", COUNT, nullable=False),
    Column("first_match", COUNT, nullable=False),
    Column("tables", Groups(), nullable=False),
    Column("byes", Names(), nullable=False),
    Column("over", FLAG, nullable=False),
    # Empty while the round is not over.
    Column("points", Object(), nullable=False),
    PrimaryKeyConstraint("tournament_id", "table_size", "number"),
)

MATCH_SEATS = Table(
    "match_seats",
    METADATA,
    Column("match_id", ID, ForeignKey("matches.match_id"), nullable=False),
    Column("seat", COUNT, nullable=False),
    Column("bot_id", ID, ForeignKey("bots.bot_id"), nullable=False),
    Column("place", COUNT, nullable=False),
    Column("forfeited", FLAG, nullable=False),
    Column("faults", Object(), nullable=False),
    Column("decisions", COUNT, nullable=False),
    Column("default_decisions", COUNT, nullable=False),
    PrimaryKeyConstraint("match_id", "seat"),
    UniqueConstraint("bot_id", "match_id"),
)

JOURNAL = Table(
    "journal",
    METADATA,
    Column("match_id", ID, ForeignKey("matches.match_id"), nullable=False),
    Column("sequence", COUNT, nullable=False),
    Column("payload", BYTES, nullable=False),
    PrimaryKeyConstraint("match_id", "sequence"),
    sqlite_with_rowid=False,
)

RECORDS = Table(
    "records",
    METADATA,
    Column("match_id", ID, ForeignKey("matches.match_id"), primary_key=True),
    Column("record", BYTES, nullable=False),
)

RATING_STATES = Table(
    "rating_states",
    METADATA,
    Column("tournament_id", ID, ForeignKey("tournaments.tournament_id"), nullable=False),
    Column("table_size", COUNT, nullable=False),
    Column("rated", COUNT, nullable=False),
    Column("state", Object(), nullable=False),
    PrimaryKeyConstraint("tournament_id", "table_size"),
)

DEAL_TREES = Table(
    "deal_trees",
    METADATA,
    Column("tournament_id", ID, ForeignKey("tournaments.tournament_id"), nullable=False),
    Column("table_size", COUNT, nullable=False),
    Column("deals", COUNT, nullable=False),
    Column("root", BYTES, nullable=False),
    Column("blocks", BYTES, nullable=False),
    PrimaryKeyConstraint("tournament_id", "table_size"),
)

VERDICTS = Table(
    "verdicts",
    METADATA,
    Column("tournament_id", ID, ForeignKey("tournaments.tournament_id"), nullable=False),
    Column("table_size", COUNT, nullable=False),
    Column("look", COUNT, nullable=False),
    Column("matches", COUNT, nullable=False),
    Column("best", Names(), nullable=False),
    Column("contenders", Names(), nullable=False),
    PrimaryKeyConstraint("tournament_id", "table_size"),
)

REQUESTS = Table(
    "requests",
    METADATA,
    Column("caller", ID, nullable=False),
    Column("request_id", ID, nullable=False),
    Column("method", TEXT, nullable=False),
    Column("body_hash", BYTES, nullable=False),
    # Null while the request is not done.
    Column("answer", BYTES),
    PrimaryKeyConstraint("caller", "request_id"),
)

AUDIT = Table(
    "audit",
    METADATA,
    Column("audit_id", Integer(), primary_key=True, autoincrement=True),
    Column("at", UtcTime(), nullable=False),
    Column("actor", TEXT, nullable=False),
    Column("action", TEXT, nullable=False),
    Column("subject", TEXT, nullable=False),
    Column("reason", TEXT, nullable=False),
    Column("tournament_id", ID, ForeignKey("tournaments.tournament_id"), index=True),
    Column("detail", Object(), nullable=False),
)
