"""Keep what players learn and choose, and the ratings of puzzles."""

import sqlalchemy as sa
from alembic import op

from doublecross.server.store.row_counts import begin_counting

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "progress",
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "kind", name="pk_progress"),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle_id", sa.String(), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("puzzle_id", name="pk_puzzle_ratings"),
    )
    begin_counting(op.get_bind(), ("progress", "puzzle_ratings"))
