"""Keep the browsers that are told of turns while no page is open."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "push_subscriptions",
        sa.Column("endpoint", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("token_id", sa.String(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("endpoint", name="pk_push_subscriptions"),
    )
    op.create_index("ix_push_subscriptions_account", "push_subscriptions", ["account_id"])
    op.create_index("ix_push_subscriptions_token", "push_subscriptions", ["token_id"])
