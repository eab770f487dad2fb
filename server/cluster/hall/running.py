"""The hall, while this node owns its log."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from random import Random
from typing import Any, Final

import structlog

from doublecross.server.cluster.hall.connections import HallConnections
from doublecross.server.cluster.hall.hall import Hall
from doublecross.server.cluster.hall.state import HallState
from doublecross.server.cluster.items import Send
from doublecross.server.cluster.lines.sending import Link
from doublecross.server.cluster.watches import LogWatch, check_troubled, until_lost
from doublecross.server.core.cluster_storage import HALL
from doublecross.server.core.storage import Store, StoreError
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.analysis.reviews import Reviewer
from doublecross.server.shell.authority import Authority, AuthorityConfig
from doublecross.server.shell.identity.names import LOOK_VERSION, look_of
from doublecross.server.shell.upkeep.periodic import every

TICK_S: Final = 0.05
"""Seconds between two looks at what is due in tournaments."""
SWEEP_S: Final = 0.25
"""Seconds between two looks at expired offers and changes of the lobby."""
CLEAN_S: Final = 2.0
"""Seconds between two deletions of entries that no open offer needs."""
TOKENS_S: Final = 30.0
"""Seconds between two looks for connections whose tokens have ended."""
SESSION_BITS: Final = 32
"""Each hall may count so many logins, as a power of two."""

_log = structlog.get_logger("cluster")


class RunningHall:
    """Be the hall until its log is lost or given up.

    `store` has the hall's log as its journal, and `token` is the log's fencing token. `link`
    returns the link to a run. `may_show` returns whether the lease of this node holds. `on_lost` is
    called once when another node is the hall. `advice` is the service of this node; `reviewer` ends
    with the hall. `state` is what this node has kept of the hall before.
    """

    def __init__(
        self,
        store: Store,
        token: int,
        send: Send,
        link: Callable[[str], Link],
        config: AuthorityConfig,
        rng: Random,
        now: Callable[[], int],
        date: Callable[[], int],
        watch: LogWatch,
        may_show: Callable[[], bool],
        on_lost: Callable[[], None],
        *,
        advice: AdviceService,
        reviewer: Reviewer | None,
        state: HallState | None,
        last_entry_id: int,
        hello_s: float,
        silence_s: float,
        write_buffer: int,
    ) -> None:
        self.store = store
        self.token = token
        self._watch = watch
        self._on_lost = on_lost
        self._state = state
        self._send = send
        self.hall = Hall(
            token,
            self._send_in_order,
            lambda peer: self.connections.card_of(peer),
            store,
            config.limits,
            config.times,
            now,
        )
        self.authority = Authority(
            store,
            rng,
            config,
            now,
            last_entry_id,
            watch,
            time.monotonic,
            date,
            reviewer=reviewer,
            advice=advice,
            rooms_elsewhere=self.hall.elsewhere,
            make_offer_log=self.hall.offer_log,
            may_show=may_show,
        )
        loop = asyncio.get_running_loop()
        self.connections = HallConnections(
            self.authority,
            link,
            loop.call_soon,
            token << SESSION_BITS,
            hello_s=hello_s,
            silence_s=silence_s,
            write_buffer=write_buffer,
        )
        self.connections.on_rooms = self.hall.rooms.show_when_stored
        self.authority.accounts.on_rights = self.connections.rights_changed
        self.is_open = False
        self._committing: asyncio.Task[None] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    def _send_in_order(self, run: str, item: bytes) -> bool:
        """Send an item of the hall to a run after what its clients were told before.

        Otherwise a room could be shown to a player of whom that node has not heard yet.
        """
        self.connections.flush(run)
        return self._send(run, item)

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
        if self._state is not None:
            self.authority.announcements.kept = self._state.announcement
            self.authority.drain(self._state.draining)
        self.hall.owners_changed(owners())
        for run in runs():
            self.hall.linked(run)
        await self.hall.open(self.authority, self.store.journal())
        self._tasks = [
            loop.create_task(self._until_lost(partial(every, TICK_S, self.authority.tick))),
            loop.create_task(self._until_lost(partial(every, SWEEP_S, self.authority.sweep))),
            loop.create_task(self._until_lost(self._check_tokens)),
            loop.create_task(self._until_lost(self._clean)),
            loop.create_task(self._until_lost(partial(check_troubled, self.authority.committer))),
        ]
        self.is_open = True
        _log.info("hall_open", rooms=len(self.authority.lobby.rooms))

    async def _until_lost(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        await until_lost(HALL, work, self._on_lost)

    async def _check_tokens(self) -> None:
        while True:
            await asyncio.sleep(TOKENS_S)
            with contextlib.suppress(StoreError):  # commits report that
                await self.authority.accounts.sweep()

    async def _clean(self) -> None:
        while True:
            await asyncio.sleep(CLEAN_S)
            with contextlib.suppress(StoreError):  # commits report that
                await self.hall.offers.clean()

    def linked(self, run: str) -> None:
        """Note that a run can be reached."""
        self.hall.linked(run)

    def reset(self, run: str) -> None:
        """Note that the link to a run has broken."""
        self.connections.link_broke(run)
        self.hall.reset(run)

    def stop(self) -> None:
        """Be the hall no more, at once: nobody gets an answer."""
        self.is_open = False
        self._watch.close()
        for task in self._tasks:
            task.cancel()
        if self._committing is not None:
            self._committing.cancel()

    async def close(self) -> None:
        """Free what the hall still holds."""
        self.stop()
        await self.hall.close()
        await self.authority.reviews.close()
        await self.authority.review_mail.close()
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
