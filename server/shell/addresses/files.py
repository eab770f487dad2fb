"""Raise the limit on open files, and notice when it is nearly reached.

Each connection is an open file. The system refuses new ones beyond a limit, and then not only
connections fail but also the database and the log. So the server refuses connections a little
before that.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from typing import Final

import structlog

_log = structlog.get_logger("connection")

SPARE: Final = 64
"""How many files are kept free for the database, the log and child processes."""
LOG_EVERY_S: Final = 60.0


def raise_file_limit() -> int:
    """Raise the soft limit on open files to the hard limit; return the limit that holds now."""
    try:
        import resource
    except ImportError:  # Windows has no such limit on sockets
        return sys.maxsize
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (OSError, ValueError) as error:  # some systems have a lower limit of their own
            _log.warning("file_limit_unchanged", limit=soft, why=str(error))
            return soft
    return sys.maxsize if hard == resource.RLIM_INFINITY else hard


class FileGuard:
    """Tell whether there are enough files for one more connection.

    The system gives each new file the lowest free number. A high number therefore means that
    nearly all are in use, and costs nothing to look at.
    """

    def __init__(self, limit: int, now_s: Callable[[], float]) -> None:
        self._limit = limit
        self._now_s = now_s
        self._logged_s: float | None = None
        self._refused = 0
        self.hits = 0
        """How many connections failed for lack of files."""

    def admits(self, connection: socket.socket) -> bool:
        """Return whether the server may keep this connection; log it if not."""
        if connection.fileno() < self._limit - SPARE:
            return True
        self.exhausted()
        return False

    def exhausted(self) -> None:
        """Note that a connection failed for lack of files; write a line at most once a minute."""
        self._refused += 1
        self.hits += 1
        now = self._now_s()
        if self._logged_s is None or now - self._logged_s >= LOG_EVERY_S:
            self._logged_s = now
            _log.error(
                "open_files_exhausted",
                limit=self._limit,
                refused=self._refused,
                what="New connections are refused; raise the limit on open files (ulimit -n).",
            )
            self._refused = 0
