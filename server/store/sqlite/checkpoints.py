"""Copy the write-ahead log into the database while commits go on.

Theory of operation
-------------------
A *checkpoint* copies the pages of the log into the database file and syncs that file. SQLite would
do it in the commit that makes the log too long, and everybody who waits for that commit would wait
for it too. It takes about 8 ms for 1,000 pages on a fast disk.

A second thread with a connection of its own does nearly all of this beside the commits. But SQLite
begins the log anew only when all its pages are copied and nothing was added meanwhile. With commits
all the time that never happens there: the log would grow without end, and a commit into a growing
file costs twice as much as one that overwrites. So the last step is the writer's. After a commit,
when its answer is on the way, the writer copies the few pages that were added meanwhile, in about
half a millisecond. The next commit begins the log anew.

If the second thread falls behind or fails, the log becomes longer. Then SQLite's own limit applies
(`_LOG_PAGES` in `connections.py`), with a checkpoint in a commit.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

PAGES: Final = 1000
"""How many pages are written, about, before a checkpoint begins."""
PASSES: Final = 3
"""How often the second thread copies at most. Each time fewer pages are left."""
_CHECKPOINT: Final = "PRAGMA wal_checkpoint(PASSIVE)"
"""The pragma that copies what it can; it waits for nobody and makes nobody wait."""


class Checkpoints:
    """Decide when checkpoints are due, and carry them out.

    The thread of the writer calls `wrote`, and `finish` after each answer. `connect` opens a
    connection.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._pages = 0
        """About how many pages were written since the last checkpoint."""
        self.asked = False
        """True while a checkpoint is under way."""
        self.copied = threading.Event()
        """Set when the second thread has finished its part."""
        self._wake = threading.Semaphore(0)
        self._ended = False
        self._thread = threading.Thread(target=self._work, name="checkpoints", daemon=True)
        self.done = 0
        """The number of checkpoints that began and ended."""

    def wrote(self, pages: int) -> None:
        """Count new pages in the log; the number is an estimate."""
        self._pages += pages
        if self._pages >= PAGES and not self.asked:
            self.asked = True
            if not self._thread.ident:
                self._thread.start()
            self._wake.release()

    def finish(self, connection: sqlite3.Connection) -> None:
        """Copy what is left on the writer's connection, if the second thread has copied the rest.

        After an error the log remains, and the next checkpoint tries again. If the disk has failed,
        the next commit fails too and reports it.
        """
        if not self.copied.is_set():
            return
        self.copied.clear()
        self.asked = False
        self._pages = 0
        with suppress(sqlite3.Error):
            connection.execute(_CHECKPOINT).fetchall()
        self.done += 1

    def end(self) -> None:
        """End the second thread, and close its connection. Call it without a running checkpoint.

        The thread of the writer may wait here for a checkpoint.
        """
        self._ended = True
        self._wake.release()
        if self._thread.ident:
            self._thread.join()

    def _work(self) -> None:
        connection: sqlite3.Connection | None = None
        while True:
            self._wake.acquire()
            if self._ended:
                break
            # See `finish` for errors.
            with suppress(sqlite3.Error):
                if connection is None:
                    connection = self._connect()
                for _ in range(PASSES):
                    busy, total, copied = connection.execute(_CHECKPOINT).fetchone()
                    if busy or total == copied:
                        break
            self.copied.set()
        if connection is not None:
            connection.close()
