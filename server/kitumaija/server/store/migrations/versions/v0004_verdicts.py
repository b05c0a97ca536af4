"""What tournaments found out that were to find something out."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the table of verdicts."""
    op.create_table(
        "verdicts",
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("table_size", sa.Integer(), nullable=False),
        sa.Column("look", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("best", sa.JSON(), nullable=False),
        sa.Column("contenders", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.tournament_id"], name="fk_verdicts_tournament_id"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "table_size", name="pk_verdicts"),
    )
