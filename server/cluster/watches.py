"""Let several committers share the service time of their node.

Service time stands still while a commit is slow and while the storage fails, and it expects one
commit at a time. A node has a committer for each log. So the oldest commit under way counts, and
the storage fails as long as one committer has trouble.

`until_lost` runs the tasks of a log, and ends them when the log is lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

import structlog

from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.upkeep.service_time import CommitWatch
from doublecross.server.supervisor import UnrecoverableError

CHECK_S: Final = 1.0
"""Seconds between two checks of a storage that fails."""

_log = structlog.get_logger("cluster")


class SharedWatch:
    """Join the watches of several committers to one; None: nobody watches."""

    def __init__(self, watch: CommitWatch | None) -> None:
        self._watch = watch
        self._under_way: dict[LogWatch, None] = {}
        """The commits that have begun, oldest first."""
        self._failing: set[LogWatch] = set()

    def of_log(self) -> LogWatch:
        """Return the watch of one committer."""
        return LogWatch(self)

    def began(self, part: LogWatch) -> None:
        """Note that a commit begins."""
        self._under_way[part] = None
        if len(self._under_way) == 1 and self._watch is not None:
            self._watch.commit_began()

    def ended(self, part: LogWatch) -> None:
        """Note that a commit has ended."""
        if part not in self._under_way:
            return
        was_oldest = next(iter(self._under_way)) is part
        del self._under_way[part]
        if was_oldest and self._watch is not None:
            self._watch.commit_ended()
            if self._under_way:
                self._watch.commit_began()

    def works(self, part: LogWatch, works: bool) -> None:
        """Note whether the storage works for a committer."""
        failed = bool(self._failing)
        if works:
            self._failing.discard(part)
        else:
            self._failing.add(part)
        if bool(self._failing) != failed and self._watch is not None:
            self._watch.storage_works(not self._failing)


class LogWatch:
    """The watch of one committer; `CommitWatch` documents the methods."""

    def __init__(self, shared: SharedWatch) -> None:
        self._shared = shared
        self._is_closed = False

    def commit_began(self) -> None:
        """Note that a commit begins, unless the watch is closed."""
        if not self._is_closed:
            self._shared.began(self)

    def commit_ended(self) -> None:
        """Note that a commit has ended."""
        self._shared.ended(self)

    def storage_works(self, works: bool) -> None:
        """Note whether the storage works, unless the watch is closed."""
        if not self._is_closed:
            self._shared.works(self, works)

    def close(self) -> None:
        """Stop watching, because another node has the log."""
        self._is_closed = True
        self._shared.ended(self)
        self._shared.works(self, True)


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


async def until_lost(
    log: str, work: Callable[[], Coroutine[Any, Any, None]], on_lost: Callable[[], None]
) -> None:
    """Do some work for a log; call `on_lost` when it finds that another node has the log.

    Call it also when the work fails: without the work, nobody would get an answer. The node then
    drops the log, and reads it again if it still owns it.
    """
    try:
        await work()
    except UnrecoverableError as error:
        _log.warning("log_lost", log=log, reason=str(error))
    except Exception:  # noqa: BLE001 - see above
        _log.exception("log_failed", log=log)
    else:
        return
    on_lost()
