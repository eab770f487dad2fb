"""Copy databases: SQLite with its own backup interface, PostgreSQL with pg_dump and pg_restore.

A copy shows the database at one moment, and the server may go on writing meanwhile.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sqlalchemy import URL

POSTGRESQL: Final = "postgresql"

_WAIT_S: Final = 60.0
"""Seconds to wait for a lock of the server."""
_TABLES: Final = {"journal", "players", "games"}
"""The tables by which a database of this program is recognised."""


class BackupError(Exception):
    """A backup cannot be made or restored; the message is one sentence.

    `failed` is true when something failed along the way, and false when what was asked for is
    wrong.
    """

    def __init__(self, sentence: str, *, failed: bool = False) -> None:
        super().__init__(sentence)
        self.failed = failed


def copy_sqlite(source: Path, target: Path) -> None:
    """Copy the database `source`, which a server may be using, to the new file `target`.

    Raises:
        BackupError: there is no such database, it is not one of this program, or it is damaged.
    """
    if not source.is_file():
        raise BackupError(f"There is no database {source}.")
    try:
        # All pages in one step: SQLite would start again whenever the server writes in between.
        with (
            closing(
                sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True, timeout=_WAIT_S)
            ) as old,
            closing(sqlite3.connect(target)) as new,
        ):
            _check_ours(old, source)
            old.backup(new, pages=-1)
            # The file alone must be the whole database, without a write-ahead log beside it.
            new.execute("PRAGMA journal_mode=DELETE")
        check_sqlite(target)
    except sqlite3.Error as error:
        raise BackupError(
            f"The database {source} cannot be copied: {error}.", failed=True
        ) from None


def check_sqlite(file: Path) -> None:
    """Check that every page and index of an SQLite database is sound.

    Raises:
        BackupError: it is damaged.
    """
    try:
        with closing(sqlite3.connect(file)) as database:
            found = database.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.Error as error:
        found = str(error)
    if found != "ok":
        raise BackupError(f"The database {file} is damaged: {found}.", failed=True)


def _check_ours(database: sqlite3.Connection, path: Path) -> None:
    names = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
    if not names >= _TABLES:
        raise BackupError(f"{path} is not a database of Doublecross.")


def dump_postgresql(database: URL, target: Path) -> None:
    """Write the database at a URL to the file `target`, in pg_dump's own format.

    Raises:
        BackupError: pg_dump is missing or fails.
    """
    _run(
        "pg_dump", database, "--format=custom", "--no-owner", "--no-privileges", f"--file={target}"
    )


def restore_postgresql(source: Path, database: URL) -> None:
    """Write what `dump_postgresql` saved into the empty database at a URL, all or nothing.

    Raises:
        BackupError: pg_restore is missing or fails, for example because there are tables already.
    """
    _run(
        *("pg_restore", database, "--no-owner", "--no-privileges", "--single-transaction"),
        *("--exit-on-error", str(source)),
    )


def _run(program: str, url: URL, *options: str) -> None:
    if url.get_backend_name() != POSTGRESQL:
        raise BackupError(
            f"A database of the kind {url.get_backend_name()} cannot be backed up here."
        )
    found = shutil.which(program)
    if found is None:
        raise BackupError(
            f"{program} is missing. It comes with PostgreSQL's client programs"
            " (Debian and Ubuntu: apt-get install postgresql-client)."
        )
    # The password goes through the environment, because everybody can see the list of processes.
    environment = dict(os.environ)
    if url.password is not None:
        environment["PGPASSWORD"] = str(url.password)
    address = url.set(drivername="postgresql")._replace(password=None).render_as_string()
    done = subprocess.run(
        [found, "--dbname", address, "--no-password", *options],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["it gave no reason"]
        raise BackupError(f"{program} failed: {lines[0].rstrip('.')}.", failed=True)
