"""The write-ahead log stays short while commits go on, and survives failing checkpoints."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import create_async_engine

from doublecross.server.store.sql import SqlStore, database_url
from doublecross.server.store.sqlite import checkpoints
from doublecross.server.store.sqlite.checkpoints import Checkpoints
from doublecross.server.store.sqlite.connections import connect
from tests.server.store.samples import batch, full_batch

PAGE = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a database with one table, with a write-ahead log."""
    with closing(connect(create_async_engine(database_url(str(path))))) as connection:
        connection.execute("PRAGMA journal_mode=WAL").fetchall()
        connection.execute("CREATE TABLE t (x BLOB)")
        yield connection


def log_bytes(path: Path) -> int:
    return path.with_name(f"{path.name}-wal").stat().st_size


def checkpoints_of(raw: sqlite3.Connection, path: Path) -> Checkpoints:
    return Checkpoints(lambda: connect(create_async_engine(database_url(str(path)))))


def wait_until_copied(made: Checkpoints) -> None:
    """Wait until the second thread is ready with what was asked."""
    assert made.copied.wait(5)


def test_every_connection_syncs_each_commit(raw: sqlite3.Connection) -> None:
    assert raw.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_the_log_begins_anew_while_commits_go_on(
    raw: sqlite3.Connection, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "PAGES", 20)
    made = checkpoints_of(raw, path)
    for number in range(200):
        raw.execute("INSERT INTO t VALUES (?)", (bytes(PAGE),))
        made.wrote(3)
        if made.asked and number % 2:
            wait_until_copied(made)
        made.finish(raw)
    assert made.done > 10
    # All the pages together would take 3 MB.
    assert log_bytes(path) < 100 * PAGE
    made.end()
    assert raw.execute("SELECT count(*) FROM t").fetchone() == (200,)


def test_a_reader_keeps_the_log_and_nothing_waits_for_it(
    raw: sqlite3.Connection, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "PAGES", 5)
    made = checkpoints_of(raw, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM t").fetchone() == (0,)
        for _ in range(20):
            raw.execute("INSERT INTO t VALUES (?)", (bytes(PAGE),))
            made.wrote(5)
            wait_until_copied(made)
            made.finish(raw)
        assert reader.execute("SELECT count(*) FROM t").fetchone() == (0,)
        reader.execute("COMMIT")
    lengths = []
    for _ in range(5):
        raw.execute("INSERT INTO t VALUES (?)", (bytes(PAGE),))
        made.wrote(5)
        wait_until_copied(made)
        made.finish(raw)
        lengths.append(log_bytes(path))
    assert len(set(lengths)) == 1  # the first of these commits was the last of the long log
    made.end()


def test_a_failing_checkpoint_is_tried_again(
    raw: sqlite3.Connection, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "PAGES", 5)
    failures = [sqlite3.OperationalError("disk I/O error")]

    def connection() -> sqlite3.Connection:
        if failures:
            raise failures.pop()
        return connect(create_async_engine(database_url(str(path))))

    made = Checkpoints(connection)
    for _ in range(2):
        made.wrote(5)
        wait_until_copied(made)
        made.finish(raw)
    assert failures == []
    assert made.done == 2
    made.end()


async def test_a_store_copies_its_log_and_loses_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "PAGES", 50)
    store = await SqlStore.open(database_url(str(path)))
    for number in range(1, 301):
        await store.commit((full_batch if number % 10 == 0 else batch)(number, bytes(2 * PAGE)))
    assert store._database._writer._checkpoints.done > 2  # type: ignore[attr-defined]
    assert log_bytes(path) < 300 * 2 * PAGE
    await store.close()
    assert not path.with_name("games.db-wal").exists()
    with closing(sqlite3.connect(path)) as copied:
        assert copied.execute("SELECT count(*) FROM journal").fetchone() == (300,)
        assert copied.execute("SELECT count(*) FROM games").fetchone() == (30,)
        assert copied.execute("PRAGMA integrity_check").fetchone() == ("ok",)
