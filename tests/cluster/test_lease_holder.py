"""Tests of the task that keeps a lease, with several nodes on a real PostgreSQL."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import pytest

from doublecross.server.cluster.clock import lease_clock
from doublecross.server.cluster.core.lease import LENGTH_S
from doublecross.server.cluster.core.sharing import taker
from doublecross.server.cluster.lease_holder import LeaseHolder
from doublecross.server.core.cluster_storage import (
    LEADER,
    Claim,
    ClusterSnapshot,
    LogLostError,
    NameTakenError,
    Renewal,
)
from doublecross.server.core.storage import Batch, StoreError
from doublecross.server.store.cluster.store import ClusterStore
from tests.cluster.conftest import Open
from tests.cluster.harness.cuts import Cuts
from tests.cluster.harness.postgresql import Postgres
from tests.cluster.store.helpers import PATIENCE_S, ids, lapse, settled_in, writes
from tests.server.store.samples import entry


class Member:
    """A node: its storage, its lease holder, and the calls that its listener got."""

    def __init__(self, name: str, store: ClusterStore, run: str = "") -> None:
        self.name = name
        self.store = store
        self.ahead_s = 0.0
        """Added to the node's clock, as if the machine had been suspended for so long."""
        self._clock = lease_clock()
        self.lease_holder = LeaseHolder(
            store, run or f"run-{name}", self, lambda: self._clock() + self.ahead_s
        )
        self.said: list[str] = []
        self.task: asyncio.Task[None] | None = None

    def _now_s(self) -> float:
        return self._clock() + self.ahead_s

    async def start(self) -> None:
        await self.lease_holder.join(self.name)
        self.task = asyncio.create_task(self.lease_holder.run())

    async def die(self) -> None:
        """End without a word, as by kill -9."""
        if self.task is not None:
            self.task.cancel()
            with suppress(asyncio.CancelledError):
                await self.task

    async def until(self, reached: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not reached():  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    def resumed(self) -> None:
        self.said.append("resumed")

    def ended(self) -> None:
        self.said.append("ended")

    def changed(self, snapshot: ClusterSnapshot) -> None:
        assert snapshot is self.lease_holder.snapshot

    def taken(self, claim: Claim) -> None:
        self.said.append(f"taken {claim.log}")

    def lost(self, log: str) -> None:
        self.said.append(f"lost {log}")


Start = Callable[..., Awaitable[Member]]


@pytest.fixture
async def started(opened: Open, url: str) -> AsyncIterator[Start]:
    """Return a function that starts one more node."""
    members: list[Member] = []

    async def more(name: str, *, at: str = url, run: str = "") -> Member:
        member = Member(name, await opened(at=at), run)
        members.append(member)
        await member.start()
        return member

    yield more
    for member in members:
        await member.die()


def owners(*members: Member) -> dict[str, str]:
    return {log: member.name for member in members for log in member.lease_holder.claims}


async def test_survivors_share_the_logs_of_a_dead_node_within_its_lease(started: Start) -> None:
    a, b, c = [await started(name) for name in "abc"]
    claims = [await a.lease_holder.create_log() for _ in range(12)]
    await a.until(lambda: len(owners(a, b, c)) == 13)
    await a.store.commit(writes(claims[0], 1))
    assert a.lease_holder.holds()
    await a.die()
    began_s = time.monotonic()
    await b.until(lambda: len(owners(b, c)) == 13)
    assert time.monotonic() - began_s < 8.0
    shared = owners(b, c)
    assert set(shared.values()) == {"b", "c"}
    taker = b if shared[claims[0].log] == "b" else c
    assert await ids(taker.store, claims[0].log) == [1]
    await taker.store.commit(writes(taker.lease_holder.claims[claims[0].log], 2))
    with pytest.raises(LogLostError):
        await a.store.commit(writes(claims[0], 2))
    assert not a.lease_holder.holds()
    a.said.clear()
    await a.lease_holder._step()
    assert a.said == ["ended"]


async def test_a_node_that_leaves_gives_its_logs_to_others_at_once(started: Start) -> None:
    a, b = await started("a"), await started("b")
    await a.lease_holder.create_log()
    await a.until(lambda: len(owners(a, b)) == 2)
    await a.lease_holder.leave()
    assert not a.lease_holder.holds()
    b.lease_holder.renew_now()
    began_s = time.monotonic()
    await b.until(lambda: len(b.lease_holder.claims) == 2)
    assert time.monotonic() - began_s < LENGTH_S
    assert a.task is not None
    await a.task
    assert "ended" not in a.said
    # One log in order, which nobody else may take meanwhile but this node itself.
    (log,) = b.lease_holder.claims.keys() - {LEADER}
    before = b.lease_holder.claims[log].token
    await b.lease_holder.hand_over(log)
    b.lease_holder.renew_now()
    await b.until(lambda: log in b.lease_holder.claims)
    assert b.lease_holder.claims[log].token == before + 2
    assert await b.lease_holder.delete_log(log)
    assert log not in b.lease_holder.claims
    assert "lost" not in " ".join(b.said)


async def test_others_take_what_a_node_gives_up_while_it_leaves(started: Start) -> None:
    a, b, c = [await started(name) for name in "abc"]
    runs = [member.lease_holder.id for member in (a, b, c)]
    hear = [member.lease_holder.leaving.add for member in (a, b, c)]
    while True:
        claim = await a.lease_holder.create_log()
        if taker(claim.log, runs) == a.lease_holder.id:
            break
    for each in (b, c):
        holder = each.lease_holder
        await each.until(lambda holder=holder: claim.log in getattr(holder.snapshot, "logs", ()))  # type: ignore[misc]
    for add in hear:
        add(a.lease_holder.id)
    await a.lease_holder.hand_over(claim.log)
    for each in (b, c):
        each.lease_holder.renew_now()
    await a.until(lambda: claim.log in {**b.lease_holder.claims, **c.lease_holder.claims})
    assert claim.log not in a.lease_holder.claims


async def test_a_hint_during_a_renewal_is_followed_by_another_one(
    started: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    renew, renewals = ClusterStore.renew, []
    monkeypatch.setattr("doublecross.server.cluster.lease_holder.PERIOD_S", 3600.0)
    monkeypatch.setattr("doublecross.server.cluster.core.lease.Lease.wait_s", lambda *_: 3600.0)

    async def hinted(store: ClusterStore, run: str) -> Renewal:
        found = await renew(store, run)
        renewals.append(run)
        if len(renewals) == 1:
            # The log of another node became free after this renewal had read.
            a.lease_holder.renew_now()
        return found

    monkeypatch.setattr(ClusterStore, "renew", hinted)
    a = await started("a")
    await a.until(lambda: len(renewals) == 2)


async def test_a_lease_that_lapses_and_holds_again_and_one_that_has_ended(
    started: Start, postgres: Postgres
) -> None:
    a = await started("a")
    await a.until(lambda: LEADER in a.lease_holder.claims)
    # The machine was suspended: nothing may be shown before the next renewal.
    a.ahead_s += 3.0
    assert not a.lease_holder.holds()
    await a.until(a.lease_holder.holds)
    # What has waited must be told to go on.
    assert a.said[-1] == "resumed"
    b = await started("b")
    await settled_in(postgres, "run-b")
    postgres.freeze()
    thaw_s = time.monotonic() + LENGTH_S + 0.2
    await a.until(lambda: not (a.lease_holder.holds() or b.lease_holder.holds()))
    a.said.clear()
    b.said.clear()
    # All leases have lapsed then. Nobody may take anything before all could renew.
    await a.until(lambda: time.monotonic() > thaw_s)
    postgres.thaw()
    await a.until(lambda: a.said == b.said == ["resumed"])
    assert a.lease_holder.holds()
    assert list(a.lease_holder.claims) == [LEADER]
    await a.die()
    await settled_in(postgres, "run-b")
    await lapse(postgres, "run-a")
    await b.until(lambda: LEADER in b.lease_holder.claims)
    a.said.clear()
    await a.lease_holder.run()
    assert a.said == ["ended"]
    assert a.lease_holder.claims == {}
    with pytest.raises(StoreError):
        await a.lease_holder.create_log()


async def test_an_answer_that_is_lost_leaves_no_log_without_an_owner(
    started: Start, postgres: Postgres
) -> None:
    async with Cuts.before(postgres.port) as proxy:
        a = await started("a", at=postgres.url("cluster", proxy.port))
        await a.until(lambda: LEADER in a.lease_holder.claims)
        proxy.lose_answer(b"aaab")
        with pytest.raises(StoreError):
            await a.lease_holder.create_log()
        assert proxy.lost.is_set()
        a.lease_holder.renew_now()
        await a.until(lambda: "aaab" in a.lease_holder.claims)
        await a.store.commit(writes(a.lease_holder.claims["aaab"], 1))
        # A cut of less than a lease changes nothing for anybody.
        proxy.refuse()
        assert a.lease_holder.holds()
        proxy.heal()
        a.said.clear()
        with suppress(StoreError):
            await a.lease_holder._step()
        await a.lease_holder._step()
        assert a.said == []
        await a.die()
        await a.store.close()


async def test_a_log_whose_commit_was_in_doubt_is_not_lost(
    started: Start, postgres: Postgres
) -> None:
    async with Cuts.before(postgres.port) as proxy:
        a = await started("a", at=postgres.url("cluster", proxy.port))
        await a.until(lambda: LEADER in a.lease_holder.claims)
        logs = [(await a.lease_holder.create_log()).log for _ in range(2)]
        a.lease_holder.renew_now()
        await a.until(
            lambda: a.lease_holder.snapshot is not None and logs[1] in a.lease_holder.snapshot.logs
        )
        for log in logs:
            store = a.store.store_of(a.lease_holder.claims[log])
            await store.commit(Batch(entry(1)))
            assert await store.has_entry(1)
            assert a.lease_holder.claims[log] == store.claim
        # Nobody knows whether PostgreSQL has heard of this.
        a.said.clear()
        proxy.refuse()
        with pytest.raises(StoreError):
            await a.lease_holder.hand_over(logs[0])
        proxy.heal()
        a.lease_holder.renew_now()
        await a.until(lambda: f"taken {logs[0]}" in a.said)
        await a.store.commit(writes(a.lease_holder.claims[logs[0]], 2))
        await a.lease_holder.hand_over(logs[1])
        await a.die()
        await a.store.close()


async def test_a_log_that_was_taken_away_and_came_back_is_read_again(
    started: Start, postgres: Postgres
) -> None:
    """Between two looks of its owner, so that this has seen no other one."""
    a = await started("a")
    await a.until(lambda: LEADER in a.lease_holder.claims)
    log = (await a.lease_holder.create_log()).log
    a.lease_holder.renew_now()
    await a.until(
        lambda: a.lease_holder.snapshot is not None and log in a.lease_holder.snapshot.logs
    )
    connection = await postgres.connect("cluster")
    raised = "UPDATE logs SET token = token + 2 WHERE log = $1"
    a.said.clear()
    await connection.execute(raised, log)
    await connection.execute("UPDATE counters SET value = value + 1 WHERE name = 'cluster'")
    a.lease_holder.renew_now()
    await a.until(lambda: len(a.said) == 2)
    assert a.said == [f"lost {log}", f"taken {log}"]
    await a.store.commit(writes(a.lease_holder.claims[log], 1))
    # A commit has found it before, and nothing but the token has changed.
    a.said.clear()
    await connection.execute(raised, log)
    await connection.close()
    a.lease_holder.taken_away(log)
    await a.until(lambda: bool(a.said))
    assert a.said == [f"taken {log}"]
    await a.store.commit(writes(a.lease_holder.claims[log], 2))


async def test_two_processes_of_one_name_and_a_restart_under_it(
    started: Start, opened: Open, postgres: Postgres
) -> None:
    a = await started("a")
    log = (await a.lease_holder.create_log()).log
    second = Member("a", await opened(), "run-2")
    with pytest.raises(NameTakenError):
        await second.start()
    # A process that was killed and started again waits for its own former lease.
    await a.die()
    starting = asyncio.create_task(second.start())
    await asyncio.sleep(0)
    await lapse(postgres, "run-a")
    await starting
    await second.until(lambda: second.lease_holder.claims.keys() == {LEADER, log})
    assert second.lease_holder.snapshot is not None
    assert second.lease_holder.snapshot.live == {"run-2"}
    await second.die()
