"""A real server whose disk is full, whose process is stopped, or whose database is taken."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import httpx
import pytest

from doublecross.server.shell.app import DoublecrossServer
from tests.chaos.changed_server import set_read_only
from tests.chaos.servers import EVERYTHING, ForkedServer
from tests.e2e.processes import DEADLINE_S
from tests.protocol.wire import Message, WireClient
from tests.server.shell.test_play_over_wire import move, table

FASTER_THAN_BEFORE_S = 20.0
"""A server on a full disk once took 42 seconds to end."""


class Server(ForkedServer):
    """A server that the clients of the tests reach, and whose health they ask for."""

    @property
    def as_server(self) -> DoublecrossServer:
        """What the clients of the tests need of a server."""
        addresses = SimpleNamespace(ws=self.url, http=self.http)
        return cast("DoublecrossServer", SimpleNamespace(addresses=addresses))

    async def health(self, until: Callable[[int, Message], bool]) -> Message:
        """Ask for the health until it is as expected."""
        async with httpx.AsyncClient(trust_env=False) as http, asyncio.timeout(DEADLINE_S):
            while True:
                answer = await http.get(f"{self.http}/health")
                body: Message = answer.json()
                if until(answer.status_code, body):
                    return body
                await asyncio.sleep(0.02)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as started:
        yield started


async def until_stored(client: WireClient, message: Message) -> Message:
    """Send a move again until it is stored."""
    async with asyncio.timeout(DEADLINE_S):
        while True:
            answer = await client.ask(message)
            if answer["type"] != "error":
                return answer
            assert answer["code"] == "storage_failed"
            await asyncio.sleep(0.02)


async def plays_on(server: Server, ann: WireClient, bob: WireClient, room: str) -> None:
    """Check that the first move is stored and delivered now; close both connections."""
    answer = await until_stored(ann, move(room, 0, 0))
    assert (answer["type"], answer["ply"]) == ("move", 0)
    assert (await bob.wait("move"))["action"] == 0
    await server.health(lambda status, body: status == 200 and body["storage"] == "ok")
    await ann.close()
    await bob.close()


async def test_a_full_disk_stops_nothing_for_good(server: Server) -> None:
    ann, bob, room = await table(server.as_server)
    server.let_files_grow(0)  # the log is a file, too
    for _ in range(3):
        assert await ann.refused(move(room, 0, 0)) == "storage_failed"
    body = await server.health(lambda status, _: status == 503)
    assert body["status"] == "failing"
    assert "nothing can be stored" in body["problem"]
    assert body["storage"] != "ok"
    assert set(body["tasks"].values()) == {"running"}
    assert {"committer", "sweep", "clocks", "journal", "http"} <= body["tasks"].keys()
    assert await ann.refused({"type": "claim", "room": room}) == "wrong_state"
    server.let_files_grow(EVERYTHING)
    await plays_on(server, ann, bob, room)
    assert server.end() == 0
    log = server.log.read_text()
    assert "Log lines before this one that could not be written: " in log


async def test_a_read_only_database_refuses_moves_until_it_can_be_written(tmp_path: Path) -> None:
    with Server(tmp_path, "tests.chaos.changed_server") as server:
        ann, bob, room = await table(server.as_server)
        set_read_only(server.database, True)
        for _ in range(3):
            assert await ann.refused(move(room, 0, 0)) == "storage_failed"
        body = await server.health(lambda status, _: status == 503)
        assert body["storage"].endswith("attempt to write a readonly database.")
        set_read_only(server.database, False)
        await plays_on(server, ann, bob, room)
        assert server.end() == 0


async def test_health_recovers_although_nobody_plays(server: Server) -> None:
    ann = await WireClient.player(server.as_server, "Ann")
    server.let_files_grow(0)
    create = {"type": "create_room", "key": "k", "settings": {"game": "nim", "params": {}}}
    answer = await ann.ask(create)
    assert answer["type"] == "error", answer
    await server.health(lambda status, _: status == 503)
    server.let_files_grow(EVERYTHING)
    await server.health(lambda status, _: status == 200)
    await ann.close()
    assert server.end() == 0


async def test_sigterm_ends_a_server_on_a_full_disk(server: Server) -> None:
    ann, bob, room = await table(server.as_server)
    server.let_files_grow(0)
    assert await ann.refused(move(room, 0, 0)) == "storage_failed"
    assert await asyncio.to_thread(server.end, signal.SIGTERM, FASTER_THAN_BEFORE_S) == 0
    assert await ann.closed_with() is not None
    assert await bob.closed_with() is not None


async def test_a_stopped_process_costs_no_player_time(server: Server) -> None:
    timed: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}
    ann, bob, room = await table(server.as_server, {**timed, "time": {"base_ms": 1500}})
    server.send(signal.SIGSTOP)
    await ann.send({**move(room, 0, 0), "id": 900})
    # The machine's clock must pass the end of Ann's time while the process stands still.
    await asyncio.to_thread(time.sleep, 2.5)
    server.send(signal.SIGCONT)
    async with asyncio.timeout(DEADLINE_S):
        while (answer := await ann.receive()).get("id") != 900:
            assert answer["type"] != "match_finished"
    assert answer["type"] == "move"
    assert answer["elapsed_ms"] < 1500
    assert (await bob.wait("move"))["clock_ms"][0] > 0
    assert (await server.health(lambda status, _: status == 200))["stalls_ms"] > 1000
    await ann.close()
    await bob.close()


async def test_a_server_whose_database_was_taken_answers_nobody_and_ends(server: Server) -> None:
    ann, bob, room = await table(server.as_server)
    assert (await ann.ask(move(room, 0, 0)))["type"] == "move"
    with closing(sqlite3.connect(server.database, timeout=30)) as other, other:
        # This is what a second server does first, if nothing keeps it from starting.
        other.execute("UPDATE counters SET value = value + 1 WHERE name = 'epoch'")
    await bob.send({**move(room, 1, 1), "id": 900})
    assert await bob.closed_with() is not None
    assert not [message for message in bob.received if message.get("id") == 900]
    assert await asyncio.to_thread(server.wait) == 1
    text = " ".join(server.log.read_text().split())
    assert "Error: Another server has opened the database" in text
    with closing(sqlite3.connect(server.database)) as stored:
        frames = b"".join(row[0] for row in stored.execute("SELECT frames FROM journal"))
    assert frames.count(b"elapsed_ms") == 1
    await ann.close()


async def test_an_idle_server_whose_database_was_taken_ends(server: Server) -> None:
    with closing(sqlite3.connect(server.database, timeout=30)) as other, other:
        other.execute("UPDATE counters SET value = value + 1 WHERE name = 'epoch'")
    assert await asyncio.to_thread(server.wait) == 1
    text = " ".join(server.log.read_text().split())
    assert "Error: Another server has opened the database" in text
    assert text.endswith("Stop the other one before you start this one again.")
