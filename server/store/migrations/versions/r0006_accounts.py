"""Add accounts, tokens, bans and the audit log, and the account ids of players."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_BYTES = 10
_PAGE = 500


def upgrade() -> None:
    """Add the tables and columns, and give every known player an account id."""
    op.add_column("players", sa.Column("account_id", sa.String(), nullable=True))
    for seat in (0, 1):
        op.add_column("games", sa.Column(f"player_{seat}_id", sa.String(), nullable=True))
    op.add_column("tournaments", sa.Column("owner_id", sa.String(), nullable=True))
    _make_tables()
    _give_ids()
    op.create_index("ix_players_account", "players", ["account_id"], unique=True)


def _make_tables() -> None:
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
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "audit",
        sa.Column("number", number, autoincrement=True, nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("actor_id", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_audit"),
    )


def _give_ids() -> None:
    connection = op.get_bind()
    players = sa.table("players", sa.column("name_key"), sa.column("name"), sa.column("account_id"))
    games = sa.table(
        "games",
        *(sa.column(f"player_{seat}_{what}") for seat in (0, 1) for what in ("key", "id")),
    )
    tournaments = sa.table("tournaments", sa.column("owner"), sa.column("owner_id"))
    without = sa.select(players.c.name_key).where(players.c.account_id.is_(None)).limit(_PAGE)
    give = (
        sa.update(players)
        .where(players.c.name_key == sa.bindparam("of_key"))
        .values(account_id=sa.bindparam("new_id"))
    )
    while keys := connection.scalars(without).all():
        rows = [{"of_key": key, "new_id": secrets.token_hex(_BYTES)} for key in keys]
        connection.execute(give, rows)
    for seat in (0, 1):
        key = games.c[f"player_{seat}_key"]
        found = sa.select(players.c.account_id).where(players.c.name_key == key).scalar_subquery()
        connection.execute(sa.update(games).values({f"player_{seat}_id": found}))
    # The exact name, because the organiser was always compared exactly.
    owner = sa.select(players.c.account_id).where(players.c.name == tournaments.c.owner)
    connection.execute(sa.update(tournaments).values(owner_id=owner.scalar_subquery()))
