"""Run the leader while this node owns its log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import structlog

from doublecross.server.cluster.far_clients.far_websocket import FarClients
from doublecross.server.cluster.leader.connections import LeaderConnections, run_of, show
from doublecross.server.cluster.leader.leader import Leader
from doublecross.server.cluster.leader.rooms import Clients
from doublecross.server.cluster.leader.state import LeaderState
from doublecross.server.cluster.parts import NodeParts, OwnedLog
from doublecross.server.core.cluster_storage import Claim
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.identity.names import LOOK_VERSION, look_of
from doublecross.server.shell.upkeep.periodic import every, repeat

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
        state: LeaderState,
        last_entry_id: int,
    ) -> None:
        self.token = own.claim.token
        self._own = own
        self._network = parts.network
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
            parts.rng,
            config,
            time,
            last_entry_id,
            advice,
            parts.reviewer(),
            self.leader,
        )
        self.connections = LeaderConnections(
            self.authority,
            FarClients(parts.network.later, asyncio.get_running_loop().call_soon),
            self.token << SESSION_BITS,
            parts.patience,
        )
        self.leader.logs.used = parts.used_logs
        self.authority.accounts.on_rights = self.connections.rights_changed
        self.is_open = False

    async def start(self, owners: Callable[[], Mapping[str, str | None]]) -> None:
        """Wait until all rooms are known, and serve clients from then on.

        `owners` returns the run that owns each log, or None for one without an owner that lives.

        Raises:
            StoreError: the database fails, or a node does not answer.
        """
        own = self._own
        own.commit(self.authority.committer)
        await own.store.complete_looks(LOOK_VERSION, look_of)
        await self.authority.accounts.load()
        await self.authority.turn_messages.load()
        self.authority.announcements.kept = self._state.announcement
        self.authority.drain(self._state.draining)
        self.leader.owners_changed(owners())
        for run in (self._network.run, *self._network.reachable()):
            self.leader.linked(run)
        await self.leader.open(self.authority, own.store.journal())
        own.keep(
            partial(every, TICK_S, self.authority.tick),
            partial(every, SWEEP_S, self.authority.sweep),
            partial(repeat, TOKENS_S, self.authority.accounts.sweep),
            partial(repeat, CLEAN_S, self.leader.offers.clean),
        )
        self.is_open = True
        _log.info("leader_open", rooms=len(self.authority.lobby.rooms))

    def reset(self, run: str) -> None:
        """Note that the link to a run has broken."""
        self.connections.link_broke(run)
        self.leader.reset(run)

    def stop(self) -> None:
        """Stop being the leader at once: nobody gets an answer."""
        self.is_open = False
        self._own.stop()

    async def close(self) -> None:
        """Free what the leader still holds."""
        self.stop()
        await self.leader.close()
        await self.authority.end()

    async def settle(self) -> None:
        """Begin nothing new, and store everything that waits."""
        self.authority.close()
        await self._own.settle()
        await self.close()
