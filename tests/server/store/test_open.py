"""Check opening a database: what is created, what is refused, and the error messages."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from doublecross.processes.installation import how_to_add
from doublecross.server.core.storage import StoreError
from doublecross.server.store import migrate
from doublecross.server.store.schema import metadata
from doublecross.server.store.sql import SqlStore, database_url
from doublecross.server.store.sqlite import connections
from tests.server.store.conftest import drop_tables
from tests.server.store.later import LATER, add_revision
from tests.server.store.samples import batch, full_batch


async def _refusal(url: str) -> str:
    with pytest.raises(StoreError) as caught:
        await SqlStore.open(url)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


@asynccontextmanager
async def _empty(url: str) -> AsyncIterator[AsyncConnection]:
    """A connection to a database that is made empty first."""
    await drop_tables(url)
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        yield connection
    await engine.dispose()


def _describe(connection: sa.Connection) -> dict[str, object]:
    """Return everything that an SQLite database knows of its tables."""
    inspector = sa.inspect(connection)
    triggers = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?"
    return {
        name: repr(
            (
                inspector.get_columns(name),
                inspector.get_pk_constraint(name),
                inspector.get_indexes(name),
                inspector.get_unique_constraints(name),
                inspector.get_foreign_keys(name),
                inspector.get_check_constraints(name),
                connection.exec_driver_sql(triggers, (name,)).all(),
            )
        )
        for name in inspector.get_table_names()
    }


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_path_becomes_a_url_and_a_url_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert database_url("new/games.db") == f"sqlite+aiosqlite:///{tmp_path}/new/games.db"
    assert (tmp_path / "new").is_dir()
    for url in ("sqlite:///x/y.db", "postgresql+asyncpg://host/name", "nonsense://"):
        assert database_url(url) == url
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="folder"):
        database_url("file/games.db")


@pytest.mark.parametrize("name", ["with space.db", "100%s?#.db", "Ä+&=.db", "no_suffix"])
async def test_any_file_name(tmp_path: Path, name: str) -> None:
    store = await SqlStore.open(database_url(str(tmp_path / name)))
    await store.commit(batch(1))
    await store.close()
    assert _names(tmp_path) == {name, name + ".lock"}


async def test_a_missing_driver_of_postgresql_is_reported_with_its_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    sentence = await _refusal("postgresql://ann@127.0.0.1:1/games")
    assert how_to_add("server", "postgresql") in sentence


async def test_a_url_without_a_driver(tmp_path: Path) -> None:
    store = await SqlStore.open(f"sqlite:///{tmp_path}/games.db")
    await store.commit(full_batch(1))
    await store.close()


async def test_a_new_database_has_the_tables_of_the_schema(url: str) -> None:
    def differences(connection: sa.Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return compare_metadata(context, metadata)

    async with _empty(url) as connection:
        await connection.run_sync(migrate.upgrade)
        assert await connection.run_sync(differences) == []
        assert await connection.run_sync(migrate.is_current)


def test_the_oldest_tables_become_those_of_a_new_database() -> None:
    """A change of the schema needs a migration."""
    oldest = Path(__file__).parent / "saved" / f"r{migrate.revisions()[0]}.sql"
    described = []
    for script in (oldest.read_text(encoding="utf-8"), ""):
        engine = sa.create_engine("sqlite://")
        with engine.connect() as connection:
            connection.connection.executescript(script)
            migrate.upgrade(connection)
            described.append(_describe(connection))
        engine.dispose()
    assert described[0] == described[1]
    assert len(described[0]) == len(metadata.tables) + 1


async def test_an_upgrade_corrects_the_number_of_entries(url: str) -> None:
    counted = "SELECT sum(counted) FROM row_counts WHERE table_name = 'journal'"
    async with _empty(url) as connection:
        await connection.run_sync(migrate.upgrade)
        for change in (
            "INSERT INTO row_counts VALUES ('journal', 7, 4)",
            "UPDATE row_counts SET counted = -2 WHERE table_name = 'journal' AND part = 0",
            "UPDATE alembic_version SET version_num = '0017'",
        ):
            await connection.exec_driver_sql(change)
        await connection.run_sync(migrate.upgrade)
        assert await connection.scalar(sa.text(counted)) == 0


def test_the_files_of_the_migrations_are_named_by_their_revisions() -> None:
    scripts = ScriptDirectory.from_config(migrate.migrations())
    found = [script.revision for script in scripts.walk_revisions()]
    assert migrate.revisions() == found[::-1]


@pytest.mark.processes
def test_a_current_database_is_opened_without_alembic(tmp_path: Path) -> None:
    """Its import takes longer than most of a server's start."""
    code = (
        "import asyncio, sys\n"
        "from doublecross.server.store.sql import SqlStore, database_url\n"
        "async def once():\n"
        f"    await (await SqlStore.open(database_url({str(tmp_path / 'games.db')!r}))).close()\n"
        "for _ in range(2):\n    asyncio.run(once())\n"
        "print('alembic' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "False\n"


async def test_a_migration_that_stops_half_way_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = database_url(str(tmp_path / "games.db"))
    upgrade = migrate.upgrade

    def fail(connection: sa.Connection) -> None:
        upgrade(connection)
        raise OSError("stop")

    with monkeypatch.context() as patch:
        patch.setattr(migrate, "upgrade", fail)
        assert "stop" in await _refusal(url)
    with closing(sqlite3.connect(tmp_path / "games.db")) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []
    store = await SqlStore.open(url)
    await store.commit(full_batch(1))
    await store.close()


async def test_a_database_of_an_earlier_version_is_upgraded(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqlStore.open(url)
    await store.commit(full_batch(1))
    await store.close()
    add_revision(tmp_path, monkeypatch)
    store = await SqlStore.open(url)
    assert await store.has_entry(1)
    await store.close()
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        assert await connection.run_sync(migrate.revision_of) == LATER
        await connection.execute(sa.text("SELECT later FROM reviews"))
    await engine.dispose()


@pytest.mark.parametrize(
    ("revision", "says"),
    [
        ("9999", "newer version of Doublecross (its revision is 9999); use that version."),
        ("0006", "too old for this version of Doublecross (its revision is 0006, the oldest"),
    ],
)
async def test_a_database_that_is_too_new_or_too_old_is_left_alone(
    revision: str, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "games.db"
    await (await SqlStore.open(database_url(str(path)))).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", [revision])
    before = path.read_bytes()
    assert says in await _refusal(database_url(str(path)))
    assert path.read_bytes() == before


async def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    assert "another program" in await _refusal(database_url(str(path)))
    assert path.read_bytes() == before


async def test_a_database_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = database_url(str(tmp_path / "games.db"))
    await (await SqlStore.open(url)).close()
    with monkeypatch.context() as patch:  # File modes do not restrict root.
        patch.setattr(connections, "_PRAGMAS", ("query_only=ON",))
        assert "attempt to write a readonly database" in await _refusal(url)
    await (await SqlStore.open(url)).close()


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database, " * 100)
    assert "file is not a database" in await _refusal(database_url(str(text)))
    assert text.read_text() == "not a database, " * 100
    assert "is a folder" in await _refusal(database_url(str(tmp_path)))
    assert "no folder" in await _refusal(f"sqlite:///{tmp_path}/missing/games.db")
    # The file system refuses it for every user, root included.
    assert "cannot be opened" in await _refusal("sqlite:////proc/self/games.db")
    for memory in ("sqlite://", "sqlite:///:memory:", "sqlite:///file:x?mode=memory&uri=true"):
        assert "must be a file" in await _refusal(memory)


async def test_invalid_urls(tmp_path: Path) -> None:
    for url in ("", "games.db", "://", "postgresql://host:port/name"):
        assert "address of the database is invalid" in await _refusal(url)
    drivers = ("nonsense://host/name", "mysql+aiomysql://host/name", "postgresql+pg8000://host/x")
    for url in (*drivers, f"sqlite+pysqlite:///{tmp_path}/games.db"):
        assert "driver" in await _refusal(url)
    sentence = await _refusal("postgresql://me:secret@127.0.0.1:1/name")
    assert sentence.startswith("The database postgresql+asyncpg://me:***@127.0.0.1:1/name cannot")


async def test_a_second_server_is_refused(url: str, store: SqlStore) -> None:
    assert (await _refusal(url)).startswith("Another server is using the database")
    await store.commit(batch(1))
    await store.close()
    again = await SqlStore.open(url)
    assert await again.has_entry(1)
    await again.close()


async def test_a_second_server_is_refused_under_another_name_of_the_file(tmp_path: Path) -> None:
    store = await SqlStore.open(database_url(str(tmp_path / "games.db")))
    (tmp_path / "link.db").symlink_to(tmp_path / "games.db")
    assert "Another server" in await _refusal(database_url(str(tmp_path / "link.db")))
    await store.close()


def _modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


async def test_only_the_owner_can_read_the_files_of_a_new_database(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = await SqlStore.open(database_url(str(tmp_path / "games.db")))
        modes = _modes(tmp_path)
        await store.close()
    finally:
        os.umask(before)
    names = ("games.db", "games.db-shm", "games.db-wal", "games.db.lock")
    assert modes == dict.fromkeys(names, 0o600)
