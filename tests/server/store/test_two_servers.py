"""Two servers on one database: the second does not start; if it does, the first stores nothing."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from doublecross.server.core.storage import Batch, DatabaseTakenError
from doublecross.server.store import postgresql
from doublecross.server.store.sql import SqlStore, database_url
from doublecross.server.store.sqlite.files import UseLock
from tests.server.store.committer import committing
from tests.server.store.samples import batch, entry, full_batch, game, run_sql


def output_of_second_server(path: Path) -> tuple[str, str]:
    """Start another process that writes to the database; return its first line and its errors."""
    errors = path.with_name("errors.txt")
    process = committing(path, errors)
    line = process.stdout.readline()
    process.kill()
    process.wait()
    process.stdout.close()
    return line, errors.read_text()


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the file beside it is locked")
@pytest.mark.parametrize("trick", ["hard link", "no lock file", "symbolic link"])
async def test_a_second_process_is_kept_off(tmp_path: Path, trick: str) -> None:
    path = other = tmp_path / "games.db"
    store = await SqlStore.open(database_url(str(path)))
    await store.commit(batch(1))
    if trick == "hard link":
        (tmp_path / "elsewhere").mkdir()
        other = tmp_path / "elsewhere" / "same.db"
        other.hardlink_to(path)
    elif trick == "symbolic link":
        other = tmp_path / "same.db"
        other.symlink_to(path)
    else:
        (tmp_path / "games.db.lock").unlink()
    line, errors = output_of_second_server(other)
    assert line == ""
    assert "Another server is using the database" in errors
    await store.commit(full_batch(2))
    await store.close()
    line, _ = output_of_second_server(other)
    assert line == "3\n"


@pytest.fixture
async def two(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[SqlStore, SqlStore]]:
    """Two stores on one database, the second opened later, as if there were no locks."""

    async def opened(*_: object) -> None:
        """Take no lock."""

    monkeypatch.setattr(UseLock, "acquire", lambda _: None)
    monkeypatch.setattr(postgresql.PostgresqlWriter, "opened", opened)
    first = await SqlStore.open(url)
    await first.commit(batch(1))
    second = await SqlStore.open(url)
    yield first, second
    await first.close()
    await second.close()


async def test_the_first_server_can_store_nothing_more(two: tuple[SqlStore, SqlStore]) -> None:
    first, second = two
    await second.commit(batch(2))
    writes = [
        first.commit(batch(3)),
        first.commit(full_batch(3)),
        first.commit(Batch(None, [game("g3")])),
        first.delete_entries([1, 2]),
        first.check_writable(),
    ]
    for write in writes:
        with pytest.raises(DatabaseTakenError, match="Another server has opened the database"):
            await write
    assert [found.entry_id async for found in second.journal()] == [1, 2]
    assert await second.game("g3") is None
    await second.check_writable()
    await second.commit(full_batch(3))
    assert await second.has_entry(3)


async def test_a_commit_that_races_with_the_second_start_is_stored_or_refused(url: str) -> None:
    """Whatever the first server stored, the second reads; whatever it did not read is refused."""
    monkeypatch = pytest.MonkeyPatch()

    async def opened(*_: object) -> None:
        """Take no lock."""

    with monkeypatch.context() as patch:
        patch.setattr(UseLock, "acquire", lambda _: None)
        patch.setattr(postgresql.PostgresqlWriter, "opened", opened)
        for turns in range(0, 24, 3):
            first = await SqlStore.open(url)
            start = await first.last_entry_id()
            opening = asyncio.ensure_future(SqlStore.open(url))
            acknowledged = start
            for number in range(start + 1, start + 200):
                try:
                    await first.commit(batch(number) if number % 3 else full_batch(number))
                except DatabaseTakenError:
                    break
                acknowledged = number
                if number - start > turns and opening.done():
                    await asyncio.sleep(0)
            second = await opening
            assert await second.last_entry_id() == acknowledged
            with pytest.raises(DatabaseTakenError):
                await first.commit(batch(10_000))
            await first.close()
            await second.close()


async def test_other_failures_are_not_taken_for_another_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.db"
    store = await SqlStore.open(database_url(str(path)))
    await store.commit(batch(1))
    with pytest.raises(Exception, match="UNIQUE") as caught:
        await store.commit(batch(1))
    assert not isinstance(caught.value, DatabaseTakenError)
    await store.check_writable()
    assert [found.entry_id async for found in store.journal()] == [1]
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        rows = dict(connection.execute("SELECT name, value FROM counters"))
    assert rows["epoch"] == 1


async def test_no_room_for_a_commit_shows_in_the_check(tmp_path: Path) -> None:
    store = await SqlStore.open(database_url(str(tmp_path / "games.db")))
    await store.check_writable()
    await run_sql(store, "VACUUM")  # what the check has used is free now
    await run_sql(store, "PRAGMA max_page_count=1")
    with pytest.raises(Exception, match="full"):
        await store.check_writable()
    await run_sql(store, "PRAGMA max_page_count=1000000")
    await store.check_writable()
    assert not await store.has_entry(-1)
    await store.commit(Batch(entry(1)))
    await store.close()


async def test_the_first_server_notices_the_second_by_reading(
    two: tuple[SqlStore, SqlStore],
) -> None:
    first, second = two
    with pytest.raises(DatabaseTakenError, match="Another server has opened the database"):
        await first.check_owner()
    await second.check_owner()
