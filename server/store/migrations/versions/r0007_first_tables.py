"""Begin the history of the tables: databases start with those of this revision.

A new database gets its tables from the schema, so there is nothing to create. The tables of this
revision stand in `tests/server/store/saved/r0007.sql`. Another migration changes these.
"""

revision = "0007"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing."""
