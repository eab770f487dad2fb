"""Upgrade a database to the newest tables; refuse databases of other programs or newer versions."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from server.core.storage import StoreError

_SCRIPTS: Final = Path(__file__).parent / "migrations"


def is_current(connection: sa.Connection) -> bool:
    """Return whether the tables are the newest version; this only reads.

    Raises:
        StoreError: the database belongs to a newer version of this program or to another program.
    """
    revision = MigrationContext.configure(connection).get_current_revision()
    scripts = ScriptDirectory.from_config(_config())
    if revision is None:
        if sa.inspect(connection).get_table_names():
            raise StoreError("The database contains the tables of another program.")
        return False
    if revision not in {script.revision for script in scripts.walk_revisions()}:
        raise StoreError(
            "The database belongs to a newer version of Doublecross"
            f" (its revision is {revision}); use that version."
        )
    return revision == scripts.get_current_head()


def upgrade(connection: sa.Connection) -> None:
    """Create or change the tables. The caller begins and ends the transaction."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _config() -> Config:
    config = Config()
    # Alembic expands percent signs in its options.
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
