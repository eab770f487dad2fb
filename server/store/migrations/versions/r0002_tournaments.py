"""Add tables for tournaments, and columns for tournaments and thinking times to the games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, columns and indexes."""
    op.create_table(
        "tournaments",
        sa.Column("tournament_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("format", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("started_ms", sa.BigInteger(), nullable=True),
        sa.Column("finished_ms", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("tournament_id", name="pk_tournaments"),
    )
    op.create_table(
        "entrants",
        sa.Column("tournament_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("engine", sa.String(), nullable=False),
        sa.Column("at_once", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("joined_ms", sa.BigInteger(), nullable=False),
        sa.Column("seed_rating", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_entrants"),
    )
    op.create_table(
        "pairings",
        sa.Column("tournament_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("second", sa.Integer(), nullable=True),
        sa.Column("opening", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_pairings"),
    )
    op.add_column("games", sa.Column("tournament_id", sa.String(), nullable=True))
    for name in ("pairing", "pair_game", "attempt"):
        op.add_column("games", sa.Column(name, sa.Integer(), nullable=True))
    for seat in (0, 1):
        op.add_column(
            "games", sa.Column(f"moves_{seat}", sa.Integer(), nullable=False, server_default="0")
        )
    for name in ("thought_0_ms", "thought_1_ms", "longest_0_ms", "longest_1_ms"):
        op.add_column("games", sa.Column(name, sa.BigInteger(), nullable=False, server_default="0"))
    op.create_index("ix_games_by_tournament", "games", ["tournament_id", "finished_ms", "game_id"])
    op.create_index("ix_games_rated", "games", ["rated", "finished_ms", "game_id"])
