"""Tests of rooms that move from a single server into logs, and back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from doublecross.server.core.cluster_ids import SINGLE, log_of_room
from doublecross.server.core.cluster_storage import LEADER, ClusterBatch, LogLostError, LogWrite
from doublecross.server.core.rooms.sleeping import SleepingRoom
from doublecross.server.core.storage import Batch, DatabaseTakenError, JournalEntry, StoreError
from doublecross.server.shell.peer import MSGPACK_CODEC
from doublecross.server.shell.rooms.recovery import open_rooms
from doublecross.server.store.cluster.opening import check_cluster_database
from doublecross.server.store.schema import log_entries, logs
from doublecross.server.store.sql import SqlStore, database_url
from doublecross.server.store.whole.copying import copy_database
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
from tests.server.store.samples import entry
from tests.services.postgresql import Postgres

OLD, OTHER, LATER = "abcdefghij", "bcdefghijk", "aaab23456789"
"""Two rooms that a single server has opened, and one of a cluster."""


def said(room: str, number: int, kind: str = "move") -> bytes:
    return MSGPACK_CODEC.encode({"type": kind, "room": room, "seq": number})


def events(*made: bytes) -> bytes:
    return b"".join(made)


async def fill(url: str, *entries: bytes) -> SqlStore:
    """Return a single server's storage with these entries in its journal."""
    store = await SqlStore.open(url)
    first = await store.last_entry_id() + 1
    for entry_id, frames in enumerate(entries, first):
        await store.commit(Batch(JournalEntry(entry_id, 0, frames)))
    return store


async def rooms_of(entries: AsyncIterator[JournalEntry]) -> dict[str, bytes]:
    return await open_rooms(entries)


STORED = (
    events(said(OLD, 1), said(LATER, 1), said("closedroom", 1)),
    events(said(OTHER, 1), said(OLD, 2)),
    said("closedroom", 2, "room_closed"),
    MSGPACK_CODEC.encode({"type": "open_rooms", "rooms": (OLD, OTHER, LATER)}),
    said(LATER, 2),
)
ROOMS = {
    OLD: events(said(OLD, 1), said(OLD, 2)),
    OTHER: said(OTHER, 1),
    LATER: events(said(LATER, 1), said(LATER, 2)),
}


def test_rooms_of_a_single_server_share_a_log() -> None:
    assert [log_of_room(room) for room in (OLD, OTHER, LATER)] == [SINGLE, SINGLE, "aaab"]
    assert log_of_room(f"{SINGLE}23456789") == SINGLE


async def test_rooms_move_into_logs_once_and_the_single_server_stores_nothing_any_more(
    opened: Open, url: str, postgres: Postgres
) -> None:
    single = await fill(url, *STORED)
    assert await single.take_logs(open_rooms) == 0
    for use in (opened(), check_cluster_database(url)):
        with pytest.raises(StoreError, match="A server that is no part of the cluster is using"):
            await use
    await single.close()
    # Two nodes start at the same time.
    first, second = await opened(), await opened()
    moved = await asyncio.gather(first.move_journal(open_rooms), second.move_journal(open_rooms))
    assert sorted(moved) == [0, 3]
    assert first.database.epoch == second.database.epoch > single._database.epoch
    await first.join("a", "run-a")
    await settled_in(postgres, "run-a")
    for log, expected in ((SINGLE, (OLD, OTHER)), ("aaab", (LATER,))):
        claim = await take(first, log, "run-a")
        assert claim is not None
        found = await rooms_of(first.entries(log))
        assert found == {room: ROOMS[room] for room in expected}
        # One entry for each room, so that rooms which close early keep no others.
        assert len(await ids(first, log)) == len(expected)
        await first.commit(writes(claim, await first.last_entry_id(log) + 1))
    assert await execute(postgres, "SELECT count(*) FROM journal") == 0
    assert await lacking(postgres) == 0
    assert await execute(postgres, "SELECT value FROM counters WHERE name = 'last_entry'") == 5
    # It may still run somewhere, with a connection that is open but without its lock.
    await first.leave("run-a")
    for store in (first, second):
        await store.close()
    late = await SqlStore.open(url)
    late._database.epoch = single._database.epoch
    with pytest.raises(DatabaseTakenError):
        await late.commit(Batch(entry(6)))
    await late.close()


