"""Tests of nodes, leases and owners of logs on a real PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from doublecross.server.core.cluster_storage import (
    LEADER,
    Claim,
    LogLostError,
)
from doublecross.server.core.people.accounts import Ban
from doublecross.server.core.rooms.sleeping import SleepingRoom
from doublecross.server.core.storage import Batch, StoreError
from doublecross.server.store.cluster import statements
from doublecross.server.store.cluster.opening import check_cluster_database, open_cluster
from doublecross.server.store.cluster.store import ClusterStore
from doublecross.server.store.sql import database_url
from tests.server.store.cluster.conftest import Open
from tests.server.store.cluster.helpers import (
    execute,
    ids,
    lapse,
    settled_in,
    take,
    wait_for_lock,
    writes,
)
from tests.server.store.later import add_revision
from tests.server.store.samples import GAME, entry
from tests.services.postgresql import Postgres

BAN = Ban("b1", "a1", None, None, "", 0, "")


async def test_what_a_snapshot_says_of_nodes_and_logs(opened: Open) -> None:
    store = await opened()
    now_ms = await store.join("a", "run-a", version="1.2", address="wss://a")
    first = await store.renew("run-a")
    assert 0 <= first.now_ms - now_ms < 60_000
    await store.create_log("run-a")
    snapshot = await store.snapshot()
    (node,) = snapshot.nodes.values()
    assert (node.name, node.run, node.is_live) == ("a", "run-a", True)
    assert (node.version, node.address) == ("1.2", "wss://a")
    assert 0 <= now_ms - node.started_ms < 60_000
    assert snapshot.version > first.version
    assert (await store.renew("run-a")).version == snapshot.version


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


async def test_a_renewal_that_races_with_a_claim_is_true(opened: Open, postgres: Postgres) -> None:
    """Either the lease is renewed and nothing is taken, or the run has ended."""
    a, b = await opened("a"), await opened("b")
    outcomes = set()
    for number in range(15):
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


async def test_an_id_of_a_deleted_log_comes_again_and_its_tokens_do_not(
    opened: Open, postgres: Postgres
) -> None:
    a = await opened("a")
    old = await a.create_log("run-a")
    assert len(old.log) == 4
    assert await a.delete_log(old)
    # So it is after a million logs.
    await execute(postgres, "UPDATE counters SET value = $1 WHERE name = 'last_log'", 32**4)
    again = await a.create_log("run-a")
    assert (again.log, again.token > 32**4) == (old.log, True)
    with pytest.raises(LogLostError):
        await a.commit(writes(old, 1))


async def why_not(url: str) -> str:
    """Return why a node cannot use a database, which a check says in the same words."""
    said = set()
    for use in (open_cluster, check_cluster_database):
        with pytest.raises(StoreError) as refused:
            await use(url)
        said.add(str(refused.value))
    (sentence,) = said
    return sentence


async def test_other_databases_are_refused(
    url: str, postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for address in (database_url(f"{tmp_path}/x.db"), f"{tmp_path}/x.db"):
        assert (await why_not(address)).startswith("A cluster needs PostgreSQL. Give the address")
    closed = "postgresql://nobody:secret@127.0.0.1:1/x"
    assert (await why_not(closed)).startswith(
        "The database postgresql://nobody:***@127.0.0.1:1/x cannot be opened: "
    )
    with monkeypatch.context() as patch:
        add_revision(tmp_path, patch)
        assert "Upgrade it first: doublecross database upgrade pos" in await why_not(url)
    for revision, sentence in (
        ("0001", "The database is too old for this version of Doublecross"),
        ("9999", "newer version of Doublecross (its revision is 9999)"),
    ):
        await execute(postgres, "UPDATE alembic_version SET version_num = $1", revision)
        assert sentence in await why_not(url)


async def test_nodes_that_start_at_once_make_the_tables_once(
    opened: Open, postgres: Postgres
) -> None:
    empty = await postgres.create_database("empty")
    stores = await asyncio.gather(*(opened(at=empty) for _ in range(3)))
    assert [(await store.snapshot()).logs[LEADER].token for store in stores] == [0, 0, 0]


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
