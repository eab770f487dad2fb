"""Add ties between players, what they say and what they report."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "ties",
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("other_id", sa.String(), nullable=False),
        sa.Column("tie", sa.String(), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "other_id", name="pk_ties"),
    )
    op.create_index("ix_ties_other", "ties", ["other_id"])
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "talk",
        sa.Column("number", number, nullable=False, autoincrement=True),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("words", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_talk"),
    )
    op.create_index("ix_talk_room", "talk", ["room", "number"])
    op.create_index("ix_talk_account", "talk", ["account_id"])
    op.create_table(
        "reports",
        sa.Column("report_id", sa.String(), nullable=False),
        sa.Column("reporter_id", sa.String(), nullable=False),
        sa.Column("about_id", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.Column("room", sa.String(), nullable=True),
        sa.Column("match", sa.Integer(), nullable=True),
        sa.Column("seated", sa.Boolean(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("closed_ms", sa.BigInteger(), nullable=True),
        sa.Column("closed_by", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("report_id", name="pk_reports"),
    )
    op.create_index("ix_reports_reporter", "reports", ["reporter_id", "made_ms"])