async def test_what_fails_half_way_leaves_everything_in_the_journal(
    opened: Open, url: str, postgres: Postgres
) -> None:
    await (await fill(url, *STORED)).close()
    node = await opened()

    async def fail(entries: AsyncIterator[JournalEntry]) -> dict[str, bytes]:
        await rooms_of(entries)
        return {OLD: b"x", "\ud800": b"no text for PostgreSQL"}

    with pytest.raises(StoreError, match=r"^The database could not be written: "):
        await node.move_journal(fail)
    assert await execute(postgres, "SELECT count(*) FROM journal") == 5
    assert await execute(postgres, "SELECT count(*) FROM log_entries") == 0
    assert await node.move_journal(open_rooms) == 3


async def test_the_way_back_ends_all_runs(
    opened: Open, url: str, postgres: Postgres, tmp_path: Path
) -> None:
    node = await opened("a")
    claim = await node.create_log("run-a")
    leader = await take(node, LEADER, "run-a")
    assert leader is not None
    assert claim.log == "aaab"
    kept = [said(LATER, 1), said(LATER, 2)]
    for entry_id, frames in enumerate(kept, 1):
        added = LogWrite(claim, JournalEntry(entry_id, 0, frames))
        await node.commit(ClusterBatch([added]))
    await node.commit(writes(leader, 1))
    with pytest.raises(StoreError, match=r"^A cluster is using .*: a\. Stop all its processes"):
        await SqlStore.open(url)
    await node.close()
    # Its connections are gone, but its lease is not: it may come back at any moment.
    with pytest.raises(StoreError, match=r"^A cluster is using .*: a\. Stop all its processes"):
        await SqlStore.open(url)
    with pytest.raises(StoreError, match=r"^A cluster is using .*: a\. Stop all its processes"):
        await copy_database(url, str(tmp_path / "copy.db"), lambda *_: None)
    await lapse(postgres, "run-a")
    sums = await copy_database(url, str(tmp_path / "copy.db"), lambda *_: None)
    assert (sums["log_entries"].rows, sums["logs"].rows) == (3, 2)
    single = await SqlStore.open(url)
    assert await single.take_logs(open_rooms) == 1
    assert await rooms_of(single.journal()) == {LATER: events(*kept)}
    assert await single.take_logs(open_rooms) == 0
    assert await execute(postgres, "SELECT count(*) FROM log_entries") == 0
    rows = [
        SleepingRoom(room, ("Ann", "Bob"), "Ann", 5, 1, "", b"") for room in ("aaabsleeping", OLD)
    ]
    await single.commit(Batch(None, asleep=rows))
    await single.close()
    back = await opened()
    assert not (await back.renew("run-a")).holds
    back.database.run = "run-a"
    for old in (claim, leader):
        with pytest.raises(LogLostError):
            await back.commit(writes(old, 9))
    assert await back.move_journal(open_rooms) == 1
    assert await rooms_of(back.entries("aaab")) == {LATER: events(*kept)}
    # Rooms that sleep stay where they are, in logs of the cluster.
    assert await execute(postgres, "SELECT count(*) FROM sleeping_rooms") == 2
    assert {"aaab", SINGLE} <= (await back.snapshot()).logs.keys()
    # Entry ids are never used twice.
    assert await ids(back, "aaab") == [3]
    # The number of the log is not given to another one.
    await back.join("b", "run-b")
    assert (await back.create_log("run-b")).log != "aaab"


async def test_a_copy_of_a_cluster_in_a_file_is_for_a_single_server(tmp_path: Path) -> None:
    store = await SqlStore.open(database_url(str(tmp_path / "copy.db")))
    await store.commit(Batch(entry(4)))
    await store.delete_entries([4])
    await store._database.write(
        [
            (
                sa.insert(logs),
                [
                    {"log": "aaab", "token": 1, "owner": "gone", "last_entry": 0, "entries": 2},
                    {"log": "aaac", "token": 2, "owner": None, "last_entry": 9, "entries": 1},
                ],
            ),
            (
                sa.insert(log_entries),
                [
                    {"log": "aaab", "entry_id": 1, "at_ms": 0, "frames": said(LATER, 1)},
                    {"log": "aaab", "entry_id": 7, "at_ms": 0, "frames": said(LATER, 2)},
                    {"log": "aaac", "entry_id": 3, "at_ms": 0, "frames": said("aaac2345", 1)},
                ],
            ),
        ]
    )
    assert await store.take_logs(open_rooms) == 2
    found = [each async for each in store.journal()]
    assert [each.entry_id for each in found] == [5, 6]
    assert found[0].frames == events(said(LATER, 1), said(LATER, 2))
    rows = await store._database.read(sa.select(logs).order_by(logs.c.log))
    assert [tuple(row) for row in rows] == [("aaab", 2, None, 7, 0), ("aaac", 3, None, 9, 0)]
    await store.close()
