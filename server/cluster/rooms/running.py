"""Run a log that this node owns: its rooms, its committer and its timers."""

from __future__ import annotations

from functools import partial
from typing import Final

import structlog

from doublecross.server.cluster.parts import NodeParts, OwnedLog
from doublecross.server.cluster.rooms.side import RoomsSide
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.sessions import Sessions
from doublecross.server.shell.upkeep.periodic import every, repeat

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
        self,
        parts: NodeParts,
        own: OwnedLog,
        sessions: Sessions,
        advice: AdviceService,
        last_entry_id: int,
    ) -> None:
        self._own = own
        config, time = parts.config, parts.time
        self._committer = Committer(own.store, last_entry_id, time, parts.may_show)
        self.side = RoomsSide(
            parts.network.later,
            sessions,
            self._committer,
            advice,
            config.limits,
            config.times,
            time,
        )

    async def start(self) -> int:
        """Restore the rooms, and run them from then on; return how many there are.

        Raises:
            StoreError: the database fails, or another node has the log.
        """
        own, side = self._own, self.side
        own.commit(self._committer)
        await side.take(own.claim.log, own.store.journal())
        registry = side.rooms.registry
        own.keep(
            partial(every, TICK_S, side.tick),
            partial(every, SWEEP_S, side.sweep),
            partial(repeat, CLEAN_S, registry.retention.clean),
        )
        return len(registry.channels)

    @property
    def is_empty(self) -> bool:
        """True when the log has no rooms, and needs no entry of its storage."""
        rooms = self.side.rooms
        registry = rooms.registry
        kept = registry.channels or rooms.index.sleeping or registry.retention.has_entries
        return rooms.committer.idle and not kept

    def stop(self) -> list[tuple[object, int | None]]:
        """Stop running the rooms at once: nobody gets an answer.

        Return the peers that wait for something, each with the id of its request, if any.
        """
        self._own.stop()
        self.side.rooms.sleeping.closed = True
        return self._committer.abandon()

    async def settle(self) -> None:
        """Refuse requests that change something, and store everything that waits."""
        self.side.rooms.availability.closing = True
        await self._own.settle()
        await self.side.close()
        self.stop()
