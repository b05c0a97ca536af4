"""Rounds, for the formats that are drawn round by round."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the table of rounds."""
    op.create_table(
        "rounds",
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("table_size", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("first_match", sa.Integer(), nullable=False),
        sa.Column("tables", sa.JSON(), nullable=False),
        sa.Column("byes", sa.JSON(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("points", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.tournament_id"], name="fk_rounds_tournament_id"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "table_size", "number", name="pk_rounds"),
    )
