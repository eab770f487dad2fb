"""The reads of logins, which have connections of their own."""

from __future__ import annotations

import asyncio

from doublecross.server.core.storage import Batch
from doublecross.server.store.cluster.database import FAST
from tests.cluster.conftest import Open
from tests.cluster.harness.postgresql import Postgres
from tests.server.store.samples import PLAYER


async def test_a_login_goes_on_when_its_connections_are_lost(
    opened: Open, postgres: Postgres
) -> None:
    a = await opened("a")
    store = a.store_of(await a.create_log("run-a"))
    await store.commit(Batch(None, players=[PLAYER]))
    for _ in range(2):
        found = await store.accounts.login(PLAYER.token_hash)
        assert found is not None
        assert found.player == PLAYER
        connection = await postgres.connect()
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        )
        await connection.close()
    assert await store.players_like(PLAYER.name, "") == [PLAYER]


async def test_logins_at_once_share_few_connections(opened: Open) -> None:
    a = await opened("a")
    store = a.store_of(await a.create_log("run-a"))
    await store.commit(Batch(None, players=[PLAYER]))
    found = await asyncio.gather(*(store.accounts.login(PLAYER.token_hash) for _ in range(20)))
    assert [each is not None and each.player for each in found] == [PLAYER] * 20
    assert [session.is_busy for session in a.database._fast] == [False] * FAST
