"""Reads that take too long get an answer, and do not make the server look broken."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from doublecross.server.core.storage import StoreError
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.store.database import ReadQueue
from doublecross.server.store.sql import SqlStore, database_url
from tests.fakes.store import FakeStore
from tests.protocol.wire import WireClient
from tests.server.shell.test_http import Reader
from tests.server.shell.test_restart import start

SLOW = sa.select(sa.func.slow())
"""A query that takes as long as the test wants."""
MOST = 2**63 - 1
"""The largest integer of SQLite. The smallest one has no absolute value."""


@contextmanager
def slow_function(store: SqlStore) -> Iterator[threading.Event]:
    """Give the reading connections a function that waits until the event is set."""
    go_on = threading.Event()

    def taken(connection: Any, *_: object) -> None:
        connection.create_function("slow", 0, lambda: int(go_on.wait(60)))

    sa.event.listen(store._database._sqlite.engine, "checkout", taken)
    try:
        yield go_on
    finally:
        go_on.set()


@asynccontextmanager
async def store_with_slow_reads(folder: Path) -> AsyncIterator[tuple[SqlStore, threading.Event]]:
    store = await SqlStore.open(database_url(str(folder / "games.db")))
    with slow_function(store) as go_on:
        yield store, go_on
    await store.close()


async def test_a_slow_read_fails_and_its_connection_comes_back(tmp_path: Path) -> None:
    async with store_with_slow_reads(tmp_path) as (store, go_on):
        database = store._database
        database.read_s = 0.01
        for _ in range(10):  # more than there are connections
            with pytest.raises(StoreError, match=r"has not answered a read within 0\.01 s"):
                await database.read(SLOW)
        go_on.set()
        database.read_s = 60.0
        async with asyncio.timeout(10):
            assert (await database.read(SLOW))[0][0] == 1
            assert await store.game("room-1") is None


async def test_a_read_that_fails_later_is_no_error_of_the_program(tmp_path: Path) -> None:
    unexpected: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, found: unexpected.append(found))
    async with store_with_slow_reads(tmp_path) as (store, go_on):
        database = store._database
        database.read_s = 0.01
        with pytest.raises(StoreError, match="has not answered"):
            await database.read(sa.select(sa.func.abs(-MOST - sa.func.slow())))
        (task,) = database._reads
        go_on.set()
        await asyncio.wait([task])
        del task
    gc.collect()
    assert unexpected == []


async def test_slow_reads_of_every_kind_delay_no_check(tmp_path: Path) -> None:
    async with store_with_slow_reads(tmp_path) as (store, go_on):
        reads = [
            asyncio.ensure_future(store._database.read(SLOW, queue))
            for queue in [ReadQueue.ORDINARY] * 20 + [ReadQueue.LOGIN] * 20
        ]
        async with asyncio.timeout(10):
            await store.ping()
            await store.check_owner()
        assert not any(read.done() for read in reads)
        go_on.set()
        await asyncio.gather(*reads)


async def test_health_is_good_while_reads_are_slow(tmp_path: Path) -> None:
    server = await start(tmp_path)
    store = server._store
    assert isinstance(store, SqlStore)
    with slow_function(store) as go_on:
        reads = [asyncio.ensure_future(store._database.read(SLOW)) for _ in range(20)]
        async with Reader(server) as http:
            assert (await http.get("/health"))["status"] == "ok"
        assert not any(read.done() for read in reads)
        go_on.set()
        await asyncio.gather(*reads)
    await server.stop()


class SlowGames(FakeStore):
    """A store in which reading a game takes for ever."""

    async def game(self, game_id: str) -> Any:
        await asyncio.Event().wait()


async def asked(server: DoublecrossServer) -> None:
    """Ask for records by websocket and by HTTP, and check both answers."""
    ann = await WireClient.player(server, "Ann")
    for message in (
        {"type": "get_record", "game_id": "room-1"},
        {"type": "get_tournament", "tournament": "t1"},
    ):
        answer = await ann.ask(message)
        assert answer["code"] == "storage_failed"
        assert "does not answer" in answer["message"]
    async with Reader(server) as http:
        answer = await http.client.get("/api/games/room-1")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert "does not answer" in answer.json()["error"]
    await ann.close()


async def test_who_asks_for_a_record_gets_an_answer_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.server.shell.answers.READ_S", 0.02)
    monkeypatch.setattr("doublecross.server.shell.web.endpoints.READ_S", 0.02)
    store = SlowGames()
    server = await start(tmp_path, store)
    store.hold_reads()
    await asked(server)
    store.release_reads()
    await server.stop()


async def test_a_commit_that_hangs_delays_no_record_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.server.shell.answers.READ_S", 0.02)
    monkeypatch.setattr("doublecross.server.shell.web.reading.STORED_S", 0.02)
    store = FakeStore()
    server = await start(tmp_path, store)
    ann = await WireClient.player(server, "Ann")
    store.hold()
    await ann.send({"type": "create_room", "key": "k", "settings": {"game": "nim"}, "id": 5})
    answer = await ann.ask({"type": "get_record", "game_id": "room-1"})
    assert answer["code"] == "storage_failed"
    async with Reader(server) as http:
        await http.get("/api/games/room-1", 503)
    store.release()
    await server.stop()
