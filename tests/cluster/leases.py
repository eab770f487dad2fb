"""The storage of leases in memory, by the event loop's clock: see `SqlLeases`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from doublecross.server.cluster.core.lease import LENGTH_S
from doublecross.server.core.cluster_ids import log_id
from doublecross.server.core.cluster_storage import (
    LEADER,
    Claim,
    ClusterSnapshot,
    Log,
    NameTakenError,
    Node,
    Renewal,
)
from doublecross.server.core.storage import StoreError


class Tables:
    """What all nodes share. `nodes` has the name of each run and the end of its lease.

    Calls wait while `frozen` is not set.
    """

    def __init__(self) -> None:
        self.nodes: dict[str, tuple[str, float]] = {}
        self.logs = {LEADER: Log(LEADER, 0, None)}
        self.version = 0
        self.frozen = asyncio.Event()
        self.frozen.set()
        self.now_s = asyncio.get_running_loop().time

    def set(self, log: str, token: int, owner: str | None) -> Claim:
        """Change a log, as everybody sees by the version."""
        self.version += 1
        self.logs[log] = Log(log, token, owner)
        return Claim(log, token)

    def lapsed(self) -> set[str]:
        return {run for run, (_, until_s) in self.nodes.items() if until_s <= self.now_s()}

    def end(self, run: str) -> None:
        self.version += 1
        del self.nodes[run]


class Leases:
    """The storage of one node.

    A call waits while its name is in `held`. The answer to the next call in `lost` is lost.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.on_settled: Callable[[Claim], None] = lambda _: None
        self.held: dict[str, asyncio.Event] = {}
        self.lost: set[str] = set()
        self.calls: list[str] = []

    async def _call(self, name: str) -> None:
        self.calls.append(name)
        for waits in (self.held.get(name), self.tables.frozen):
            if waits is not None:
                await waits.wait()
        if name in self.lost:
            self.lost.remove(name)
            raise StoreError("The answer is lost.")

    async def join(self, name: str, run: str, *, version: str = "", address: str = "") -> int:
        tables = self.tables
        for other, (known, until_s) in list(tables.nodes.items()):
            if known == name:
                if other not in tables.lapsed():
                    raise NameTakenError(name, other, round(until_s * 1000))
                tables.end(other)
        tables.nodes[run] = name, tables.now_s() + LENGTH_S
        tables.version += 1
        return 0

    async def renew(self, run: str) -> Renewal:
        tables = self.tables
        holds = run in tables.nodes
        if holds and tables.frozen.is_set():
            tables.nodes[run] = tables.nodes[run][0], tables.now_s() + LENGTH_S
        found = Renewal(holds, 0, tables.version, frozenset(tables.lapsed()))
        await self._call("renew")
        return found

    async def snapshot(self) -> ClusterSnapshot:
        await self._call("snapshot")
        tables, lapsed = self.tables, self.tables.lapsed()
        nodes = {
            run: Node(name, run, run not in lapsed, 0, "", "")
            for run, (name, _) in tables.nodes.items()
        }
        return ClusterSnapshot(tables.version, 0, nodes, dict(tables.logs))

    async def claim_log(self, log: Log, run: str) -> Claim | None:
        tables, owner = self.tables, log.owner
        if tables.logs.get(log.log) != log or run in tables.lapsed():
            return None
        if owner in tables.nodes:
            if owner not in tables.lapsed():
                return None
            tables.end(owner)
        return tables.set(log.log, log.token + 1, run)

    async def create_log(self, run: str) -> Claim:
        claim = self.tables.set(log_id(len(self.tables.logs)), 1, run)
        await self._call("create_log")
        return claim

    async def hand_over(self, claim: Claim) -> None:
        await self._call("hand_over")
        self.tables.set(claim.log, claim.token + 1, None)

    async def delete_log(self, claim: Claim) -> bool:
        await self._call("delete_log")
        del self.tables.logs[claim.log]
        self.tables.version += 1
        return True

    async def leave(self, run: str) -> None:
        for log in list(self.tables.logs.values()):
            if log.owner == run:
                self.tables.set(log.log, log.token + 1, None)
        self.tables.end(run)
