"""Add classes and their members."""

import sqlalchemy as sa
from alembic import op

from doublecross.server.store.row_counts import begin_counting

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "classrooms",
        sa.Column("classroom_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("classroom_id", name="pk_classrooms"),
        sa.UniqueConstraint("code", name="uq_classrooms_code"),
    )
    op.create_index("ix_classrooms_owner", "classrooms", ["owner_id"])
    op.create_table(
        "members",
        sa.Column("classroom_id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("bot_id", sa.String(), nullable=False),
        sa.Column("is_aside", sa.Boolean(), nullable=False),
        sa.Column("joined_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("classroom_id", "account_id", name="pk_members"),
    )
    op.create_index("ix_members_bot", "members", ["bot_id"])
    begin_counting(op.get_bind(), ("classrooms", "members"))
