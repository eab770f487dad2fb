"""Keep what players note about their games, and the moves that they plan."""

import sqlalchemy as sa
from alembic import op

from doublecross.server.store.row_counts import begin_counting

revision = "0016"
down_revision = "0014"
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
    begin_counting(op.get_bind(), ["notes"])
