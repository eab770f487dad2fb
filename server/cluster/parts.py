"""The parts of a node that it gives to the logs and the leader that it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final

import structlog

from doublecross.server.cluster.core.sharing import USED_LOGS
from doublecross.server.cluster.network import Network
from doublecross.server.core.cluster_storage import Claim
from doublecross.server.core.limits import Patience
from doublecross.server.core.storage import Store
from doublecross.server.shell.analysis.reviews import Reviewer
from doublecross.server.shell.authority import AuthorityConfig
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.upkeep.service_time import TimeSource
from doublecross.server.supervisor import UnrecoverableError

CHECK_S: Final = 1.0
"""Seconds between two checks of a storage that fails."""

_log = structlog.get_logger("cluster")


@dataclass(frozen=True, slots=True)
class NodeParts:
    """The parts of a node.

    `store_of` returns the storage of a log.
    `may_show` returns whether the lease holds, so that no other node can have taken a log. While
    the leader is here, it uses `rng` and a new `reviewer` of finished games, if there is one, and
    opens rooms in `used_logs` logs of each node. `place` returns the node's HTTP address for
    welcomes, and the version of the page there.
    """

    network: Network
    store_of: Callable[[Claim], Store]
    config: AuthorityConfig
    time: TimeSource
    may_show: Callable[[], bool]
    patience: Patience
    rng: Random
    reviewer: Callable[[], Reviewer | None] = lambda: None
    used_logs: int = USED_LOGS
    place: Callable[[], tuple[str | None, str | None]] = lambda: (None, None)


class OwnedLog:
    """A log that a node owns now, the leader's or one with rooms, and the tasks that run it.

    `store` has the log as its journal. `on_lost` is called
    when a task finds that another node has the log. It is called also when a task fails, because
    without the task nobody would get an answer. The node then drops the log, and reads it again if
    it still owns it.
    """

    def __init__(self, claim: Claim, store: Store, on_lost: Callable[[], None]) -> None:
        self.claim = claim
        self.store = store
        self._on_lost = on_lost
        self._committer: Committer | None = None
        self._tasks: list[asyncio.Task[None]] = []

    def commit(self, committer: Committer) -> None:
        """Let a committer store what it is given from now on."""
        self._committer = committer
        self.keep(committer.run, partial(check_troubled, committer))

    def keep(self, *works: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do some work for the log until it is lost or given up."""
        loop = asyncio.get_running_loop()
        self._tasks += [loop.create_task(self._until_lost(work)) for work in works]

    async def _until_lost(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        except UnrecoverableError as error:
            _log.warning("log_lost", log=self.claim.log, reason=str(error))
        except Exception:  # noqa: BLE001 - see above
            _log.exception("log_failed", log=self.claim.log)
        else:
            return
        self._on_lost()

    async def settle(self) -> None:
        """Store everything that waits, and nothing that comes later."""
        if self._committer is not None:
            settled = asyncio.ensure_future(self._committer.settled(games=True))
            # If another node has the log, the committer ends without a word to those who wait.
            await asyncio.wait((settled, self._tasks[0]), return_when=asyncio.FIRST_COMPLETED)
            settled.cancel()
            await asyncio.gather(settled, return_exceptions=True)
            await self._committer.close()
            await asyncio.wait(self._tasks[:1])

    def stop(self) -> None:
        """End all tasks at once."""
        if self._committer is not None:
            self._committer.writer.unwatch()
        for task in self._tasks:
            task.cancel()


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
