"""Add the table of reports of finished games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and its index."""
    op.create_table(
        "reviews",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_reviews"),
    )
    op.create_index("ix_reviews_made", "reviews", ["made_ms"])
