"""Count the entries of the journal anew: servers that idled counted too many off."""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Correct the count, of which PostgreSQL may have several parts."""
    op.execute(
        "UPDATE row_counts SET counted = counted + (SELECT count(*) FROM journal)"
        " - (SELECT sum(counted) FROM row_counts WHERE table_name = 'journal')"
        " WHERE table_name = 'journal' AND part = 0"
    )
