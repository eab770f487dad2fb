"""Refuse requests that the server cannot carry out now, or soon."""

from __future__ import annotations

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.shell.journal.committer import Committer


class Availability:
    """Refuse requests while the server stops, drains, or has a storage that is far behind."""

    def __init__(self, committer: Committer) -> None:
        self._committer = committer
        self.closing = False
        """True when the server is stopping."""
        self.draining = False
        """True when nothing new begins, because the server will stop soon."""

    def check_open(self) -> None:
        """Check that the server accepts requests that change something.

        Raises:
            Refused: the server is stopping, or its storage is far behind.
        """
        if self.closing:
            raise Refused(ErrorCode.CLOSING, "The server is stopping; connect again in a moment.")
        if self._committer.full:
            raise Refused(
                ErrorCode.STORAGE_FAILED, "The server's storage is behind; try again in a moment."
            )

    def check_accepting(self) -> None:
        """Check that something new may begin, such as a room, a match or a player.

        Raises:
            Refused: the server is stopping, or will soon.
        """
        self.check_open()
        if self.draining:
            # Not `CLOSING`: clients send such requests again at once, and draining takes minutes.
            raise Refused(
                ErrorCode.DRAINING,
                "The server will stop soon, so nothing new begins; games in play go on.",
            )
