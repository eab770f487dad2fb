"""Tests of commits to logs on a real PostgreSQL: fenced, whole, and settled when in doubt."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest

from doublecross.server.core.cluster_storage import (
    LEADER,
    Claim,
    ClusterBatch,
    LogLostError,
    LogWrite,
)
from doublecross.server.core.people.accounts import Ban
from doublecross.server.core.rooms.plans import Plan, PlanRow
from doublecross.server.core.storage import Batch, Store, StoreError, TournamentChange
from doublecross.server.store.cluster import session as sessions
from doublecross.server.store.cluster import statements
from tests.server.store.cluster.conftest import Open
from tests.server.store.cluster.helpers import (
    execute,
    ids,
    lacking,
    lapse,
    settled_in,
    take,
    writes,
)
from tests.server.store.samples import GAME, PLAYER, batch, entry, full_batch, game
from tests.server.store.test_tournaments import ROW as CUP
from tests.services.cuts import Cuts
from tests.services.postgresql import Postgres
from tests.services.shared import empty_database, template

BAN = Ban("b1", "a1", None, None, "", 0, "")
ROOT = Path(__file__).parents[3]


async def test_a_commit_of_several_logs_is_stored_or_refused_as_a_whole(opened: Open) -> None:
    a, b = await opened("a"), await opened("b")
    one, two = await a.create_log("run-a"), await a.create_log("run-a")
    leader = await take(a, LEADER, "run-a")
    assert leader is not None
    both = [LogWrite(one, entry(1)), LogWrite(two, entry(1)), LogWrite(two, entry(2))]
    await a.commit(ClusterBatch([*both, LogWrite(leader)], [GAME], [PLAYER]))
    assert (await ids(a, one.log), await ids(a, two.log)) == ([1], [1, 2])
    leader_store = b.store_of(leader)
    assert await leader_store.game("g1") == replace(GAME, accounts=("a1", None))
    assert await leader_store.player_by_name("ann") == PLAYER
    await a.hand_over(two)
    with pytest.raises(LogLostError, match=f"has taken {two.log}, so") as lost:
        await a.commit(ClusterBatch([LogWrite(one, entry(2)), *both[1:]], [game("g2")]))
    assert lost.value.logs == {two.log}
    for claims in ([two], [one, two], [Claim("none", 1)]):
        with pytest.raises(LogLostError):
            await a.commit(ClusterBatch([LogWrite(claim) for claim in claims], [game("g2")]))
    with pytest.raises(ValueError, match="at least one log"):
        await a.commit(ClusterBatch([], [game("g2")]))
    assert await leader_store.game("g2") is None
    await a.commit(writes(one, 2))
    assert await ids(a, one.log) == [1, 2]


async def test_an_entry_id_is_used_once_and_the_connection_goes_on(opened: Open) -> None:
    a = await opened("a")
    claim = await a.create_log("run-a")
    for made in (writes(claim, 1), writes(claim, 2, games=[GAME])):
        await a.commit(made)
        with pytest.raises(StoreError, match=r"^The database could not be written: duplicate key"):
            await a.commit(made)
    with pytest.raises(StoreError):
        await a.commit(writes(claim, 3, games=[game("\ud800")]))
    with pytest.raises(StoreError):
        await a.commit(writes(claim, 2**64))
    await a.commit(writes(claim, 3))
    assert await ids(a, claim.log) == [1, 2, 3]


async def test_one_log_is_a_store_like_that_of_a_single_server(
    opened: Open, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.server.store.cluster.store._PAGE", 3)
    monkeypatch.setattr("doublecross.server.store.cluster.store._DELETE_CHUNK", 2)
    a = await opened("a")
    other = await a.create_log("run-a")
    await a.commit(writes(other, 99))
    mine = a.store_of(await a.create_log("run-a"))
    store: Store = mine
    assert await store.last_entry_id() == 0
    for number in range(1, 8):
        await store.commit(full_batch(number) if number % 3 == 0 else batch(number))
    assert [found.entry_id async for found in store.journal()] == [1, 2, 3, 4, 5, 6, 7]
    await store.delete_entries({5, 6, 7, 77})
    assert await store.last_entry_id() == 7
    assert [found.entry_id async for found in store.journal()] == [1, 2, 3, 4]
    before = mine.claim
    assert await store.has_entry(4)
    assert not await store.has_entry(5)
    assert mine.claim.token > before.token
    with pytest.raises(LogLostError):
        await a.delete_entries(before, [1])
    plan = Plan(2, 3, 1, ((4, 5),))
    cups = [TournamentChange("t1", CUP)]
    await store.commit(
        Batch(None, [game("g9")], tournaments=cups, plans=[PlanRow("r1", 0, "a1", plan)])
    )
    assert await mine.plans.of_room("r1") == [plan, None]
    assert await store.tournament("t1") == (CUP, [], [])
    assert {row.game_id for row in await store.games(limit=9)} == {"3", "6", "g9"}
    assert await lacking(postgres) == 0
    await execute(postgres, "DELETE FROM log_entries WHERE entry_id = 4")
    assert await lacking(postgres) == 1
    await store.check_writable()
    await store.check_owner()
    await store.ping()
    await store.close()
    await a.hand_over(mine.claim)
    for use in (store.check_owner(), store.has_entry(1), store.commit(batch(8))):
        with pytest.raises(LogLostError):
            await use
    assert await ids(a, other.log) == [99]


async def test_two_nodes_that_change_the_same_players_do_not_block_each_other(opened: Open) -> None:
    nodes = [await opened(name) for name in "ab"]
    claims = [await node.create_log(node.database.run) for node in nodes]
    # Many, so that the two commits overlap.
    known = [
        replace(PLAYER, name=f"p{n}", token_hash=n.to_bytes(32, "big"), account_id=f"a{n}")
        for n in range(300)
    ]
    await nodes[0].commit(writes(claims[0], 1, players=known))
    for number in range(2, 5):
        await asyncio.gather(
            nodes[0].commit(writes(claims[0], number, players=known)),
            nodes[1].commit(writes(claims[1], number, players=known[::-1])),
        )


@pytest.mark.parametrize("whole", [False, True])
async def test_a_commit_whose_answer_is_lost(opened: Open, postgres: Postgres, whole: bool) -> None:
    async with Cuts.before(postgres.port) as proxy:
        a = await opened("a", at=postgres.url("cluster", proxy.port))
        claim = await a.create_log("run-a")
        rows = {"games": [GAME]} if whole else {}
        await a.commit(writes(claim, 1, **rows))
        proxy.lose_answer(b"COMMIT" if whole else b"frames")
        with pytest.raises(StoreError) as failed:
            await a.commit(writes(claim, 2, **rows))
        assert not isinstance(failed.value, LogLostError)
        assert proxy.lost.is_set()
        after, stored = await a.settle(claim, 2)
        assert stored
        # Before the server has the commit, nothing is stored, and nothing can be any more.
        proxy.refuse()
        with pytest.raises(StoreError):
            await a.commit(writes(after, 3, **rows))
        proxy.heal()
        last, stored = await a.settle(after, 3)
        assert not stored
        with pytest.raises(LogLostError):
            await a.commit(writes(after, 3, **rows))
        await a.commit(writes(last, 3, **rows))
        assert await ids(a, claim.log) == [1, 2, 3]


async def test_a_commit_that_hangs_ends_and_cannot_be_stored_later(
    opened: Open, postgres: Postgres
) -> None:
    async with Cuts.before(postgres.port) as proxy:
        a = await opened("a", at=postgres.url("cluster", proxy.port))
        claim = await a.create_log("run-a")
        await a.commit(writes(claim, 1))
        a._commits.answer_s = 0.2
        proxy.hang()
        with pytest.raises(StoreError, match=r"it has not answered within 0\.2 s"):
            await a.commit(writes(claim, 2))
        proxy.heal()
        a._commits.answer_s = 5.0
        after, _ = await a.settle(claim, 2)
        with pytest.raises(LogLostError):
            await a.commit(writes(claim, 3))
        before = await ids(a, claim.log)
        await a.commit(writes(after, 3))
        assert await ids(a, claim.log) == [*before, 3]


async def test_a_connection_that_confuses_its_driver_is_opened_again(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = await opened("a")
    claim = await a.create_log("run-a")
    await a.commit(writes(claim, 1))

    async def confused(*_: object) -> None:
        raise asyncpg.InternalClientError("another operation is in progress")

    with monkeypatch.context() as broken:
        broken.setattr("asyncpg.prepared_stmt.PreparedStatement.fetch", confused)
        broken.setattr("asyncpg.Connection.fetchrow", confused)
        with pytest.raises(StoreError, match="another operation is in progress"):
            await a.commit(writes(claim, 2))
        with pytest.raises(StoreError, match="another operation is in progress"):
            await a.renew("run-a")
    await a.renew("run-a")
    await a.commit(writes(claim, 2))
    assert await ids(a, claim.log) == [1, 2]


async def test_a_cancelled_commit_can_be_settled(opened: Open) -> None:
    a = await opened("a")
    claim = await a.create_log("run-a")
    entry_id = 0
    for turns in range(0, 12, 2):
        for rows in ({}, {"games": [GAME]}):
            entry_id += 1
            task = asyncio.ensure_future(a.commit(writes(claim, entry_id, **rows)))
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            claim, stored = await a.settle(claim, entry_id)
            assert stored == (entry_id in await ids(a, claim.log))
            if not stored:
                await a.commit(writes(claim, entry_id, **rows))
    assert await ids(a, claim.log) == list(range(1, entry_id + 1))


async def test_postgresql_frozen_restarted_and_killed(opened: Open, postgres: Postgres) -> None:
    a = await opened("a")
    claim = await a.create_log("run-a")
    await a.commit(writes(claim, 1))
    assert await ids(a, claim.log) == [1]
    a._commits.answer_s = a._session.answer_s = 0.3
    postgres.freeze()
    with pytest.raises(StoreError, match="has not answered"):
        await a.commit(writes(claim, 2))
    with pytest.raises(StoreError, match="has not answered"):
        await a.renew("run-a")
    postgres.thaw()
    a._commits.answer_s = a._session.answer_s = 5.0
    claim, stored = await a.settle(claim, 2)
    if not stored:
        await a.commit(writes(claim, 2))
    postgres.restart()
    for number, end in ((3, postgres.crash), (4, postgres.stop)):
        with suppress(StoreError):
            await a.commit(writes(claim, number))
        claim, stored = await a.settle(claim, number)
        if not stored:
            await a.commit(writes(claim, number))
        end()
        with pytest.raises(StoreError):
            await a.commit(writes(claim, number))
        with pytest.raises(StoreError):
            await a.renew("run-a")
        postgres.start()
    assert (await a.renew("run-a")).holds
    # Connections that were lost fail once; then there are new ones.
    store = a.store_of(claim)
    for _ in range(5):
        with suppress(StoreError):
            await store.accounts.add_ban(BAN)
            break
    found: list[int] = []
    for _ in range(5):
        with suppress(StoreError):
            found = await ids(a, claim.log)
    assert found == [1, 2, 3, 4]
    assert await store.accounts.bans() == [BAN]


async def test_a_standby_takes_over_without_losing_a_commit(
    opened: Open, postgres: Postgres
) -> None:
    first = Postgres.start_new(template())
    standby = first.start_standby(first.data.parent)
    try:
        await empty_database(first)
        await first.wait_for_standby()
        servers = f"host=127.0.0.1:{first.port}&host=127.0.0.1:{standby.port}"
        wanted = f"{servers}&target_session_attrs=read-write"
        a = await opened("a", at=f"postgresql://doublecross@/cluster?{wanted}")
        claim = await a.create_log("run-a")
        for number in range(1, 6):
            await a.commit(writes(claim, number))
        first.crash()
        standby.promote()
        with suppress(StoreError):
            await a.commit(writes(claim, 6))
        claim, stored = await a.settle(claim, 6)
        if not stored:
            await a.commit(writes(claim, 6))
        assert await ids(a, claim.log) == [1, 2, 3, 4, 5, 6]
        assert (await a.renew("run-a")).holds
        await a.close()
    finally:
        standby.close()
        first.close()


async def test_a_node_that_stands_still_in_a_commit_blocks_a_claim_for_a_second_only(
    opened: Open, postgres: Postgres
) -> None:
    a, b = await opened("a"), await opened("b")
    claim = await a.create_log("run-a")
    await settled_in(postgres, "run-b")
    mine = None
    async with a._commits.use() as connection:
        await connection.execute("BEGIN")
        assert len(await connection.fetch(statements.LOCK_LOGS, [claim.log], [claim.token])) == 1
        await lapse(postgres, "run-a")
        # From here on the first node says nothing.
        async with asyncio.timeout(5.0):
            while mine is None:
                with suppress(StoreError):
                    mine = await take(b, claim.log, "run-b")
    assert mine.token == claim.token + 1
    with pytest.raises(LogLostError):
        await a.commit(writes(claim, 1))


async def test_the_settings_that_protect_others_from_a_node_that_stands_still(opened: Open) -> None:
    a = await opened("a")
    async with a._commits.use() as connection:
        for name in ("idle_in_transaction_session_timeout", "tcp_user_timeout", "lock_timeout"):
            shown = await connection.fetchval(
                f"SELECT setting FROM pg_settings WHERE name = '{name}'"
            )
            assert shown == sessions.SETTINGS[name]
