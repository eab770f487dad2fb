"""Tests that a copied database has everything, and that a server goes on with it."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from doublecross.server.core.storage import StoreError
from doublecross.server.store import migrate
from doublecross.server.store.postgresql import LOCK_KEY
from doublecross.server.store.schema import audit, metadata, nodes
from doublecross.server.store.sql import SqlStore, database_url
from doublecross.server.store.whole.copying import copy_database, set_sequences
from doublecross.server.store.whole.reading import count, snapshot
from tests.protocol.wire import serving
from tests.server.store.later import add_revision
from tests.server.store.saved.players import play
from tests.server.store.test_saved import arrive, build, rooms_of


def ignore(_name: str, _done: int, _total: int) -> None:
    """Show no progress."""


async def filled(folder: Path) -> Path:
    """Make a database with players, rooms in play, games and a tournament that runs."""
    path = folder / "games.db"
    build(path)
    await (await SqlStore.open(database_url(str(path)))).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO audit VALUES (7, 0, 'a', 'Ann', '::1', 'ban', 'Ben', '')")
        connection.commit()
    return path


def rows_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as connection:
        return {
            table.name: sorted(connection.execute(f"SELECT * FROM {table.name}"), key=repr)
            for table in metadata.sorted_tables
            if table is not nodes
        }


def epoch(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT value FROM counters WHERE name = 'epoch'").fetchone()
    return int(found[0])


async def go_on(folder: Path, database: str) -> None:
    """Check that a server on this database goes on with the room that Ann and Ben play in."""
    earlier = folder / "for-the-time.db"
    earlier.unlink(missing_ok=True)
    clock = build(earlier)
    async with serving(folder, now=clock, database=database) as server:
        people = await arrive(server, ("Ann", "Ben"), bots=False)
        _, playing = await rooms_of(people["Ann"])
        before = (await play(people, playing, 0))["moves"]
        assert before[:3] == [0, 1, 2]
        after = (await play(people, playing, 1))["moves"]
        assert after[:-1] == before
        for player in people.values():
            await player.close()


async def add_to_audit(database: str) -> None:
    """Add a row to which the database gives the number."""
    values = dict.fromkeys(("actor_id", "actor", "address", "action", "target", "detail"), "x")
    engine = create_async_engine(database)
    async with engine.begin() as connection:
        await connection.execute(sa.insert(audit), {"at_ms": 0, **values})
    await engine.dispose()


async def test_a_copy_has_all_rows_and_a_server_goes_on_with_it(tmp_path: Path) -> None:
    source, target = await filled(tmp_path), tmp_path / "new" / "copy.db"
    before, bytes_before = rows_of(source), source.read_bytes()
    shown: dict[str, tuple[int, int]] = {}
    sums = await copy_database(
        str(source), str(target), lambda name, *numbers: shown.update({name: numbers})
    )
    counts = {name: len(rows) for name, rows in before.items()}
    assert {name: each.rows for name, each in sums.items()} == counts
    assert shown == {name: (count, count) for name, count in counts.items()}
    assert sums["games"].rows == 4
    assert rows_of(target) == before
    assert source.read_bytes() == bytes_before
    assert not source.with_name("games.db-wal").exists()
    await go_on(tmp_path, str(target))
    assert epoch(target) == epoch(source) + 1


async def test_what_a_killed_server_left_in_its_write_ahead_log_is_copied(tmp_path: Path) -> None:
    source = await filled(tmp_path)
    with closing(sqlite3.connect(source)) as running:
        running.execute("PRAGMA journal_mode=WAL")
        running.execute("UPDATE players SET engine_version = 'late'")
        running.commit()
        assert source.with_name("games.db-wal").stat().st_size
        await copy_database(str(source), str(tmp_path / "copy.db"), ignore)
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("SELECT DISTINCT engine_version FROM players").fetchall() == [("late",)]


async def test_a_server_that_starts_while_a_file_is_read_is_noticed(tmp_path: Path) -> None:
    source = await filled(tmp_path)
    stores: list[SqlStore] = []

    async def read(*, while_it_starts: bool) -> int:
        async with snapshot(str(source), alone=False) as connection:
            if while_it_starts:
                stores.append(await SqlStore.open(database_url(str(source))))
            return await count(connection, metadata.tables["games"])

    with pytest.raises(StoreError, match="A server has started with the database"):
        await read(while_it_starts=True)
    assert await read(while_it_starts=False) == 4
    await stores[0].close()


async def refused(source: Path, target: Path) -> str:
    before = sorted(source.parent.iterdir())
    with pytest.raises(StoreError) as caught:
        await copy_database(str(source), str(target), ignore)
    left = {path for path in source.parent.iterdir() if path not in before}
    assert {path.suffix for path in left} <= {".lock"}
    assert target in before or target not in left
    return str(caught.value)


async def test_what_cannot_be_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = await filled(tmp_path)
    target = tmp_path / "copy.db"
    assert "There is no database" in await refused(tmp_path / "missing.db", target)
    full = tmp_path / "full.db"
    full.write_bytes(source.read_bytes())
    before = full.read_bytes()
    assert "exists already; choose another" in await refused(source, full)
    assert "is the same database" in await refused(source, source)
    assert full.read_bytes() == before
    store = await SqlStore.open(database_url(str(source)))
    assert "Another server is using the database" in await refused(source, target)
    await store.close()
    store = await SqlStore.open(database_url(str(target)))
    assert f"{target} exists already" in await refused(source, target)
    await store.close()
    with monkeypatch.context() as patch:
        add_revision(tmp_path, patch)
        said = await refused(source, tmp_path / "another.db")
    assert f"is of an earlier version (its revision is {migrate.revisions()[-1]}, this" in said
    assert f"doublecross database upgrade {source}" in said


async def test_a_table_that_arrives_changed_is_found_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = await filled(tmp_path)
    upgrade = migrate.upgrade

    def with_trigger(connection: sa.Connection) -> None:
        upgrade(connection)
        change = "UPDATE games SET size = '9x9' WHERE game_id = new.game_id"
        connection.exec_driver_sql(
            f"CREATE TRIGGER wrong AFTER INSERT ON games BEGIN {change}; END"
        )

    monkeypatch.setattr(migrate, "upgrade", with_trigger)
    assert "The table games has other rows" in await refused(source, tmp_path / "copy.db")


def modes_of(target: Path) -> dict[str, int]:
    """Return the rights of all files that belong to a copy."""
    found = target.parent.glob(f"{target.name}*")
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in found}


async def killed_copy(source: Path, target: str) -> None:
    """Copy a database, and kill the process when it has copied some tables."""
    code = f"""if True:
        import asyncio, os
        from doublecross.server.store.whole.copying import copy_database
        def show(name, done, total):
            if name == "tokens" and done == total:
                os._exit(9)
        asyncio.run(copy_database({str(source)!r}, {target!r}, show))
    """
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    assert await process.wait() == 9


async def until_unlocked(url: str) -> None:
    """Wait until PostgreSQL has noticed that a process was killed, and has freed its lock."""
    engine = create_async_engine(url)
    async with asyncio.timeout(30), engine.connect() as connection:
        await connection.execute(sa.select(sa.func.pg_advisory_lock(LOCK_KEY)))
        await connection.execute(sa.select(sa.func.pg_advisory_unlock(LOCK_KEY)))
    await engine.dispose()


@pytest.mark.processes
async def test_a_killed_copy_leaves_no_database_and_can_be_repeated(tmp_path: Path) -> None:
    source, target = await filled(tmp_path), tmp_path / "copy.db"
    await killed_copy(source, str(target))
    assert modes_of(target) == dict.fromkeys(
        ("copy.db.part", "copy.db.part-journal", "copy.db.part.lock"), 0o600
    )
    await copy_database(str(source), str(target), ignore)
    assert rows_of(target) == rows_of(source)
    assert modes_of(target) == {"copy.db": 0o600}


@pytest.mark.processes
async def test_no_server_starts_on_an_unfinished_copy(tmp_path: Path, postgresql_url: str) -> None:
    source = await filled(tmp_path)
    await killed_copy(source, postgresql_url)
    await until_unlocked(postgresql_url)
    with pytest.raises(StoreError, match="A copy into the database was interrupted"):
        await SqlStore.open(postgresql_url)
    sums = await copy_database(str(source), postgresql_url, ignore)
    assert sums["games"].rows == 4
    await (await SqlStore.open(postgresql_url)).close()


@pytest.mark.processes
async def test_to_postgresql_and_back(tmp_path: Path, postgresql_url: str) -> None:
    source, back = await filled(tmp_path), tmp_path / "back.db"
    before = rows_of(source)
    sums = await copy_database(str(source), postgresql_url, ignore)
    assert sums["audit"].rows == 1
    assert await copy_database(postgresql_url, str(back), ignore) == sums
    assert rows_of(back) == before
    await go_on(tmp_path, postgresql_url)
    await add_to_audit(postgresql_url)
    with pytest.raises(StoreError, match="is not empty"):
        await copy_database(str(source), postgresql_url, ignore)
    store = await SqlStore.open(postgresql_url)
    with pytest.raises(StoreError, match="Another server is using"):
        await copy_database(postgresql_url, str(tmp_path / "more.db"), ignore)
    await store.close()
    await go_on(tmp_path, str(back))
    await copy_database(postgresql_url, str(tmp_path / "more.db"), ignore)
    after = rows_of(tmp_path / "more.db")
    assert len(after["journal"]) > len(before["journal"])
    assert [row[0] for row in after["audit"]] == [7, 8]


@pytest.mark.processes
async def test_new_rows_get_numbers_after_those_that_were_copied(postgresql_url: str) -> None:
    table = sa.Table(
        "numbered",
        sa.MetaData(),
        sa.Column("number", sa.BigInteger(), primary_key=True),
        sa.Column("text", sa.String()),
    )
    engine = create_async_engine(postgresql_url)
    async with engine.begin() as connection:
        await connection.run_sync(table.create)
        await connection.execute(sa.insert(table), [{"number": 7, "text": "copied"}])
        await set_sequences(connection, [table])
        await connection.execute(sa.insert(table), [{"text": "new"}])
        found = await connection.execute(sa.select(table.c.number).order_by(table.c.number))
        assert [row.number for row in found] == [7, 8]
        await connection.run_sync(table.drop)
    await engine.dispose()
