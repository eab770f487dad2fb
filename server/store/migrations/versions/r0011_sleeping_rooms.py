"""Keep correspondence games that nobody looks at."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "sleeping_rooms",
        sa.Column("room", sa.String(), primary_key=True),
        sa.Column("player_0", sa.String(), nullable=False),
        sa.Column("player_1", sa.String(), nullable=False),
        sa.Column("to_move", sa.String(), nullable=False),
        sa.Column("due_ms", sa.BigInteger(), nullable=False),
        sa.Column("since_ms", sa.BigInteger(), nullable=False),
        sa.Column("tournament", sa.String(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
    )
    op.create_index("ix_sleeping_rooms_due", "sleeping_rooms", ["due_ms", "room"])
    op.create_index("ix_sleeping_rooms_player_0", "sleeping_rooms", ["player_0"])
    op.create_index("ix_sleeping_rooms_player_1", "sleeping_rooms", ["player_1"])
