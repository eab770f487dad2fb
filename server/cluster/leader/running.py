"""Run the leader while this node owns its log."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

import structlog

from doublecross.server.cluster.leader.connections import LeaderConnections, run_of, show
from doublecross.server.cluster.leader.leader import Leader
from doublecross.server.cluster.leader.rooms import Clients
from doublecross.server.cluster.leader.state import LeaderState
from doublecross.server.cluster.parts import NodeParts, OwnedLog
from doublecross.server.cluster.watches import check_troubled, until_lost
from doublecross.server.core.cluster_storage import LEADER, Claim
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.identity.names import LOOK_VERSION, look_of
from doublecross.server.shell.upkeep.periodic import every

TICK_S: Final = 0.05
"""Seconds between two checks for what is due in tournaments."""
SWEEP_S: Final = 0.25
"""Seconds between two checks for expired offers and changes of the lobby."""
CLEAN_S: Final = 2.0
"""Seconds between two deletions of entries that no open offer needs."""
TOKENS_S: Final = 30.0
"""Seconds between two checks for connections whose tokens have ended."""
SESSION_BITS: Final = 32
"""How many bits of a session's number count the logins of one leader.

The bits above are the fencing token of the leader, so a later leader has larger numbers.
"""

_log = structlog.get_logger("cluster")


class RunningLeader:
    """Be the leader until its log is lost or given up.

    `state` is the state of the former leader, which this node has kept.
    """

    def __init__(
        self,
        parts: NodeParts,
        own: OwnedLog,
        advice: AdviceService,
        state: LeaderState | None,
        last_entry_id: int,
    ) -> None:
        self.store = own.store
        self.token = own.claim.token
        self._own = own
        self._state = state
        config, time = parts.config, parts.time
        self.leader = Leader(
            self.token,
            parts.network.later,
            Clients(run_of, show),
            own.store,
            # For reading, no claim has to hold.
            lambda log: parts.store_of(Claim(log, 0)).journal(),
            config.times,
            time.now,
            parts.may_show,
        )
        self.authority = Authority(
            own.store,
            parts.leader.rng,
            config,
            replace(time, watch=own.watch),
            last_entry_id,
            advice,
            parts.leader.reviewer(),
            self.leader,
        )
        self.connections = LeaderConnections(
            self.authority,
            parts.network.link,
            asyncio.get_running_loop().call_soon,
            self.token << SESSION_BITS,
            parts.patience,
        )
        self.leader.logs.used = parts.leader.used_logs
        self.authority.accounts.on_rights = self.connections.rights_changed
        self.is_open = False
        self._committing: asyncio.Task[None] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(
        self, owners: Callable[[], Mapping[str, str | None]], runs: Callable[[], list[str]]
    ) -> None:
        """Wait until all rooms are known, and serve clients from then on.

        `owners` returns the run that owns each log, or None for one without an owner that lives.
        `runs` returns the runs that can be reached.

        Raises:
            StoreError: the database fails, or a node does not answer.
        """
        loop = asyncio.get_running_loop()
        self._committing = loop.create_task(self._until_lost(self.authority.committer.run))
        await self.store.complete_looks(LOOK_VERSION, look_of)
        await self.authority.accounts.load()
        await self.authority.turn_messages.load()
        if self._state is not None:
            self.authority.announcements.kept = self._state.announcement
            self.authority.drain(self._state.draining)
        self.leader.owners_changed(owners())
        for run in runs():
            self.leader.linked(run)
        await self.leader.open(self.authority, self.store.journal())
        self._tasks = [
            loop.create_task(self._until_lost(partial(every, TICK_S, self.authority.tick))),
            loop.create_task(self._until_lost(partial(every, SWEEP_S, self.authority.sweep))),
            loop.create_task(self._until_lost(self._check_tokens)),
            loop.create_task(self._until_lost(self._clean)),
            loop.create_task(self._until_lost(partial(check_troubled, self.authority.committer))),
        ]
        self.is_open = True
        _log.info("leader_open", rooms=len(self.authority.lobby.rooms))

    async def _until_lost(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        await until_lost(LEADER, work, self._own.on_lost)

    async def _check_tokens(self) -> None:
        while True:
            await asyncio.sleep(TOKENS_S)
            with contextlib.suppress(StoreError):  # commits report that
                await self.authority.accounts.sweep()

    async def _clean(self) -> None:
        while True:
            await asyncio.sleep(CLEAN_S)
            with contextlib.suppress(StoreError):  # commits report that
                await self.leader.offers.clean()

    def linked(self, run: str) -> None:
        """Note that a run can be reached."""
        self.leader.linked(run)

    def reset(self, run: str) -> None:
        """Note that the link to a run has broken."""
        self.connections.link_broke(run)
        self.leader.reset(run)

    def stop(self) -> None:
        """Stop being the leader at once: nobody gets an answer."""
        self.is_open = False
        self._own.watch.close()
        for task in self._tasks:
            task.cancel()
        if self._committing is not None:
            self._committing.cancel()

    async def close(self) -> None:
        """Free what the leader still holds."""
        self.stop()
        await self.leader.close()
        await self.authority.reviews.close()
        await self.authority.review_mail.close()
        await self.authority.calendar.close()
        await self.authority.mailer.close()
        await self.authority.turn_messages.pusher.close()
        await self.authority.director.close()
        self.authority.accounts.close()

    async def settle(self) -> None:
        """Begin nothing new, and store everything that waits."""
        self.authority.close()
        committer = self.authority.committer
        with contextlib.suppress(StoreError):
            await committer.settled(games=True)
        await committer.close()
        if self._committing is not None:
            await asyncio.wait([self._committing])
        await self.close()
