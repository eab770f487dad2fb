"""Let several committers share the service time of their node.

Service time stands still while a commit is slow and while the storage fails, and it expects one
commit at a time. A node has a committer for each log. So the oldest commit under way counts, and
the storage fails as long as one committer has trouble.
"""

from __future__ import annotations

import asyncio
from typing import Final

from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.upkeep.service_time import CommitWatch

CHECK_S: Final = 1.0
"""Seconds between two checks of a storage that fails."""


class SharedWatch:
    """Join the watches of several committers to one; None: nobody watches."""

    def __init__(self, watch: CommitWatch | None) -> None:
        self.watch = watch
        self.under_way: dict[LogWatch, None] = {}
        """The commits that have begun, oldest first."""
        self.failing: set[LogWatch] = set()

    def of_log(self) -> LogWatch:
        """Return the watch of one committer."""
        return LogWatch(self)


class LogWatch:
    """The watch of one committer; `CommitWatch` documents the methods."""

    def __init__(self, shared: SharedWatch) -> None:
        self._shared = shared
        self._watch = shared.watch
        self._is_closed = False

    def commit_began(self) -> None:
        """Note that a commit begins, unless the watch is closed."""
        under_way = self._shared.under_way
        if not self._is_closed:
            under_way[self] = None
            if len(under_way) == 1 and self._watch is not None:
                self._watch.commit_began()

    def commit_ended(self) -> None:
        """Note that a commit has ended."""
        under_way = self._shared.under_way
        was_oldest = next(iter(under_way), None) is self
        under_way.pop(self, None)
        if was_oldest and self._watch is not None:
            self._watch.commit_ended()
            if under_way:
                self._watch.commit_began()

    def storage_works(self, works: bool) -> None:
        """Note whether the storage works, unless the watch is closed."""
        failing = self._shared.failing
        failed = bool(failing)
        if works:
            failing.discard(self)
        elif not self._is_closed:
            failing.add(self)
        if bool(failing) != failed and self._watch is not None:
            self._watch.storage_works(not failing)

    def close(self) -> None:
        """Stop watching, because another node has the log."""
        self._is_closed = True
        self.commit_ended()
        self.storage_works(True)


async def check_troubled(committer: Committer) -> None:
    """Watch a committer for ever: while its storage fails, check it until it works again.

    Otherwise a log in which nobody plays would count as failing for good.

    Raises:
        UnrecoverableError: another node writes there now.
    """
    while True:
        await asyncio.sleep(CHECK_S)
        if committer.writer.trouble:
            await committer.writer.check()
