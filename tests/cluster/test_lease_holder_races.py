"""A log changes between two steps of its lease holder; the storage is in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from doublecross.server.cluster.lease_holder import LeaseHolder
from doublecross.server.core.cluster_storage import (
    Claim,
    ClusterSnapshot,
    Log,
    LogLostError,
    Node,
    Renewal,
)

RUN = "own"


class Storage:
    """One node with one log. A call waits while its name is in `held`."""

    def __init__(self) -> None:
        self.on_settled: Callable[[Claim], None] = lambda _: None
        self.logs = {"aaaa": Log("aaaa", 1, RUN)}
        self.version = 1
        self.lapsed: frozenset[str] = frozenset()
        self.held: dict[str, asyncio.Event] = {}
        self.calls: list[str] = []

    async def _call(self, name: str) -> None:
        self.calls.append(name)
        if name in self.held:
            await self.held[name].wait()

    async def join(self, name: str, run: str, *, version: str = "", address: str = "") -> int:
        return 0

    async def renew(self, run: str) -> Renewal:
        found = Renewal(True, 0, self.version, self.lapsed)
        await self._call("renew")
        return found

    async def snapshot(self) -> ClusterSnapshot:
        nodes = {r: Node(r, r, r not in self.lapsed, 0, "", "") for r in (RUN, "other")}
        return ClusterSnapshot(self.version, 0, nodes, dict(self.logs))

    async def delete_log(self, claim: Claim) -> bool:
        await self._call("delete_log")
        del self.logs[claim.log]
        self.version += 1
        return True

    async def hand_over(self, claim: Claim) -> None:
        await self._call("hand_over")
        raise AssertionError(claim)

    async def leave(self, run: str) -> None:
        raise AssertionError

    async def create_log(self, run: str) -> Claim:
        raise AssertionError

    async def claim_log(self, log: Log, run: str) -> Claim | None:
        return None


class Listener:
    """Note what a lease holder says of logs."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.live: frozenset[str] = frozenset()

    def resumed(self) -> None:
        """Do nothing."""

    def ended(self) -> None:
        """Do nothing."""

    def changed(self, snapshot: ClusterSnapshot) -> None:
        self.live = snapshot.live

    def taken(self, claim: Claim) -> None:
        self.said.append(f"taken {claim.log}")

    def lost(self, log: str) -> None:
        self.said.append(f"lost {log}")


Kept = tuple[LeaseHolder, Storage, Listener]


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.fixture
async def kept() -> AsyncIterator[Kept]:
    """Return a lease holder that has the log, and whose next renewal is on its way."""
    storage, listener = Storage(), Listener()
    lease_holder = LeaseHolder(storage, RUN, listener, asyncio.get_running_loop().time)
    await lease_holder.join("n")
    running = asyncio.ensure_future(lease_holder.run())
    await settle()
    assert listener.said == ["taken aaaa"]
    storage.held["renew"] = asyncio.Event()
    lease_holder.renew_now()
    await settle()
    yield lease_holder, storage, listener
    running.cancel()


async def test_a_log_that_is_deleted_during_a_renewal_is_not_taken_again(kept: Kept) -> None:
    lease_holder, storage, listener = kept
    storage.held["delete_log"] = asyncio.Event()
    deleting = asyncio.ensure_future(lease_holder.delete_log("aaaa"))
    await settle()
    storage.held.pop("renew").set()
    await settle()
    storage.held.pop("delete_log").set()
    assert await deleting
    await settle()
    assert listener.said == ["taken aaaa"]
    assert not lease_holder.claims


@pytest.mark.parametrize("what", [LeaseHolder.hand_over, LeaseHolder.delete_log])
async def test_a_log_that_is_lost_before_it_is_given_up_is_no_bug(
    kept: Kept, what: Callable[..., asyncio.Future[object]]
) -> None:
    """A node that leaves gives up its other logs, too."""
    lease_holder, storage, listener = kept
    storage.held.pop("renew").set()
    await settle()
    storage.logs["aaaa"] = Log("aaaa", 3, "other")
    storage.version += 1
    lease_holder.renew_now()
    async with lease_holder._turn:
        await settle()
        giving = asyncio.ensure_future(what(lease_holder, "aaaa"))
        await settle()
    with pytest.raises(LogLostError):
        await giving
    assert listener.said == ["taken aaaa", "lost aaaa"]
    assert "hand_over" not in storage.calls


async def test_a_lease_that_lapsed_only_between_a_renewal_and_its_snapshot(kept: Kept) -> None:
    """Nothing else changes. Without a new snapshot the logs would have no owner here."""
    lease_holder, storage, listener = kept
    storage.version += 1
    storage.held.pop("renew").set()
    lease_holder.renew_now()
    async with lease_holder._turn:
        await settle()
        lease_holder.renew_now()
        await settle()
    await settle()
    assert "other" in listener.live
    storage.version += 1
    async with lease_holder._turn:
        lease_holder.renew_now()
        await settle()
        storage.lapsed = frozenset({"other"})
    await settle()
    assert "other" not in listener.live
    storage.lapsed = frozenset()
    lease_holder.renew_now()
    await settle()
    assert "other" in listener.live
