"""Start and stop the leader at this node."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import structlog

from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.far_clients.items import pack
from doublecross.server.cluster.leader.running import RunningLeader
from doublecross.server.cluster.leader.state import KeptState
from doublecross.server.cluster.parts import NodeParts, OwnedLog
from doublecross.server.cluster.watches import SharedWatch
from doublecross.server.core.cluster_storage import Claim
from doublecross.server.core.lobby.lobby import ID_LETTERS
from doublecross.server.core.storage import Store, StoreError
from doublecross.server.shell.analysis.advice import AdviceService

RETRY_S: Final = 0.2
"""Seconds until a log that could not be read is read again."""
EPOCH_LETTERS: Final = 12
"""How many letters the epoch of a cluster has."""

EARLY_FIELDS: Final = 3
"""How many fields `SAID` has before the login of its client."""
FROM_CLIENTS: Final = frozenset(
    (items.OPENED, items.SAID, items.BACK, items.ROOMS, items.LOBBY, items.GONE)
)
"""The kinds of items that a node sends to the leader for its clients."""

_log = structlog.get_logger("cluster")


class OwnLeader:
    """Start and stop the leader of this node. `running` is the leader as soon as it begins to open.

    `owners` returns the owners of all logs (see `Node.owners`), and `reachable` the runs that the
    leader can reach. `on_lost` is called with a claim when a commit has found that it does not
    hold.

    Clients wait at their nodes until the leader is open. They also wait while the lease does not
    hold, because even a refusal might be wrong: another node may be the leader by then.
    """

    def __init__(
        self,
        parts: NodeParts,
        watches: SharedWatch,
        advice: AdviceService,
        owners: Callable[[], Mapping[str, str | None]],
        reachable: Callable[[], list[str]],
        on_lost: Callable[[Claim], None],
    ) -> None:
        self._parts = parts
        self._watches = watches
        self._advice = advice
        self._owners = owners
        self._reachable = reachable
        self._on_lost = on_lost
        self.running: RunningLeader | None = None
        self.kept = KeptState()
        self.on_change: Callable[[RunningLeader | None], None] = lambda _: None
        """Called when this node has become the leader, and when it stops being the leader."""
        self._claim: Claim | None = None
        self._opening: asyncio.Task[None] | None = None
        self._send = parts.network.send

    def claim(self, claim: Claim) -> None:
        """Note that this node owns the leader's log. `start` follows."""
        self._claim = claim

    async def start(self, claim: Claim) -> bool:
        """Open the leader; return False if it was lost meanwhile."""
        while self._claim is claim:
            store = self._parts.store_of(claim)
            leader: RunningLeader | None = None
            try:
                last_entry_id = await store.last_entry_id()
                if self._claim is not claim:
                    return False
                self.running = leader = self._make(claim, store, last_entry_id)
                if not await self._open(leader):
                    return False
            except Exception as error:  # noqa: BLE001 - without a leader, all clients wait
                bug = None if isinstance(error, StoreError) else error
                _log.error("leader_not_opened", reason=str(error), exc_info=bug)
                if self.running is leader:
                    self.running = None
                if leader is not None:
                    await leader.close()
                await asyncio.sleep(RETRY_S)
                continue
            if self.running is leader:
                self.on_change(leader)
            return self.running is leader
        return False

    async def _open(self, leader: RunningLeader) -> bool:
        """Open a leader; return False if it was dropped before the end.

        Raises:
            StoreError: see `RunningLeader.start`.
        """
        opening = asyncio.ensure_future(leader.start(self._owners, self._reachable))
        self._opening = opening
        try:
            await asyncio.wait([opening])
        finally:
            opening.cancel()
        if opening.cancelled():
            return False
        opening.result()
        return True

    def _make(self, claim: Claim, store: Store, last_entry_id: int) -> RunningLeader:
        parts, state = self._parts, self.kept.newest
        made = "".join(parts.leader.rng.choices(ID_LETTERS, k=EPOCH_LETTERS))
        config = replace(parts.config, epoch=made if state is None else state.epoch)
        own = OwnedLog(claim, store, self._watches.of_log(), lambda: self._on_lost(claim))
        return RunningLeader(replace(parts, config=config), own, self._advice, state, last_entry_id)

    def take(self, run: str, fields: Sequence[Any]) -> bool:
        """Handle an item from the gateway of a node; return False when it is not for the leader.

        While the leader cannot answer, send back what was said, which its node keeps.
        """
        kind, about = fields[:2]
        if kind not in FROM_CLIENTS:
            return False
        leader = self._answering()
        if leader is None and kind == items.GONE:
            leader = self.running  # nobody is answered
        if leader is not None:
            return leader.connections.take(run, fields)
        if kind in (items.ROOMS, items.LOBBY):
            self._send(run, pack((items.NOT_YET, items.OF_NODE)))
        elif kind == items.SAID and len(fields) > EARLY_FIELDS:
            self._send(run, pack((items.BOUNCED, about, fields[2])))
        elif kind != items.GONE:
            self._send(run, pack((items.NOT_YET, about)))
        return True

    @property
    def is_answering(self) -> bool:
        """True while this node is the leader and may answer."""
        return self._answering() is not None

    def _answering(self) -> RunningLeader | None:
        """Return the leader if it may answer."""
        leader = self.running
        return leader if leader is not None and leader.is_open and self._parts.may_show() else None

    def reset(self, run: str) -> None:
        """Note that the link to a run has broken."""
        if self.running is not None:
            self.running.reset(run)

    def drop(self) -> RunningLeader | None:
        """Stop being the leader; return the leader that was running, if any."""
        self._claim = None
        if self._opening is not None:
            self._opening.cancel()
        leader, self.running = self.running, None
        if leader is not None:
            self.on_change(None)
        return leader
