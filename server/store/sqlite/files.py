"""The file of an SQLite database: its path, how to read it, and the lock of a server on it."""

from __future__ import annotations

import errno
import os
import struct
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from doublecross.server.core.storage import StoreError

if TYPE_CHECKING:
    import sqlalchemy as sa

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_LOCK_BYTE: Final = 2**62
"""The byte of the database file that a server locks. SQLite locks bytes from 2**30 on."""


def database_file(url: sa.URL) -> Path:
    """Return the file of this database, with symbolic links resolved.

    Raises:
        StoreError: the URL names no file, a folder, or a file in a missing folder.
    """
    name = url.database
    if not name or name == ":memory:" or name.startswith("file:"):
        raise StoreError("The database must be a file; give its path.")
    path = Path(name).resolve()
    if path.is_dir():
        raise StoreError(f"The database {path} cannot be opened: it is a folder.")
    if not path.parent.is_dir():
        raise StoreError(f"The database {path} cannot be opened: there is no folder {path.parent}.")
    return path


def reading_address(path: Path) -> str:
    """Return the URI with which SQLite reads this file and leaves no files beside it.

    As long as no server writes, the file is read as it is. With a write-ahead log, SQLite reads
    that too.
    """
    # Without its write-ahead log the file alone is the whole database. Then SQLite need not create
    # its files beside it, not even to read.
    log = path.with_name(f"{path.name}-wal")
    alone = not log.exists() or log.stat().st_size == 0
    return f"{path.as_uri()}?mode=ro{'&immutable=1' if alone else ''}"


def _open_private(path: str | Path, flags: int) -> int:
    """Open a file; when it is created, only its owner can read it."""
    return os.open(path, flags, 0o600)


class UseLock:
    """The lock of a server on its database, from `acquire` to `release`.

    It is an operating-system lock on an empty file beside the database, which remains after
    `release`, and on Linux also a lock on the database file itself. The system frees both when the
    process ends, even by a crash. A forked child process shares them; a child that executes another
    program does not.

    The first lock alone would not do: somebody may delete the empty file, and a hard link to the
    database has another one beside it. The second lock belongs to the file, whatever its name.
    SQLite locks the same file with POSIX locks, which a process loses as soon as it closes any
    descriptor of the file. So this is an open file description lock (`man 2 fcntl`), on a byte that
    SQLite never locks, and its descriptor is closed only after SQLite's. A `flock` would work too,
    but network file systems turn it into a POSIX lock on the whole file, which collides with those
    of SQLite.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        # Append ".lock" and do not replace the suffix: a.db and a.sqlite are different databases.
        name = f"{database}.lock"
        self._file = open(name, "ab", opener=_open_private)  # noqa: SIM115 - held
        self._database_file: int | None = None

    def acquire(self) -> None:
        """Take the lock without waiting. Call it before SQLite opens the database.

        Raises:
            StoreError: another server has the lock.
            OSError: the database file cannot be opened or locked.
        """
        try:
            if sys.platform == "win32":
                msvcrt.locking(self._file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise self._taken() from error
        try:
            self._lock_database()
        except OSError as error:
            self.release()
            if error.errno == errno.EAGAIN:
                raise self._taken() from error
            raise

    def _lock_database(self) -> None:
        # SQLite would let others read a missing file. It gives the files beside it the same rights.
        descriptor = _open_private(self._database, os.O_RDWR | os.O_CREAT)
        if sys.platform == "linux":
            self._database_file = descriptor
            # struct flock: type, whence, start, length, process
            lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, _LOCK_BYTE, 1, 0)
            fcntl.fcntl(self._database_file, fcntl.F_OFD_SETLK, lock)
        else:
            os.close(descriptor)

    def _taken(self) -> StoreError:
        return StoreError(f"Another server is using the database {self._database}.")

    def release(self) -> None:
        """Release the lock, so that another server can use the database."""
        descriptor, self._database_file = self._database_file, None
        if descriptor is not None:
            os.close(descriptor)
        self._file.close()
