"""Create the tables of a database, or upgrade them; refuse those of other programs, of newer
versions, and of versions that are too old.

Only old tables need alembic. Its import takes half as long as the rest of the server's start, so
a new database gets its tables from the schema, and current tables are recognized by their number.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from doublecross.server.core.storage import StoreError
from doublecross.server.store.row_counts import COUNTED, begin_counting
from doublecross.server.store.schema import COUNTERS, counters, metadata

if TYPE_CHECKING:
    from alembic.config import Config

_SCRIPTS: Final = Path(__file__).parent / "migrations"

_version: Final = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""The table in which alembic keeps the revision of the tables, as alembic makes it."""

unfinished_copy: Final = sa.Table("unfinished_copy", sa.MetaData(), sa.Column("at_ms", sa.Integer))
"""A table that only a database has into which another one is being copied."""


def revisions() -> list[str]:
    """Return the revisions of the tables, oldest first: the numbers of the migration files."""
    return sorted(path.name[1:5] for path in _SCRIPTS.glob("versions/r*.py"))


def is_current(connection: sa.Connection) -> bool:
    """Return whether the tables are the newest version; this only reads.

    Raises:
        StoreError: see `revision_of`.
    """
    return revision_of(connection) == revisions()[-1]


def revision_of(connection: sa.Connection) -> str | None:
    """Return the revision of the tables, or None in an empty database; this only reads.

    Raises:
        StoreError: the database belongs to another program, to a newer version of this one, or to a
            version that is too old, or a copy into it was interrupted.
    """
    tables = sa.inspect(connection).get_table_names()
    if unfinished_copy.name in tables:
        raise StoreError(
            "A copy into the database was interrupted, so it is not complete; copy the old database"
            " again: doublecross database copy."
        )
    if not tables:
        return None
    revision = None
    if _version.name in tables:
        revision = connection.scalar(sa.select(_version.c.version_num))
    if revision is None:
        raise StoreError("The database contains the tables of another program.")
    oldest = revisions()[0]
    if revision < oldest:
        raise StoreError(
            f"The database is too old for this version of Doublecross (its revision is {revision},"
            f" the oldest that can be upgraded is {oldest}); upgrade it with an earlier version"
            " first, or use another database."
        )
    if revision not in revisions():
        raise StoreError(
            "The database belongs to a newer version of Doublecross"
            f" (its revision is {revision}); use that version."
        )
    return str(revision)


def upgrade(connection: sa.Connection) -> None:
    """Create or change the tables. The caller begins and ends the transaction."""
    if sa.inspect(connection).get_table_names():
        migrate(connection)
        return
    metadata.create_all(connection, checkfirst=False)
    connection.execute(counters.insert(), [{"name": name, "value": 0} for name in COUNTERS])
    begin_counting(connection, (table.name for table in COUNTED))
    _version.create(connection, checkfirst=False)
    connection.execute(_version.insert(), {"version_num": revisions()[-1]})


def migrate(connection: sa.Connection) -> None:
    """Run the migrations that these tables lack. The caller begins and ends the transaction."""
    from alembic import command

    config = migrations()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def migrations() -> Config:
    """Return the configuration with which alembic finds the migrations."""
    from alembic.config import Config

    config = Config()
    # Alembic expands percent signs in its options.
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
