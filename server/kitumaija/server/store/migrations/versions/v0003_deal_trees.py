"""The trees over the deals of a tournament, of which the roots are published at its start."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make their table; tournaments that began before have none."""
    op.create_table(
        "deal_trees",
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("table_size", sa.Integer(), nullable=False),
        sa.Column("deals", sa.Integer(), nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.Column("blocks", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.tournament_id"], name="fk_deal_trees_tournament_id"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "table_size", name="pk_deal_trees"),
    )
