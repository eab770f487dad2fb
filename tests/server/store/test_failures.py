"""Check a failing database: each error is one sentence, nothing is half done, and work
continues.
"""

from __future__ import annotations

import asyncio
import gc
import traceback
from contextlib import suppress

import pytest
import sqlalchemy as sa

from doublecross.server.core.people.accounts import Account, Token
from doublecross.server.core.storage import Batch, StoreError
from doublecross.server.store.sql import SqlStore, database_url
from doublecross.server.store.sqlite.writer import SqliteWriter
from tests.server.store.samples import batch, entry, full_batch, game, run_sql

MIB = 2**20


@pytest.fixture
def url(tmp_path: object) -> str:
    """Return a new SQLite file: these tests use its pragmas to make it fail."""
    return database_url(f"{tmp_path}/games.db")


async def _pragma(store: SqlStore, pragma: str) -> None:
    await run_sql(store, f"PRAGMA {pragma}")


async def test_a_failure_has_nothing_of_what_should_be_stored(store: SqlStore) -> None:
    # The log shows tracebacks, and what is stored has hashes of passwords and codes of rooms.
    secret = Account("a1", "$argon2id$secret")
    token = Token("t1", bytes(32), "a1", "session", "secret label", (), 0, 0, None)
    query = sa.text("SELECT :secret FROM nowhere").bindparams(secret="s3cret")
    await store.accounts.claim(secret, bytes(32), token)
    with pytest.raises(StoreError) as failed:
        await store.accounts.claim(secret, bytes(32), token)
    with pytest.raises(StoreError) as read:
        await store._database.read(query)
    for error in (failed.value, read.value):
        told = "".join(traceback.format_exception(error))
        assert "UNIQUE" in told or "nowhere" in told
        assert "secret label" not in told
        assert "argon2id" not in told
        assert "s3cret" not in told


@pytest.mark.parametrize("make", [batch, full_batch])
async def test_no_room_on_the_disk(store: SqlStore, make: type[Batch]) -> None:
    await store.commit(make(1))
    # The file may not grow beyond its present number of pages.
    await _pragma(store, "max_page_count=1")
    with pytest.raises(StoreError, match=r"^The database could not be written: .*full\.$"):
        await store.commit(make(2, bytes(MIB)))
    assert not await store.has_entry(2)
    assert await store.game("2") is None
    assert [found.entry_id async for found in store.journal()] == [1]

    await _pragma(store, "max_page_count=1000000")
    await store.commit(make(2, bytes(MIB)))
    assert await store.has_entry(2)
    assert (await store.game("2") is not None) == (make is full_batch)


@pytest.mark.parametrize("make", [batch, full_batch])
async def test_a_database_that_cannot_be_written(store: SqlStore, make: type[Batch]) -> None:
    await _pragma(store, "query_only=ON")
    with pytest.raises(StoreError, match="readonly"):
        await store.commit(make(1))
    with pytest.raises(StoreError, match="readonly"):
        await store.delete_entries([1])
    await _pragma(store, "query_only=OFF")
    await store.commit(make(1))
    assert await store.has_entry(1)


async def test_missing_tables(store: SqlStore) -> None:
    await run_sql(store, "DROP TABLE games")
    with pytest.raises(StoreError, match=r"^The database could not be read: no such table: games"):
        await store.games(limit=1)
    with pytest.raises(StoreError, match=r"^The database could not be written: no such table"):
        await store.commit(full_batch(1))
    assert not await store.has_entry(1)
    await store.commit(batch(1))


async def test_values_that_no_database_can_store(store: SqlStore) -> None:
    with pytest.raises(StoreError):
        await store.commit(batch(2**64))
    with pytest.raises(StoreError):
        await store.commit(Batch(entry(1), [game("\ud800")]))
    with pytest.raises(StoreError):
        await store.player_by_name("\ud800")
    await store.commit(full_batch(1))


@pytest.mark.parametrize("make", [batch, full_batch])
async def test_a_connection_that_cannot_roll_back_is_replaced(
    store: SqlStore, make: type[Batch]
) -> None:
    await store.commit(batch(1))
    writer = store._database._writer
    assert isinstance(writer, SqliteWriter)
    await writer._jobs().do(lambda: writer._opened().close())
    with pytest.raises(StoreError, match="closed database"):
        await store.commit(make(2))
    assert not await store.has_entry(2)
    await store.commit(make(2))
    assert [found.entry_id async for found in store.journal()] == [1, 2]


@pytest.mark.parametrize("make", [batch, full_batch])
async def test_a_cancelled_commit_leaves_nothing_half_done(
    store: SqlStore, make: type[Batch]
) -> None:
    for turns in range(25):
        cancelled, following = 2 * turns + 1, 2 * turns + 2
        task = asyncio.ensure_future(store.commit(make(cancelled)))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        stored = await store.has_entry(cancelled)
        if make is full_batch:
            assert (await store.game(str(cancelled)) is not None) == stored
        assert stored == (turns > 0)
        await store.commit(make(following))
        assert await store.has_entry(following)


async def test_cancelled_reads_do_no_harm(store: SqlStore) -> None:
    await store.commit(full_batch(1))
    for turns in range(1, 15):
        tasks = [
            asyncio.ensure_future(store.has_entry(1)),
            asyncio.ensure_future(store.game("1")),
            asyncio.ensure_future(store.ping()),
        ]
        for _ in range(turns):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    assert await store.has_entry(1)
    assert await store.game("1") is not None
    await store.commit(full_batch(2))


@pytest.mark.filterwarnings("default::ResourceWarning")
async def test_closing_leaves_no_connection_of_a_read_that_nobody_waits_for(
    url: str, recwarn: pytest.WarningsRecorder
) -> None:
    opened = await SqlStore.open(url)
    count = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000000)"
    task = asyncio.ensure_future(opened._database.read(sa.text(f"{count} SELECT max(x) FROM n")))
    while not opened._database._reads:  # noqa: ASYNC110
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    reads = list(opened._database._reads)
    await opened.close()
    await asyncio.wait(reads)
    del opened, task, reads
    gc.collect()
    assert [str(warning.message) for warning in recwarn] == []


async def test_commits_take_turns_and_reads_do_not_wait_for_them(store: SqlStore) -> None:
    await store.commit(full_batch(1))
    async with store._database._write_lock:
        await run_sql(store, "BEGIN IMMEDIATE")
        writes = [asyncio.ensure_future(store.commit(full_batch(number))) for number in (2, 3)]
        writes.append(asyncio.ensure_future(store.commit(batch(4))))
        assert len(await store.games(limit=9)) == 1
        assert await store.last_entry_id() == 1
        await store.ping()
        await run_sql(store, "ROLLBACK")
    await asyncio.gather(*writes)
    assert [found.entry_id async for found in store.journal()] == [1, 2, 3, 4]


async def test_a_closed_store_says_so(store: SqlStore) -> None:
    await store.commit(batch(1))
    running = asyncio.ensure_future(store.commit(full_batch(2)))
    await asyncio.sleep(0)
    await store.close()
    await running
    await store.close()
    for use in (
        store.commit(batch(3)),
        store.commit(full_batch(3)),
        store.has_entry(1),
        store.last_entry_id(),
        store.ping(),
        store.delete_entries([1]),
    ):
        with pytest.raises(StoreError, match=r"^The database is closed\.$"):
            await use
