"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make all tables of the first schema."""
    _people_and_server()
    _tournaments()
    _matches()
    _what_matches_leave()


def _people_and_server() -> None:
    op.create_table(
        "server_meta",
        sa.Column("key", ID, nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_server_meta"),
    )
    op.create_table(
        "bots",
        sa.Column("bot_id", ID, nullable=False),
        sa.Column("display_name", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("bot_id", name="pk_bots"),
        sa.UniqueConstraint("token_hash", name="uq_bots_token_hash"),
    )
    op.create_table(
        "requests",
        sa.Column("caller", ID, nullable=False),
        sa.Column("request_id", ID, nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("body_hash", sa.LargeBinary(), nullable=False),
        sa.Column("answer", sa.LargeBinary()),
        sa.PrimaryKeyConstraint("caller", "request_id", name="pk_requests"),
    )


def _tournaments() -> None:
    op.create_table(
        "tournaments",
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("master_commitment", sa.LargeBinary(), nullable=False),
        sa.Column("master_seed", sa.LargeBinary(), nullable=False),
        sa.Column("schedule_seed", sa.LargeBinary()),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("started_at", TIME),
        sa.Column("ended_at", TIME),
        sa.PrimaryKeyConstraint("tournament_id", name="pk_tournaments"),
    )
    op.create_index("ix_tournaments_newest", "tournaments", ["created_at", "tournament_id"])
    op.create_table(
        "tournament_secrets",
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("master_seed", sa.LargeBinary(), nullable=False),
        _tournament_key("tournament_secrets"),
        sa.PrimaryKeyConstraint("tournament_id", name="pk_tournament_secrets"),
    )
    op.create_table(
        "entrants",
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("bot_id", ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("bot_version", sa.Text(), nullable=False),
        sa.Column("entropy_commitment", sa.LargeBinary(), nullable=False),
        sa.Column("entropy", sa.LargeBinary(), nullable=False),
        sa.Column("no_shows", sa.Integer(), nullable=False),
        _tournament_key("entrants"),
        _bot_key("entrants"),
        sa.PrimaryKeyConstraint("tournament_id", "bot_id", name="pk_entrants"),
        sa.UniqueConstraint("tournament_id", "position", name="uq_entrants_tournament_id_position"),
    )
    op.create_index("ix_entrants_bot_id", "entrants", ["bot_id"])
    op.create_table(
        "entrant_secrets",
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("bot_id", ID, nullable=False),
        sa.Column("entropy", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id", "bot_id"],
            ["entrants.tournament_id", "entrants.bot_id"],
            name="fk_entrant_secrets_tournament_id",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "bot_id", name="pk_entrant_secrets"),
    )
    op.create_table(
        "rating_states",
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("table_size", sa.Integer(), nullable=False),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        _tournament_key("rating_states"),
        sa.PrimaryKeyConstraint("tournament_id", "table_size", name="pk_rating_states"),
    )
    op.create_table(
        "audit",
        sa.Column("audit_id", sa.Integer(), nullable=False, autoincrement=True),
        sa.Column("at", TIME, nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("tournament_id", ID),
        sa.Column("detail", sa.JSON(), nullable=False),
        _tournament_key("audit"),
        sa.PrimaryKeyConstraint("audit_id", name="pk_audit"),
    )
    op.create_index("ix_audit_tournament_id", "audit", ["tournament_id"])


def _matches() -> None:
    op.create_table(
        "matches",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("table_size", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("deal_id", ID, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("final", sa.Boolean(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("ending", sa.Text()),
        sa.Column("termination", sa.Text()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("absent", sa.JSON(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("ended_at", TIME),
        _tournament_key("matches"),
        sa.PrimaryKeyConstraint("match_id", name="pk_matches"),
        sa.UniqueConstraint("deal_id", name="uq_matches_deal_id"),
        sa.UniqueConstraint(
            "tournament_id",
            "table_size",
            "number",
            "attempt",
            name="uq_matches_tournament_id_table_size_number_attempt",
        ),
        sa.CheckConstraint(
            "state != 'running' OR NOT final", name="ck_matches_running_is_not_final"
        ),
        sa.CheckConstraint("state != 'finished' OR final", name="ck_matches_finished_is_final"),
    )
    _one_of_a_number("ix_matches_one_final", "final")
    _one_of_a_number("ix_matches_one_running", "state = 'running'")
    op.create_table(
        "match_seats",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bot_id", ID, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("forfeited", sa.Boolean(), nullable=False),
        sa.Column("faults", sa.JSON(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("default_decisions", sa.Integer(), nullable=False),
        _match_key("match_seats"),
        _bot_key("match_seats"),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_match_seats"),
        sa.UniqueConstraint("bot_id", "match_id", name="uq_match_seats_bot_id_match_id"),
    )


def _what_matches_leave() -> None:
    op.create_table(
        "journal",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        _match_key("journal"),
        sa.PrimaryKeyConstraint("match_id", "sequence", name="pk_journal"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "records",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        _match_key("records"),
        sa.PrimaryKeyConstraint("match_id", name="pk_records"),
    )


def _one_of_a_number(name: str, condition: str) -> None:
    op.create_index(
        name,
        "matches",
        ["tournament_id", "table_size", "number"],
        unique=True,
        sqlite_where=sa.text(condition),
        postgresql_where=sa.text(condition),
    )


def _tournament_key(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["tournament_id"], ["tournaments.tournament_id"], name=f"fk_{table}_tournament_id"
    )


def _bot_key(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["bot_id"], ["bots.bot_id"], name=f"fk_{table}_bot_id")


def _match_key(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["match_id"], ["matches.match_id"], name=f"fk_{table}_match_id")
