"""Create the first tables: journal, counters, players, games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables in an empty database."""
    op.create_table(
        "journal",
        sa.Column(
            "entry_id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("frames", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("entry_id", name="pk_journal"),
    )
    counters = op.create_table(
        "counters",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_counters"),
    )
    op.bulk_insert(counters, [{"name": "last_entry", "value": 0}])
    op.create_table(
        "players",
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("engine", sa.String(), nullable=False),
        sa.Column("engine_version", sa.String(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name_key", name="pk_players"),
        sa.UniqueConstraint("token_hash", name="uq_players_token_hash"),
    )
    op.create_table(
        "games",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("size", sa.String(), nullable=False),
        sa.Column("player_0", sa.String(), nullable=False),
        sa.Column("player_1", sa.String(), nullable=False),
        sa.Column("player_0_key", sa.String(), nullable=False),
        sa.Column("player_1_key", sa.String(), nullable=False),
        sa.Column("engine_0", sa.String(), nullable=False),
        sa.Column("engine_1", sa.String(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("time_control", sa.String(), nullable=False),
        sa.Column("started_ms", sa.BigInteger(), nullable=False),
        sa.Column("finished_ms", sa.BigInteger(), nullable=False),
        sa.Column("termination", sa.String(), nullable=False),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("score_0", sa.Integer(), nullable=False),
        sa.Column("score_1", sa.Integer(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_games"),
    )
    op.create_index("ix_games_newest", "games", ["private", "finished_ms", "game_id"])
    op.create_index("ix_games_by_game", "games", ["private", "game", "finished_ms", "game_id"])
    for seat in (0, 1):
        op.create_index(
            f"ix_games_by_player_{seat}",
            "games",
            ["private", f"player_{seat}_key", "finished_ms", "game_id"],
        )
