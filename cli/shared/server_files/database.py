"""Read which database a user names: the file of an SQLite database, or a URL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import Problem

if TYPE_CHECKING:
    from sqlalchemy import URL

SQLITE: Final = "sqlite"
POSTGRESQL: Final = "postgresql"


def sqlite_path(database: str) -> Path | None:
    """Return the file of an SQLite database, given as a path or a URL; None for other databases.

    Raises:
        Problem: the URL is invalid or names no file.
    """
    if "://" not in database:
        return Path(database).expanduser().absolute()
    url = url_of(database)
    if url.get_backend_name() != SQLITE:
        return None
    if not url.database:
        raise Problem("The database must be a file; give its path.")
    return Path(url.database).absolute()


def url_of(database: str) -> URL:
    """Return the URL of a database.

    Raises:
        Problem: it is invalid.
    """
    from sqlalchemy import make_url
    from sqlalchemy.exc import SQLAlchemyError

    try:
        return make_url(database)
    except (SQLAlchemyError, ValueError):
        raise Problem("The address of the database is invalid.") from None


def shown(database: str) -> str:
    """Return the database without its password."""
    if "://" not in database:
        return database
    from sqlalchemy import make_url

    return make_url(database).render_as_string(hide_password=True)
