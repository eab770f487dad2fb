"""Name the log of a cluster's leader after it."""

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Rename the log, with its entries."""
    op.execute("UPDATE log_entries SET log = 'leader' WHERE log = 'hall'")
    op.execute("UPDATE logs SET log = 'leader' WHERE log = 'hall'")
