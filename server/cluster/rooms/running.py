"""Run a log that this node owns: its rooms, its committer and its timers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any, Final

import structlog

from doublecross.server.cluster.parts import NodeParts, OwnedLog
from doublecross.server.cluster.rooms.side import RoomsSide
from doublecross.server.cluster.watches import check_troubled, until_lost
from doublecross.server.core.cluster_storage import LogLostError
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.sessions import Sessions
from doublecross.server.shell.upkeep.periodic import every

TICK_S: Final = 0.05
"""Seconds between two checks for expired clocks and other deadlines."""
SWEEP_S: Final = 0.25
"""Seconds between two notices of who follows a room."""
CLEAN_S: Final = 2.0
"""Seconds between two deletions of entries that no room needs."""

_log = structlog.get_logger("cluster")


class RunningLog:
    """Restore the rooms of a log, and run them until the log is lost or given up."""

    def __init__(
        self, parts: NodeParts, own: OwnedLog, sessions: Sessions, advice: AdviceService
    ) -> None:
        self.log = own.claim.log
        self.store = own.store
        self._parts = parts
        self._own = own
        self._sessions = sessions
        self._advice = advice
        self._tasks: list[asyncio.Task[None]] = []
        self._committer: Committer | None = None
        self._stopped = False
        self.side: RoomsSide

    async def start(self) -> int:
        """Restore the rooms, and run them from then on; return how many there are.

        Raises:
            StoreError: the database fails, or another node has the log.
        """
        parts = self._parts
        time = replace(parts.time, watch=self._own.watch)
        self._committer = committer = Committer(
            self.store, await self.store.last_entry_id(), time, parts.may_show
        )
        self.side = RoomsSide(
            parts.network.later,
            self._sessions,
            committer,
            self._advice,
            parts.config.limits,
            parts.config.times,
            time,
        )
        loop = asyncio.get_running_loop()
        self._tasks = [
            loop.create_task(self._until_lost(committer.run)),
            loop.create_task(self._until_lost(partial(check_troubled, committer))),
        ]
        await self.side.take(self.log, self.store.journal())
        if self._stopped:
            return 0
        self._tasks += [
            loop.create_task(self._until_lost(partial(every, TICK_S, self.side.tick))),
            loop.create_task(self._until_lost(partial(every, SWEEP_S, self.side.sweep))),
            loop.create_task(self._until_lost(self._clean)),
        ]
        return len(self.side.rooms.registry.channels)

    @property
    def is_empty(self) -> bool:
        """True when the log has no rooms, and needs no entry of its storage."""
        rooms = self.side.rooms
        registry = rooms.registry
        kept = registry.channels or rooms.index.sleeping or registry.retention.has_entries
        return rooms.committer.idle and not kept

    async def _until_lost(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        await until_lost(self.log, work, self._lost)

    def _lost(self) -> None:
        self._own.on_lost()
        self.stop()

    async def _clean(self) -> None:
        while True:
            await asyncio.sleep(CLEAN_S)
            with contextlib.suppress(LogLostError):  # the next commit finds that out too
                await self.side.rooms.registry.retention.clean()

    def stop(self) -> list[tuple[object, int | None]]:
        """Stop running the rooms at once: nobody gets an answer.

        Return the peers that wait for something, each with the id of its request, if any.
        """
        self._stopped = True
        self._own.watch.close()
        for task in self._tasks:
            task.cancel()
        if self._committer is None:
            return []
        self.side.rooms.sleeping.closed = True
        return self._committer.abandon()

    async def settle(self) -> None:
        """Refuse requests that change something, and store everything that waits.

        Raises:
            StoreError: it could not be stored.
        """
        self.side.rooms.availability.closing = True
        committer = self.side.rooms.committer
        with contextlib.suppress(StoreError):
            await committer.settled(games=True)
        await committer.close()
        await asyncio.wait(self._tasks[:1])
        await self.side.close()
        self.stop()
