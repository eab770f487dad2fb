"""Create the first tables.

It has the number 0007 because it replaces six migrations and a seventh: a database that these have
upgraded has the same tables, and stays current.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = None
branch_labels = None
depends_on = None

_ENTRY_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables in an empty database."""
    _journal()
    _players()
    _games()
    _tournaments()
    _clusters()


def _journal() -> None:
    """Create the journal, and the counters with their rows."""
    op.create_table(
        "journal",
        sa.Column("entry_id", _ENTRY_ID, autoincrement=False, nullable=False),
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
    names = ("last_entry", "epoch", "cluster", "last_log")
    op.bulk_insert(counters, [{"name": name, "value": 0} for name in names])


def _players() -> None:
    """Create what belongs to players, and the audit log."""
    op.create_table(
        "players",
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("engine", sa.String(), nullable=False),
        sa.Column("engine_version", sa.String(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("look", sa.String(), nullable=True),
        sa.Column("account_id", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("name_key", name="pk_players"),
        sa.UniqueConstraint("token_hash", name="uq_players_token_hash"),
    )
    op.create_index("ix_players_account", "players", ["account_id"], unique=True)
    op.create_index("ix_players_look", "players", ["look"])
    op.create_table(
        "accounts",
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=True),
        sa.Column("run_by", sa.String(), nullable=True),
        sa.Column("is_admin", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", name="pk_accounts"),
    )
    op.create_index("ix_accounts_run_by", "accounts", ["run_by"])
    op.create_table(
        "tokens",
        sa.Column("token_id", sa.String(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("scopes", sa.String(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("used_ms", sa.BigInteger(), nullable=False),
        sa.Column("expires_ms", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("token_id", name="pk_tokens"),
        sa.UniqueConstraint("token_hash", name="uq_tokens_token_hash"),
    )
    op.create_index("ix_tokens_account", "tokens", ["account_id", "created_ms"])
    op.create_table(
        "bans",
        sa.Column("ban_id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=True),
        sa.Column("network", sa.String(), nullable=True),
        sa.Column("until_ms", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.Column("made_by", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("ban_id", name="pk_bans"),
    )
    op.create_table(
        "audit",
        sa.Column("number", _ENTRY_ID, autoincrement=True, nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("actor_id", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_audit"),
    )


def _games() -> None:
    """Create the finished games and their reports."""
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
        sa.Column("tournament_id", sa.String(), nullable=True),
        sa.Column("pairing", sa.Integer(), nullable=True),
        sa.Column("pair_game", sa.Integer(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=True),
        sa.Column("moves_0", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("moves_1", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("thought_0_ms", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("thought_1_ms", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("longest_0_ms", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("longest_1_ms", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("code", sa.String(), nullable=True),
        sa.Column("player_0_id", sa.String(), nullable=True),
        sa.Column("player_1_id", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("game_id", name="pk_games"),
    )
    op.create_index("ix_games_by_game", "games", ["private", "game", "finished_ms", "game_id"])
    op.create_index(
        "ix_games_by_player_0", "games", ["private", "player_0_key", "finished_ms", "game_id"]
    )
    op.create_index(
        "ix_games_by_player_1", "games", ["private", "player_1_key", "finished_ms", "game_id"]
    )
    op.create_index("ix_games_by_tournament", "games", ["tournament_id", "finished_ms", "game_id"])
    op.create_index("ix_games_newest", "games", ["private", "finished_ms", "game_id"])
    op.create_index("ix_games_rated", "games", ["rated", "finished_ms", "game_id"])
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


def _tournaments() -> None:
    """Create the tournaments."""
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
        sa.Column("owner_id", sa.String(), nullable=True),
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


def _clusters() -> None:
    """Create the nodes of a cluster, and their logs."""
    op.create_table(
        "nodes",
        sa.Column("node", sa.String(), nullable=False),
        sa.Column("run", sa.String(), nullable=False),
        sa.Column("until_ms", sa.BigInteger(), nullable=False),
        sa.Column("since_ms", sa.BigInteger(), nullable=False),
        sa.Column("started_ms", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("node", name="pk_nodes"),
        sa.UniqueConstraint("run", name="uq_nodes_run"),
    )
    op.create_table(
        "logs",
        sa.Column("log", sa.String(), nullable=False),
        sa.Column("token", sa.BigInteger(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("last_entry", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("log", name="pk_logs"),
    )
    op.create_table(
        "log_entries",
        sa.Column("log", sa.String(), nullable=False),
        sa.Column("entry_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("frames", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("log", "entry_id", name="pk_log_entries"),
    )
