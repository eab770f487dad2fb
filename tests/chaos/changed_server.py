"""Run the program with a database that becomes read-only while a file lies beside it.

Correspondence games go to sleep at once when nobody looks at them.

A file system that finds an error becomes read-only under running programs. No test can do that:
the system refuses to make a file system read-only while a file is open for writing. With SQLite's
`query_only` a write fails by the same error, `SQLITE_READONLY`.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final
from unittest.mock import patch

import doublecross.cli.main
from doublecross.server.store.sqlite.writer import SqliteWriter

SUFFIX: Final = ".read-only"
"""The name of the file is the database's with this suffix."""

_opened = SqliteWriter._opened


def set_read_only(database: Path, forbidden: bool) -> None:
    """Forbid the server to write to this database, or let it write again."""
    switch = Path(f"{database}{SUFFIX}")
    if forbidden:
        switch.touch()
    else:
        switch.unlink()


def _opened_so(self: SqliteWriter, waits: bool = True) -> sqlite3.Connection:
    connection = _opened(self, waits)
    forbidden = int(os.path.exists(f"{self.engine.url.database}{SUFFIX}"))  # noqa: PTH110
    connection.execute(f"PRAGMA query_only={forbidden}")
    return connection


def main() -> None:
    """Run the program."""
    with (
        patch.object(SqliteWriter, "_opened", _opened_so),
        patch("doublecross.server.shell.rooms.sleeping.REST_MS", 0),
    ):
        doublecross.cli.main.main()


if __name__ == "__main__":
    main()
