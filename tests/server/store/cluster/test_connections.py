"""Connections to PostgreSQL that are lost under servers, and those that logins share."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from doublecross.server.core.people.accounts import Account, Token
from doublecross.server.core.storage import Batch, StoreError
from doublecross.server.store.cluster.database import FAST
from doublecross.server.store.database import ReadQueue
from doublecross.server.store.sql import SqlStore
from tests.server.store.cluster.conftest import Open
from tests.server.store.samples import PLAYER
from tests.services.postgresql import Postgres


@pytest.mark.parametrize("single", [False, True])
async def test_reads_and_the_first_write_do_not_fail_after_a_restart(
    opened: Open, url: str, postgres: Postgres, single: bool
) -> None:
    """Idle connections are lost then, which nobody notices before they are used."""
    slow = sa.text("SELECT 1 FROM pg_sleep(0.05)")
    store = await SqlStore.open(url) if single else await opened("a")
    database = store._database if isinstance(store, SqlStore) else store.database
    queues = (ReadQueue.ORDINARY, ReadQueue.ORDINARY, ReadQueue.LOGIN, ReadQueue.CHECK)
    # This opens all of them.
    await asyncio.gather(*(database.read(slow, queue) for queue in queues))
    await store.accounts.claim(*_account("first"))
    await asyncio.to_thread(postgres.restart)
    await store.accounts.claim(*_account("second"))
    found = await asyncio.gather(*(database.read(slow, queue) for queue in queues))
    assert [[tuple(row) for row in rows] for rows in found] == [[(1,)]] * 4
    await asyncio.to_thread(postgres.stop)
    with pytest.raises(StoreError, match=r"^The database could not be read: "):
        await database.read(slow)
    postgres.recover()
    await store.close()


def _account(name: str) -> tuple[Account, bytes, Token]:
    digest = name.encode().ljust(32)
    return Account(name, None), digest, Token(name, digest, name, "session", "", (), 0, 0, None)


async def test_logins_share_few_connections_and_go_on_when_these_are_lost(
    opened: Open, postgres: Postgres
) -> None:
    a = await opened("a")
    store = a.store_of(await a.create_log("run-a"))
    await store.commit(Batch(None, players=[PLAYER]))
    for _ in range(2):
        found = await asyncio.gather(*(store.accounts.login(PLAYER.token_hash) for _ in range(20)))
        assert [each is not None and each.player for each in found] == [PLAYER] * 20
        assert [session.is_busy for session in a.database._fast] == [False] * FAST
        connection = await postgres.connect()
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        )
        await connection.close()
    assert await store.players_like(PLAYER.name, "") == [PLAYER]
