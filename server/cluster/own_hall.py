"""Start and stop the hall at this node, and keep the items of clients until it may answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import structlog

from doublecross.server.cluster.hall.early import FROM_CLIENTS, EarlyItems
from doublecross.server.cluster.hall.running import RunningHall
from doublecross.server.cluster.hall.state import KeptState
from doublecross.server.cluster.parts import NodeParts, OwnedLog
from doublecross.server.cluster.watches import SharedWatch
from doublecross.server.core.cluster_storage import HALL, Claim
from doublecross.server.core.lobby.lobby import ID_LETTERS
from doublecross.server.core.storage import Store, StoreError
from doublecross.server.shell.analysis.advice import AdviceService

RETRY_S: Final = 0.2
"""Seconds until a log that could not be read is read again."""
EPOCH_LETTERS: Final = 12
"""How many letters the epoch of a cluster has."""

_log = structlog.get_logger("cluster")


class OwnHall:
    """Start and stop the hall of this node. `running` is the hall as soon as it begins to open.

    `owner` returns the run that owns a log, or None, `owners` the owners of all logs (see
    `Node.owners`), and `reachable` the runs that the hall can reach. `on_lost` is called with a
    claim when a commit has found that it does not hold.

    Items of clients wait until the hall is open. They also wait while the lease does not hold,
    because even a refusal might be wrong: another node may be the hall by then. And they wait while
    this node knows no hall, because other nodes may hear of its claim before itself.
    """

    def __init__(
        self,
        parts: NodeParts,
        watches: SharedWatch,
        advice: AdviceService,
        owner: Callable[[str], str | None],
        owners: Callable[[], Mapping[str, str | None]],
        reachable: Callable[[], list[str]],
        on_lost: Callable[[Claim], None],
    ) -> None:
        self._parts = parts
        self._watches = watches
        self._advice = advice
        self._owner = owner
        self._owners = owners
        self._reachable = reachable
        self._on_lost = on_lost
        self.running: RunningHall | None = None
        self.kept = KeptState()
        self.on_change: Callable[[RunningHall | None], None] = lambda _: None
        """Called when this node has become the hall, and when it stops being the hall."""
        self._claim: Claim | None = None
        self._opening: asyncio.Task[None] | None = None
        self._early = EarlyItems()

    def claim(self, claim: Claim) -> None:
        """Note that this node owns the hall's log. `start` follows."""
        self._claim = claim

    async def start(self, claim: Claim) -> bool:
        """Open the hall; return False if it was lost meanwhile."""
        while self._claim is claim:
            store = self._parts.store_of(claim)
            hall: RunningHall | None = None
            try:
                last_entry_id = await store.last_entry_id()
                if self._claim is not claim:
                    return False
                self.running = hall = self._make(claim, store, last_entry_id)
                if not await self._open(hall):
                    return False
            except Exception as error:  # noqa: BLE001 - without a hall, all clients wait
                bug = None if isinstance(error, StoreError) else error
                _log.error("hall_not_opened", reason=str(error), exc_info=bug)
                if self.running is hall:
                    self.running = None
                if hall is not None:
                    await hall.close()
                await asyncio.sleep(RETRY_S)
                continue
            if self.running is hall:
                self.go_on()
                self.on_change(hall)
            return self.running is hall
        return False

    async def _open(self, hall: RunningHall) -> bool:
        """Open a hall; return False if it was dropped before the end.

        Raises:
            StoreError: see `RunningHall.start`.
        """
        opening = asyncio.ensure_future(hall.start(self._owners, self._reachable))
        self._opening = opening
        try:
            await asyncio.wait([opening])
        finally:
            opening.cancel()
        if opening.cancelled():
            return False
        opening.result()
        return True

    def _make(self, claim: Claim, store: Store, last_entry_id: int) -> RunningHall:
        parts, state = self._parts, self.kept.newest
        made = "".join(parts.hall.rng.choices(ID_LETTERS, k=EPOCH_LETTERS))
        config = replace(parts.config, epoch=made if state is None else state.epoch)
        own = OwnedLog(claim, store, self._watches.of_log(), lambda: self._on_lost(claim))
        return RunningHall(replace(parts, config=config), own, self._advice, state, last_entry_id)

    def take(self, run: str, fields: list[Any]) -> bool:
        """Handle an item from the edge of a node; return False when it is not for the hall."""
        if fields[0] not in FROM_CLIENTS:
            return False
        hall = self._answering()
        if hall is not None:
            self.go_on()  # earlier items come first
            return hall.connections.take(run, fields)
        if self._is_elsewhere():
            return False  # the sender will soon know it too
        self._early.keep(run, fields)
        return True

    def go_on(self) -> None:
        """Handle the items that have waited, if the hall can answer now."""
        hall = self._answering()
        if hall is not None:
            for run, fields in self._early.empty():
                hall.connections.take(run, fields)

    def owners_changed(self) -> None:
        """Forget the items that wait if another node is the hall; the senders send them there."""
        if self._is_elsewhere():
            self._early.empty()

    def _is_elsewhere(self) -> bool:
        other = self._owner(HALL) not in (None, self._parts.network.run)
        return other and self.running is None

    def _answering(self) -> RunningHall | None:
        """Return the hall if it may answer."""
        hall = self.running
        return hall if hall is not None and hall.is_open and self._parts.may_show() else None

    def reset(self, run: str) -> None:
        """Note that the link to a run has broken."""
        self._early.link_broke(run)
        if self.running is not None:
            self.running.reset(run)

    def drop(self) -> RunningHall | None:
        """Stop being the hall; return the hall that was running, if any."""
        self._claim = None
        if self._opening is not None:
            self._opening.cancel()
        self._early.empty()
        hall, self.running = self.running, None
        if hall is not None:
            self.on_change(None)
        return hall
