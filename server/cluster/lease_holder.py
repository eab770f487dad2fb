"""Keep the lease of a node: renew it, notice when it is lost, and take the logs of dead nodes.

`LeaseHolder` calls the node when something changes. All calls come from the event loop, one after
another.

Between two renewals `holds` answers from the local deadline alone. Ask it before you show something
from memory: it may have lapsed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

import structlog

from doublecross.server.cluster.core.lease import PERIOD_S, Lease
from doublecross.server.cluster.core.sharing import due_to
from doublecross.server.cluster.node import Node
from doublecross.server.core.cluster_storage import (
    Claim,
    ClusterSnapshot,
    LogLostError,
    NameTakenError,
)
from doublecross.server.core.storage import StoreError
from doublecross.server.store.cluster.leases import SqlLeases

RETRY_S: Final = 0.1
"""Seconds before a renewal that failed is tried again."""
NAME_RETRY_S: Final = 0.2
"""Seconds before a name that another run has is tried again."""

_log = structlog.get_logger("cluster")


class LeaseHolder:
    """Keep the lease of one run. `clock` returns seconds and counts suspension.

    Call `join`, then run `run` as a task. `claims` are the logs that the node owns.
    """

    def __init__(
        self, storage: SqlLeases, run: str, node: Node, clock: Callable[[], float]
    ) -> None:
        self._storage = storage
        self._node = node
        self._clock = clock
        self._lease = Lease()
        self._wake = asyncio.Event()
        self._turn = asyncio.Lock()
        """Held while owners are read or changed, so that no snapshot is older than `claims`."""
        self._seen: tuple[int, frozenset[str]] | None = None
        self.id = run
        """The run."""
        self.snapshot: ClusterSnapshot | None = None
        """The nodes and logs when they were last read."""
        self.claims: dict[str, Claim] = {}
        self.leaving: set[str] = set()
        """Runs that have said that they leave. They take no logs, so other runs do."""
        storage.on_settled = self._settled

    def holds(self) -> bool:
        """Return whether the node may show what it has in memory."""
        return self._lease.holds(self._clock())

    def renew_now(self) -> None:
        """Renew and read what has changed now, for example after the hint that a log is free."""
        self._wake.set()

    async def join(self, name: str, *, version: str = "", address: str = "") -> int:
        """Begin the run, and return PostgreSQL's time in milliseconds since 1970, UTC.

        A former process of this name may have died a moment ago. Wait until its lease has lapsed.
        If the lease is renewed meanwhile, that process still runs.

        Raises:
            NameTakenError: another process with this name is running.
            StoreError: PostgreSQL fails.
        """
        other: tuple[str, int] | None = None
        while True:
            sent_s = self._clock()
            try:
                now_ms = await self._storage.join(name, self.id, version=version, address=address)
            except NameTakenError as error:
                if other is not None and other != (error.run, error.until_ms):
                    raise
                other = (error.run, error.until_ms)
                await asyncio.sleep(NAME_RETRY_S)
                continue
            self._held(sent_s)
            return now_ms

    async def run(self) -> None:
        """Renew the lease until the run ends."""
        failing = False
        while not self._lease.has_ended:
            # Clear it first, so that `renew_now` during the step leads to another step.
            self._wake.clear()
            try:
                await self._step()
                wait_s = self._lease.wait_s(self._clock())
                if failing:
                    _log.warning("lease_renewed_again", run=self.id)
                failing = False
            except StoreError as error:
                if not failing:
                    _log.warning("lease_not_renewed", reason=str(error))
                failing = True
                wait_s = RETRY_S
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(wait_s, PERIOD_S)):
                    await self._wake.wait()

    async def _step(self) -> None:
        """Renew once, and act on what has changed."""
        sent_s = self._clock()
        renewal = await self._storage.renew(self.id)
        if self._lease.has_ended:
            return
        if not renewal.holds:
            self._end()
            return
        async with self._turn:
            seen = (renewal.version, renewal.lapsed)
            if seen != self._seen:
                # First the snapshot, then `resumed`: what was lost must not be shown again.
                snapshot = await self._storage.snapshot()
                self._compare(snapshot)
                # Leases that have lapsed since the renewal may be renewed before the next one.
                lapsed = frozenset(snapshot.nodes.keys() - snapshot.live - {self.id})
                self._seen = (snapshot.version, lapsed)
            self._held(sent_s)
            if self.snapshot is not None:
                await self._take(self.snapshot)

    def _held(self, sent_s: float) -> None:
        lapsed = not self.holds()
        self._lease.renewed(sent_s)
        if lapsed and self.holds():
            if self.snapshot is not None:
                _log.warning("lease_lapsed", run=self.id, what="It holds again.")
            self._node.resumed()

    def _compare(self, snapshot: ClusterSnapshot) -> None:
        """Report the logs that were lost, then other nodes and owners."""
        self.snapshot = snapshot
        self.leaving.intersection_update(snapshot.nodes)  # in place: others hold `leaving.add`
        for log, claim in sorted(self.claims.items()):
            known = snapshot.logs.get(log)
            # A higher token means that another run has had the log in between.
            if known is None or known.owner != self.id or known.token > claim.token:
                del self.claims[log]
                self._node.lost(log)
        self._node.changed(snapshot)

    async def _take(self, snapshot: ClusterSnapshot) -> None:
        """Take the logs without an owner that are due to this run."""
        if self.id in self.leaving:
            return
        # The answer to an earlier claim may have been lost, so the node may own more than it knows.
        for log in sorted(snapshot.owned_by(self.id) - self.claims.keys()):
            self._own(Claim(log, snapshot.logs[log].token))
        for due in due_to(self.id, snapshot, self.leaving):
            if due.log in self.claims:
                continue
            if self._lease.wait_s(self._clock()) == 0:
                return  # there are many logs, and a late renewal would lose the lease
            claim = await self._storage.claim_log(due, self.id)
            if claim is not None:
                self._own(claim)

    def _own(self, claim: Claim) -> None:
        self.claims[claim.log] = claim
        self._node.taken(claim)

    def _settled(self, claim: Claim) -> None:
        """Note the claim that replaces an earlier one after a commit in doubt."""
        if claim.log in self.claims:
            self.claims[claim.log] = claim

    def taken_away(self, log: str) -> None:
        """Note that a commit was refused, and that the node has dropped the log.

        If this run still owns the log by the next snapshot, the log is `taken` again.
        """
        if self.claims.pop(log, None) is not None:
            self._seen = None
            self.renew_now()

    async def create_log(self) -> Claim:
        """Make a log of the node's own; see `SqlLeases.create_log`."""
        async with self._turn:
            claim = await self._storage.create_log(self.id)
            self._own(claim)
        return claim

    async def hand_over(self, log: str) -> None:
        """Give up a log, to which nothing may write any more; see `SqlLeases.hand_over`.

        When the outcome is unknown, the log may be `taken` again.

        Raises:
            LogLostError: the log was lost before its turn came.
            StoreError: PostgreSQL fails.
        """
        async with self._turn:
            claim = self._current(log)
            # The snapshot does not show that the token has grown after a commit in doubt.
            self._seen = None
            del self.claims[log]
            await self._storage.hand_over(claim)

    async def delete_log(self, log: str) -> bool:
        """Delete a log without entries, and return whether it had none.

        Raises:
            LogLostError: the log was lost before its turn came.
            StoreError: PostgreSQL fails.
        """
        async with self._turn:
            claim = self._current(log)
            # Otherwise a renewal under way would find the log in the snapshot, and take it again.
            self._seen = None
            deleted = await self._storage.delete_log(claim)
            if deleted:
                self.claims.pop(log, None)
        return deleted

    def _current(self, log: str) -> Claim:
        claim = self.claims.get(log)
        if claim is None:
            raise LogLostError([log])
        return claim

    async def leave(self) -> None:
        """End the run, and give up all logs. Nothing may write to them any more."""
        self._lease.end()
        self._wake.set()
        async with self._turn:
            self.claims.clear()
            await self._storage.leave(self.id)

    def _end(self) -> None:
        self._lease.end()
        self.claims.clear()
        _log.info("run_ended", run=self.id)
        self._node.ended()
