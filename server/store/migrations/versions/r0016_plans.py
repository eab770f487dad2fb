"""Keep what players note about their games, and the moves that they plan."""

import sqlalchemy as sa
from alembic import op

from doublecross.server.store.row_counts import begin_counting

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "notes",
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("changed_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "game_id", name="pk_notes"),
    )
    op.create_table(
        "plans",
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("takebacks", sa.Integer(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("room", "seat", name="pk_plans"),
    )
    op.create_index("ix_plans_account", "plans", ["account_id"])
    begin_counting(op.get_bind(), ["notes"])
