"""Count the rows that stay; see `server/store/row_counts.py`."""

import sqlalchemy as sa
from alembic import op

from doublecross.server.store.row_counts import begin_counting

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Begin to count."""
    op.create_table(
        "row_counts",
        sa.Column("table_name", sa.String(), primary_key=True),
        sa.Column("part", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("counted", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("table_name", "part", name="pk_row_counts"),
    )
    entries = sa.Column("entries", sa.BigInteger(), nullable=False, server_default="0")
    op.add_column("logs", entries)
    op.execute(
        "UPDATE logs SET entries = (SELECT count(*) FROM log_entries e WHERE e.log = logs.log)"
    )
    begin_counting(
        op.get_bind(),
        (
            *("journal", "games", "players", "accounts"),
            *("tournaments", "entrants", "pairings", "audit"),
        ),
    )
