"""The event loop commits itself while the disk is quick."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from doublecross.server.core.storage import StoreError
from doublecross.server.store.database import database_url
from doublecross.server.store.sql import SqlStore
from doublecross.server.store.sqlite import writer as writer_file
from doublecross.server.store.sqlite.writer import SqliteWriter
from tests.server.store.samples import batch, full_batch

HERE = "MainThread"
THREAD = "database"


class Commits:
    """Commit to a store; `entry` and `rows` return the name of the thread that did it."""

    def __init__(self, store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store = store
        self._number = 0
        self._names: list[str] = []
        self.now_s = 100.0
        self.takes_s = 0.0
        found = store._database._writer
        assert isinstance(found, SqliteWriter)
        self.writer = found
        execute, transact = found._execute_alone, found._transact

        def alone(statement: sa.Executable, row: Mapping[str, Any], **how: Any) -> None:
            self._names.append(threading.current_thread().name)
            execute(statement, row, **how)
            self.now_s += self.takes_s

        def whole(*steps: Any) -> None:
            self._names.append(threading.current_thread().name)
            transact(*steps)

        monkeypatch.setattr(found, "_execute_alone", alone)
        monkeypatch.setattr(found, "_transact", whole)
        monkeypatch.setattr(writer_file.time, "monotonic", lambda: self.now_s)

    async def entry(self) -> str:
        self._number += 1
        await self.store.commit(batch(self._number))
        return self._names.pop()

    async def idle(self) -> None:
        """Wait until the thread has nothing to do."""
        while not self.writer._jobs().idle:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)

    async def rows(self) -> str:
        self._number += 1
        await self.store.commit(full_batch(self._number))
        return self._names.pop()


@pytest.fixture
async def commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Commits]:
    store = await SqlStore.open(database_url(str(tmp_path / "games.db")))
    with monkeypatch.context() as patch:
        made = Commits(store, patch)
        await made.idle()
        yield made
    await store.close()


async def test_a_slow_commit_moves_the_next_ones_to_the_thread(commits: Commits) -> None:
    assert [await commits.entry(), await commits.entry()] == [HERE, HERE]
    commits.takes_s = writer_file.QUICK_S * 1.5
    assert [await commits.entry(), await commits.entry()] == [HERE, THREAD]
    commits.takes_s = 0.0
    assert await commits.entry() == THREAD
    commits.now_s += writer_file.SLOW_S
    await commits.idle()
    assert await commits.entry() == HERE


async def test_the_thread_has_what_takes_long(commits: Commits) -> None:
    assert await commits.rows() == THREAD
    await commits.idle()
    commits.writer._checkpoints.asked = True
    assert await commits.entry() == THREAD
    commits.writer._checkpoints.asked = False


async def test_commits_keep_their_order_while_the_thread_works(commits: Commits) -> None:
    go, jobs = threading.Event(), commits.writer._jobs()
    under_way = jobs.do(go.wait, 5)
    assert not jobs.idle
    waiting = asyncio.ensure_future(commits.store.commit(batch(1)))
    await asyncio.sleep(0)
    go.set()
    await waiting
    assert commits._names == [THREAD]
    await under_way


async def test_the_thread_waits_for_another_process_that_writes(commits: Commits) -> None:
    with closing(commits.writer._connect()) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.ensure_future(commits.store.commit(batch(1)))
        while len(commits._names) < 2:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
        other.execute("COMMIT")
    await waiting
    assert commits._names == [HERE, THREAD]


async def test_a_connection_that_is_lost_is_replaced_here_too(commits: Commits) -> None:
    assert commits.writer._raw is not None
    commits.writer._raw.close()
    with pytest.raises(StoreError, match="closed database"):
        await commits.entry()
    await commits.idle()
    await commits.store.commit(batch(2))
    assert await commits.store.has_entry(2)
