"""Add the looks of names to the players, and the join codes of private rooms to the games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the index. The server computes the looks when it starts."""
    op.add_column("players", sa.Column("look", sa.String(), nullable=True))
    op.create_index("ix_players_look", "players", ["look"])
    op.add_column("games", sa.Column("code", sa.String(), nullable=True))
