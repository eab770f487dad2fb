"""Tests of nodes, leases and owners of logs on a real PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from doublecross.server.core.cluster_storage import (
    LEADER,
    Claim,
    Log,
    LogLostError,
    NameTakenError,
    RunEndedError,
)
from doublecross.server.core.people.accounts import Ban
from doublecross.server.core.rooms.sleeping import SleepingRoom
from doublecross.server.core.storage import Batch, StoreError
from doublecross.server.store.cluster import statements
from doublecross.server.store.cluster.opening import open_cluster
from doublecross.server.store.cluster.store import ClusterStore
from doublecross.server.store.sql import database_url
from tests.cluster.conftest import Open
from tests.cluster.harness.postgresql import Postgres
from tests.cluster.store.helpers import execute, ids, lapse, settled_in, take, wait_for_lock, writes
from tests.server.store.later import add_revision
from tests.server.store.samples import GAME, entry

BAN = Ban("b1", "a1", None, None, "", 0, "")


async def test_a_run_joins_renews_and_leaves(opened: Open) -> None:
    store = await opened()
    now_ms = await store.join("a", "run-a", version="1.2", address="wss://a")
    first = await store.renew("run-a")
    assert first.holds
    assert 0 <= first.now_ms - now_ms < 60_000
    assert first.lapsed == frozenset()
    claim = await store.create_log("run-a")
    snapshot = await store.snapshot()
    (node,) = snapshot.nodes.values()
    assert (node.name, node.run, node.is_live) == ("a", "run-a", True)
    assert (node.version, node.address) == ("1.2", "wss://a")
    assert 0 <= now_ms - node.started_ms < 60_000
    assert snapshot.logs == {
        LEADER: Log(LEADER, 0, None),
        claim.log: Log(claim.log, claim.token, "run-a"),
    }
    assert snapshot.version > first.version
    assert (await store.renew("run-a")).version == snapshot.version
    # The outcome of a call can be unknown. It may be repeated.
    await store.join("a", "run-a")
    await store.leave("run-a")
    await store.leave("run-a")
    left = await store.snapshot()
    assert left.nodes == {}
    assert {log.owner for log in left.logs.values()} == {None}
    assert not (await store.renew("run-a")).holds
    with pytest.raises(RunEndedError):
        await store.create_log("run-a")


async def test_only_a_node_that_has_a_lease_must_renew_it_soon(
    url: str, postgres: Postgres
) -> None:
    store = await ClusterStore.open(url, lease_answer_s=0.001)
    try:
        # Before it joins, a busy PostgreSQL may take longer to answer.
        assert (await store.snapshot()).nodes == {}
        await store.join("a", "run-a")
        postgres.freeze()
        with pytest.raises(StoreError, match=r"renewed: it has not answered within 0\.001 s"):
            await store.renew("run-a")
    finally:
        postgres.recover()
        await store.close()


async def test_a_name_is_taken_until_its_lease_lapses(opened: Open, postgres: Postgres) -> None:
    store = await opened("a")
    claim = await store.create_log("run-a")
    await store.commit(writes(claim, 1))
    with pytest.raises(NameTakenError, match="has the name a; give each process its own") as taken:
        await store.join("a", "run-2")
    assert taken.value.run == "run-a"
    assert (await store.renew("run-a")).holds
    await lapse(postgres, "run-a")
    other = await opened()
    await other.join("a", "run-2")
    assert not (await store.renew("run-a")).holds
    # The former run of the name has ended, so its logs can be taken at once.
    mine = await take(other, claim.log, "run-2")
    assert mine == Claim(claim.log, claim.token + 1)
    assert await ids(other, claim.log) == [1]


async def test_two_claimants_of_one_log(opened: Open) -> None:
    stores = [await opened(name) for name in "abcd"]
    first = log = (await stores[0].snapshot()).logs[LEADER]
    for _ in range(20):
        for store in stores:
            await store.renew(store.database.run)
        claims = await asyncio.gather(
            *(store.claim_log(log, store.database.run) for store in stores)
        )
        (claim,) = [each for each in claims if each is not None]
        assert claim.token == log.token + 1
        found = (await stores[0].snapshot()).logs[LEADER]
        assert found.token == claim.token
        assert found.owner == stores[claims.index(claim)].database.run
        await stores[0].hand_over(claim)
        log = (await stores[0].snapshot()).logs[LEADER]
        assert log == Log(LEADER, claim.token + 1, None)
    # It is free, but not as in that snapshot: others had it meanwhile.
    assert await stores[0].claim_log(first, "run-a") is None
    assert await stores[0].claim_log(log, "run-a") is not None


async def test_a_log_is_taken_only_when_its_owner_has_lapsed_and_the_taker_has_not(
    opened: Open, postgres: Postgres
) -> None:
    a, b = await opened("a"), await opened("b")
    claim, second = await a.create_log("run-a"), await a.create_log("run-a")
    await settled_in(postgres, "run-b")
    assert await take(b, claim.log, "run-b") is None
    await lapse(postgres, "run-a")
    assert (await b.renew("run-b")).lapsed == {"run-a"}
    await lapse(postgres, "run-b")
    assert await take(b, claim.log, "run-b") is None
    # After a gap, such as a halt of PostgreSQL, everybody has time to renew.
    assert (await b.renew("run-b")).holds
    assert await take(b, claim.log, "run-b") is None
    assert (await a.renew("run-a")).holds
    await settled_in(postgres, "run-b")
    assert await take(b, claim.log, "run-b") is None
    await lapse(postgres, "run-a")
    old = (await b.snapshot()).logs[claim.log]
    assert await take(b, claim.log, "run-b") == Claim(claim.log, claim.token + 1)
    # One log was taken, so the run has ended, and its other logs are free.
    assert not (await a.renew("run-a")).holds
    assert (await b.snapshot()).unowned == (
        Log(second.log, second.token, "run-a"),
        Log(LEADER, 0, None),
    )
    assert await b.claim_log(old, "run-b") is None
    for write in (a.commit(writes(claim, 1)), a.hand_over(claim), a.delete_log(claim)):
        with pytest.raises(LogLostError):
            await write
    with pytest.raises(RunEndedError):
        await a.store_of(second).check_owner()
    with pytest.raises(RunEndedError):
        await a.store_of(second).accounts.add_ban(BAN)
    assert await b.store_of(second).accounts.bans() == []


async def test_a_renewal_that_races_with_a_claim_is_true(opened: Open, postgres: Postgres) -> None:
    """Either the lease is renewed and nothing is taken, or the run has ended."""
    a, b = await opened("a"), await opened("b")
    outcomes = set()
    for number in range(30):
        run = f"run-{number}"
        await a.join(f"n{number}", run)
        claim = await a.create_log(run)
        await settled_in(postgres, "run-b")
        await b.renew("run-b")
        log = (await b.snapshot()).logs[claim.log]
        await lapse(postgres, run)
        renewal, taken = await asyncio.gather(a.renew(run), b.claim_log(log, "run-b"))
        assert renewal.holds == (taken is None)
        outcomes.add(renewal.holds)
        await a.leave(run)
    assert outcomes


@pytest.mark.parametrize("jump_ms", [30_000, -30_000])
async def test_another_clock_of_postgresql_takes_nothing_from_anybody(
    opened: Open, postgres: Postgres, jump_ms: int
) -> None:
    """As when a standby takes over whose clock is 30 s ahead or behind."""
    a, b = await opened("a"), await opened("b")
    claim = await a.create_log("run-a")
    await settled_in(postgres, "run-b")
    await execute(
        postgres, "UPDATE nodes SET until_ms = until_ms - $1, since_ms = since_ms - $1", jump_ms
    )
    assert (await b.renew("run-b")).lapsed == {"run-a"}
    assert await take(b, claim.log, "run-b") is None
    assert (await a.renew("run-a")).holds
    assert (await b.renew("run-b")).lapsed == frozenset()
    # A node that died just then is replaced all the same.
    await execute(
        postgres, "UPDATE nodes SET until_ms = until_ms - $1 WHERE run = 'run-a'", jump_ms
    )
    await settled_in(postgres, "run-b")
    assert await take(b, claim.log, "run-b") is not None


async def test_a_log_whose_rooms_sleep_is_not_deleted(opened: Open) -> None:
    a = await opened("a")
    claims = [await a.create_log("run-a") for _ in range(2)]
    stores = [a.store_of(claim) for claim in claims]
    first, second = (f"{claim.log}aaaaaaaa" for claim in claims)
    rows = [SleepingRoom(room, ("Ann", "Bob"), "Ann", 5, 1, "", b"") for room in (first, second)]
    for store, row in zip(stores, rows, strict=True):
        await store.commit(Batch(entry(1), asleep=[row]))
        await store.delete_entries([1])
    for store, row in zip(stores, rows, strict=True):
        assert await store.sleeping.due(9, (0, ""), 9) == [row]
        assert await store.sleeping.first_due(0) == 5
        assert await store.sleeping.counts() == {"Ann": 1, "Bob": 1}
    assert await stores[0].sleeping.room(second) is None
    assert not await a.delete_log(claims[0])
    await stores[0].commit(Batch(entry(2), woken=[first]))
    await stores[0].delete_entries([2])
    assert await a.delete_log(claims[0])
    # The leader sees those of all logs.
    leader = a.store_of(Claim(LEADER, 1))
    assert await leader.sleeping.of_player("Bob") == [rows[1]]


async def test_ids_of_logs_and_logs_that_are_deleted(opened: Open, postgres: Postgres) -> None:
    a = await opened("a")
    first, second = await a.create_log("run-a"), await a.create_log("run-a")
    assert first.log != second.log
    assert len(first.log) == len(second.log) == 4
    await a.commit(writes(first, 1))
    assert not await a.delete_log(first)
    assert await a.delete_log(second)
    with pytest.raises(LogLostError):
        await a.commit(writes(second, 1))
    # After a million logs the ids come again. An old token is never a new one's.
    await execute(postgres, "UPDATE counters SET value = $1 WHERE name = 'last_log'", 32**4)
    again = await a.create_log("run-a")
    assert again.log == second.log
    assert again.token > 32**4
    with pytest.raises(LogLostError):
        await a.commit(writes(second, 1))


async def test_other_databases_are_refused(
    opened: Open,
    url: str,
    postgres: Postgres,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for address in (database_url(f"{tmp_path}/x.db"), f"{tmp_path}/x.db"):
        with pytest.raises(StoreError, match="A cluster needs PostgreSQL"):
            await open_cluster(address)
    with monkeypatch.context() as patch:
        add_revision(tmp_path, patch)
        with pytest.raises(StoreError, match="Upgrade it first: doublecross database upgrade pos"):
            await opened()
    await execute(postgres, "UPDATE alembic_version SET version_num = '0006'")
    with pytest.raises(StoreError, match="too old for this version of Doublecross"):
        await opened()
    await execute(postgres, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="newer version of Doublecross"):
        await opened()
    empty = await postgres.create_database("empty")
    stores = await asyncio.gather(*(opened(at=empty) for _ in range(3)))
    assert [(await store.snapshot()).logs[LEADER].token for store in stores] == [0, 0, 0]
    with pytest.raises(StoreError, match="cannot be opened"):
        await open_cluster("postgresql://nobody@127.0.0.1:1/x")


@pytest.mark.parametrize("whole", [False, True])
async def test_a_claim_waits_for_a_commit_that_is_under_way(
    opened: Open, postgres: Postgres, whole: bool
) -> None:
    a, b, late = await opened("a"), await opened("b"), await opened()
    claim = await a.create_log("run-a")
    await settled_in(postgres, "run-b")
    async with a._commits.use() as connection, connection.transaction():
        if whole:
            await connection.fetch(statements.LOCK_LOGS, [claim.log], [claim.token])
            await connection.fetch(statements.ADD_ENTRY_LOCKED, claim.log, 1, 0, b"")
        else:
            await connection.fetch(statements.ADD_ENTRY, claim.log, 1, 0, b"", claim.token)
        await lapse(postgres, "run-a")
        claiming = asyncio.ensure_future(take(b, claim.log, "run-b"))
        await wait_for_lock(postgres)
        # A commit that comes later than the claim is stored before it, or refused.
        commit = asyncio.ensure_future(late.commit(writes(claim, 2)))
        await asyncio.sleep(0)
        assert not claiming.done()
    assert await claiming == Claim(claim.log, claim.token + 1)
    await asyncio.wait([commit])
    assert await ids(b, claim.log) == ([1] if commit.exception() else [1, 2])
    with pytest.raises(LogLostError):
        await a.commit(writes(claim, 3))


async def test_a_commit_that_waits_for_a_claim_is_refused(opened: Open, postgres: Postgres) -> None:
    a, b = await opened("a"), await opened("b")
    claim = await a.create_log("run-a")
    await lapse(postgres, "run-a")
    await settled_in(postgres, "run-b")
    async with b._session.use() as connection, connection.transaction():
        await connection.execute(statements.END_OWNER, claim.log, "run-b")
        values = (claim.log, claim.token, "run-b")
        assert await connection.fetchval(statements.CLAIM, *values) == claim.token + 1
        commits = [
            asyncio.ensure_future(store.commit(batch))
            for store, batch in (
                (a, writes(claim, 1)),
                (await opened(), writes(claim, 1, games=[GAME])),
            )
        ]
        await wait_for_lock(postgres, count=2)
    for commit in commits:
        with pytest.raises(LogLostError):
            await commit
    assert await ids(b, claim.log) == []


async def test_nodes_that_died_without_a_log_are_forgotten_when_another_one_joins(
    opened: Open, postgres: Postgres
) -> None:
    owner, idle, late = await opened("owner"), await opened("idle"), await opened("late")
    await owner.create_log("run-owner")
    await execute(postgres, "UPDATE nodes SET until_ms = until_ms - 70000 WHERE node <> 'late'")
    await lapse(postgres, "run-late")
    await opened("next")
    known = (await late.snapshot()).nodes.values()
    # Somebody has to take the log first, and a node may be back within a minute.
    assert sorted(node.name for node in known) == ["late", "next", "owner"]
    assert not (await idle.renew("run-idle")).holds
