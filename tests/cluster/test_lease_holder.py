"""The task that keeps a lease, over a storage in memory that works by the event loop's clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest

from doublecross.server.cluster.core.lease import LENGTH_S, PERIOD_S
from doublecross.server.cluster.core.sharing import taker
from doublecross.server.cluster.lease_holder import LeaseHolder
from doublecross.server.core.cluster_storage import (
    LEADER,
    Claim,
    ClusterSnapshot,
    Log,
    LogLostError,
    NameTakenError,
)
from doublecross.server.core.storage import StoreError
from tests.cluster.leases import Leases, Tables


class Member:
    """A node: its storage, its lease holder, and the calls that its listener got."""

    def __init__(self, name: str, tables: Tables, run: str) -> None:
        self.name = name
        self.storage = Leases(tables)
        self.run = run or f"run-{name}"
        self.suspended_s = 0.0
        """For how long the machine was suspended, which no timer has counted."""
        self.holder = LeaseHolder(
            self.storage, self.run, self, lambda: tables.now_s() + self.suspended_s
        )
        self.said: list[str] = []
        self.task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self.holder.join(self.name)
        self.task = asyncio.create_task(self.holder.run())

    async def die(self) -> None:
        """End without a word, as by kill -9."""
        if self.task is not None:
            self.task.cancel()
            with suppress(asyncio.CancelledError):
                await self.task

    async def until(self, reached: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not reached():  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def until_said(self, *words: str) -> None:
        await self.until(lambda: self.said[-len(words) :] == [*words])

    async def hold(self, name: str) -> None:
        """Renew now, and let a call wait until `go_on`."""
        self.storage.held[name] = asyncio.Event()
        calls = self.storage.calls.count(name)
        self.holder.renew_now()
        await self.until(lambda: self.storage.calls.count(name) > calls)

    def go_on(self, name: str) -> None:
        self.storage.held.pop(name).set()

    async def own_log(self) -> str:
        """Make a log and wait until the snapshot shows it, then forget what was said."""
        log = (await self.holder.create_log()).log
        self.holder.renew_now()
        await self.until(lambda: log in getattr(self.holder.snapshot, "logs", ()))
        self.said.clear()
        return log

    def resumed(self) -> None:
        self.said.append("resumed")

    def ended(self) -> None:
        self.said.append("ended")

    def changed(self, snapshot: ClusterSnapshot) -> None:
        assert snapshot is self.holder.snapshot

    def taken(self, claim: Claim) -> None:
        self.said.append(f"taken {claim.log}")

    def lost(self, log: str) -> None:
        self.said.append(f"lost {log}")


Start = Callable[..., Awaitable[Member]]


@pytest.fixture
async def tables(monkeypatch: pytest.MonkeyPatch) -> Tables:
    """Return empty tables. The event loop passes over the time in which it has nothing to do."""
    loop: Any = asyncio.get_running_loop()
    time, select, ahead_s = loop.time, loop._selector.select, 0.0

    def pass_over(timeout_s: float | None) -> Any:
        nonlocal ahead_s
        ahead_s += timeout_s or 0.0
        return select(0)

    monkeypatch.setattr(loop, "time", lambda: time() + ahead_s)
    monkeypatch.setattr(loop._selector, "select", pass_over)
    return Tables()


@pytest.fixture
async def started(tables: Tables) -> AsyncIterator[Start]:
    """Return a function that starts one more node."""
    members: list[Member] = []

    async def more(name: str, run: str = "") -> Member:
        member = Member(name, tables, run)
        members.append(member)
        await member.start()
        return member

    yield more
    for member in members:
        await member.die()


@pytest.fixture
async def a(started: Start) -> Member:
    """Return a node that is alone, and has all logs."""
    member = await started("a")
    await member.until(lambda: LEADER in member.holder.claims)
    return member


async def test_a_node_that_leaves_gives_its_logs_to_others_at_once(
    started: Start, tables: Tables
) -> None:
    a, b = await started("a"), await started("b")
    await a.holder.create_log()
    await a.until(lambda: len(a.holder.claims | b.holder.claims) == 2)
    await a.holder.leave()
    assert not a.holder.holds()
    b.holder.renew_now()
    began_s = tables.now_s()
    await b.until(lambda: len(b.holder.claims) == 2)
    assert tables.now_s() - began_s < PERIOD_S
    assert a.task is not None
    await a.task
    assert "ended" not in a.said
    # One log in order, which nobody else may take meanwhile but this node itself.
    (log,) = b.holder.claims.keys() - {LEADER}
    before = b.holder.claims[log].token
    await b.holder.hand_over(log)
    b.holder.renew_now()
    await b.until(lambda: log in b.holder.claims)
    assert b.holder.claims[log].token == before + 2
    assert await b.holder.delete_log(log)
    assert log not in b.holder.claims
    assert "lost" not in " ".join(b.said)


async def test_others_take_what_a_node_gives_up_while_it_leaves(started: Start) -> None:
    a, b, c = members = [await started(name) for name in "abc"]
    log = ""
    while not log or taker(log, [member.run for member in members]) != a.run:
        log = (await a.holder.create_log()).log
    for each in members:
        await each.until(lambda each=each: log in getattr(each.holder.snapshot, "logs", ()))  # type: ignore[misc]
        each.holder.leaving.add(a.run)
    await a.holder.hand_over(log)
    await a.until(lambda: log in b.holder.claims | c.holder.claims)
    assert log not in a.holder.claims


async def test_a_hint_during_a_renewal_is_followed_by_another_one(
    a: Member, tables: Tables
) -> None:
    await a.hold("renew")
    began_s, renewals = tables.now_s(), a.storage.calls.count("renew")
    # The log of another node became free after this renewal had read.
    a.holder.renew_now()
    a.go_on("renew")
    await a.until(lambda: a.storage.calls.count("renew") > renewals)
    assert tables.now_s() - began_s < PERIOD_S / 2


async def test_a_lease_that_lapses_and_holds_again_and_one_that_has_ended(
    a: Member, started: Start, tables: Tables
) -> None:
    # The machine was suspended: nothing may be shown before the next renewal.
    a.suspended_s += LENGTH_S
    assert not a.holder.holds()
    await a.until(a.holder.holds)
    # What has waited must be told to go on.
    assert a.said[-1] == "resumed"
    tables.frozen.clear()
    await a.until(lambda: not a.holder.holds())
    a.said.clear()
    tables.frozen.set()
    await a.until_said("resumed")
    assert a.holder.holds()
    b = await started("b")
    await a.die()
    began_s = tables.now_s()
    await b.until(lambda: LEADER in b.holder.claims)
    assert tables.now_s() - began_s < LENGTH_S + 2 * PERIOD_S
    await a.holder.run()
    assert a.said[-1] == "ended"
    assert a.holder.claims == {}


async def test_an_answer_that_is_lost_leaves_no_log_without_an_owner(a: Member) -> None:
    a.storage.lost = {"create_log", "renew"}
    with pytest.raises(StoreError):
        await a.holder.create_log()
    (log,) = a.storage.tables.logs.keys() - {LEADER}
    assert log not in a.holder.claims
    a.said.clear()
    a.holder.renew_now()
    await a.until_said(f"taken {log}")  # and nothing else: less than a lease was lost
    await asyncio.sleep(PERIOD_S)


async def test_a_log_whose_commit_was_in_doubt_is_not_lost(a: Member, tables: Tables) -> None:
    log = await a.own_log()
    settled = Claim(log, a.holder.claims[log].token + 1)
    tables.logs[log] = Log(log, settled.token, a.run)  # which changes nothing for others
    a.storage.on_settled(settled)
    a.storage.on_settled(Claim("zzzz", 1))  # another node has it by now
    assert a.holder.claims == {LEADER: a.holder.claims[LEADER], log: settled}
    # Nobody knows whether PostgreSQL has heard of this.
    a.storage.lost = {"hand_over"}
    with pytest.raises(StoreError):
        await a.holder.hand_over(log)
    a.holder.renew_now()
    await a.until_said(f"taken {log}")
    assert a.holder.claims[log] == settled


async def test_a_log_that_was_taken_away_and_came_back_is_read_again(
    a: Member, tables: Tables
) -> None:
    """Between two looks of its owner, so that this has seen no other one."""
    log = await a.own_log()
    token = a.holder.claims[log].token + 2
    tables.set(log, token, a.run)
    a.holder.renew_now()
    await a.until_said(f"lost {log}", f"taken {log}")
    # A commit has found it before, and nothing but the token has changed.
    a.said.clear()
    tables.logs[log] = Log(log, token + 2, a.run)
    for _ in range(2):
        a.holder.taken_away(log)
    await a.until_said(f"taken {log}")
    assert a.holder.claims[log] == Claim(log, token + 2)


async def test_two_processes_of_one_name_and_a_restart_under_it(
    a: Member, started: Start, tables: Tables
) -> None:
    log = (await a.holder.create_log()).log
    with pytest.raises(NameTakenError):
        await started("a", "run-2")
    # A process that was killed and started again waits for its own former lease.
    await a.die()
    second = await started("a", "run-2")
    await second.until(lambda: second.holder.claims.keys() == {LEADER, log})
    assert tables.nodes.keys() == {"run-2"}


async def test_a_log_that_is_deleted_during_a_renewal_is_not_taken_again(a: Member) -> None:
    log = await a.own_log()
    await a.hold("renew")
    a.storage.held["delete_log"] = asyncio.Event()
    deleting = asyncio.ensure_future(a.holder.delete_log(log))
    for name in ("renew", "delete_log"):
        await asyncio.sleep(0.01)
        a.go_on(name)
    assert await deleting
    await asyncio.sleep(PERIOD_S)
    assert a.said == []
    assert log not in a.holder.claims


@pytest.mark.parametrize("what", [LeaseHolder.hand_over, LeaseHolder.delete_log])
async def test_a_log_that_is_lost_before_it_is_given_up_is_no_bug(
    a: Member, tables: Tables, what: Callable[..., Awaitable[object]]
) -> None:
    """A node that leaves gives up its other logs, too."""
    log = await a.own_log()
    await Leases(tables).join("b", "run-b")
    tables.set(log, 9, "run-b")
    await a.hold("snapshot")
    giving = asyncio.ensure_future(what(a.holder, log))
    a.go_on("snapshot")
    with pytest.raises(LogLostError):
        await giving
    assert a.said == [f"lost {log}"]
    assert not {"hand_over", "delete_log"} & set(a.storage.calls)


async def test_a_lease_that_lapsed_only_between_a_renewal_and_its_snapshot(
    a: Member, tables: Tables
) -> None:
    """Nothing else changes. Without a new snapshot the logs would have no owner here."""

    def live() -> frozenset[str]:
        return a.holder.snapshot.live if a.holder.snapshot else frozenset()

    await Leases(tables).join("b", "run-b")
    await a.until(lambda: "run-b" in live())
    tables.version += 1
    await a.hold("snapshot")
    tables.nodes["run-b"] = "b", 0.0
    a.go_on("snapshot")
    await a.until(lambda: "run-b" not in live())
    tables.nodes["run-b"] = "b", tables.now_s() + 60
    await a.until(lambda: "run-b" in live())
