"""Add the nodes of a cluster, the logs that they own, and the entries of these logs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, and the rows of two counters."""
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
    counters = sa.table("counters", sa.column("name"), sa.column("value"))
    op.bulk_insert(counters, [{"name": name, "value": 0} for name in ("cluster", "last_log")])
