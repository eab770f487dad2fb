"""Restarts on the same database, after an orderly stop and after a crash."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from doublecross.protocol.codec import JsonCodec
from doublecross.protocol.version import CloseCode
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.listening import StartError
from doublecross.server.shell.settings import ServerSettings
from tests.fakes.clock import StoppedClock
from tests.fakes.store import FakeStore
from tests.protocol.wire import Message, WireClient
from tests.server.shell.test_play_over_wire import move, table
from tests.server.shell.test_wire_abuse import until

HELLO: Message = {"type": "hello", "protocol": 2, "kind": "human"}
TIMED: Message = {
    "game": "dots-and-boxes",
    "params": {"rows": 1, "cols": 2},
    "time": {"base_ms": 60_000},
}


def settings(folder: Path, **more: Any) -> ServerSettings:
    fixed: dict[str, Any] = {
        "host": "127.0.0.1",
        "port": 0,
        "http_port": 0,
        "stop_s": 0.3,
        "database": str(folder / "games.db"),
    }
    return ServerSettings(**{**fixed, **more})


async def start(
    folder: Path,
    store: FakeStore | None = None,
    now: Callable[[], int] | None = None,
    **more: Any,
) -> DoublecrossServer:
    server = DoublecrossServer(settings(folder, **more), store, now)
    await server.start()
    return server


async def back(server: DoublecrossServer, token: str) -> tuple[WireClient, Message]:
    client = await WireClient.open(server, JsonCodec())
    return client, await client.ask({**HELLO, "token": token})


async def test_a_stop_notifies_all_players_and_a_restart_continues_their_matches(
    tmp_path: Path,
) -> None:
    clock = StoppedClock()
    server = await start(tmp_path, now=clock)
    ann, bob, room = await table(server, TIMED)
    clock.later(1500)
    await ann.ask(move(room, 0, 0))
    stranger = await WireClient.open(server, JsonCodec())
    epoch, tokens = server.authority.config.epoch, [c.received[0]["token"] for c in (ann, bob)]
    stopping = asyncio.ensure_future(server.stop())
    codes = await asyncio.gather(*(c.closed_with() for c in (ann, bob, stranger)))
    await stopping
    assert codes == [CloseCode.RESTART] * 3
    for client in (ann, bob):
        assert {"type": "closing", "grace_ms": 300} in client.received

    server = await start(tmp_path, restart_s=1000)
    assert server.restored == 1
    assert server.authority.config.epoch != epoch
    ann, welcome = await back(server, tokens[0])
    assert welcome["rooms"] == (room,)
    shown = await ann.ask({"type": "resume", "room": room, "seq": 4})
    assert [e["seq"] for e in shown["events"]] == [5]
    assert (shown["clock_ms"], shown["clock_runs"]) == ((60_000, 60_000), False)
    again = await ann.ask(move(room, 0, 0))  # sent again after the restart
    assert {**again, "id": 0} == {**shown["events"][0], "id": 0}
    bob, _ = await back(server, tokens[1])
    shown = await bob.ask({"type": "resume", "room": room, "seq": 5})
    assert shown["presence"]["first_move_in_ms"] == 30_000
    assert (await bob.ask(move(room, 1, 1)))["seq"] == 6
    await server.stop()


# -- stopping ----------------------------------------------------------------------------------


async def test_requests_before_the_stop_are_stored_and_answered(tmp_path: Path) -> None:
    store = FakeStore()
    server = await start(tmp_path, store)
    ann, bob, room = await table(server)
    store.hold()
    await ann.send({**move(room, 0, 0), "id": 77})
    await until(lambda: store.waiting)
    stopping = asyncio.ensure_future(server.stop())
    await ann.wait("closing")
    await bob.wait("closing")
    assert await bob.refused(move(room, 1, 1)) == "closing"
    store.release()
    assert (await ann.wait("move"))["id"] == 77
    assert await bob.closed_with() == CloseCode.RESTART
    assert await ann.closed_with() == CloseCode.RESTART
    await stopping
    assert store.closed
    assert b"match_started" in b"".join(e.frames for e in store.entries.values())


async def test_a_stopping_server_accepts_no_new_player(tmp_path: Path) -> None:
    store = FakeStore()
    server = await start(tmp_path, store)
    ann = await WireClient.player(server, "Ann")
    early = await WireClient.open(server, JsonCodec())
    store.hold()
    create = {"type": "create_room", "key": "k", "settings": TIMED, "id": 5}
    await ann.send(create)
    await until(lambda: store.waiting)
    stopping = asyncio.ensure_future(server.stop())
    await ann.wait("closing")
    assert await early.refused({**HELLO, "name": "Late"}) == "closing"
    with pytest.raises(OSError):
        await WireClient.open(server, JsonCodec())
    store.release()
    await ann.closed_with()
    await early.closed_with()
    await stopping


async def test_a_store_that_never_answers_does_not_hold_up_the_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.server.shell.app.LAST_COMMIT_S", 0.05)
    monkeypatch.setattr("doublecross.server.shell.app.LAST_TASK_S", 0.4)  # HTTP needs some 0.2 s
    store = FakeStore()
    server = await start(tmp_path, store)
    ann = await WireClient.player(server, "Ann")
    late = await WireClient.open(server, JsonCodec())
    store.hold()
    await ann.send({"type": "create_room", "key": "k", "settings": TIMED, "id": 5})
    await late.send({**HELLO, "name": "Late", "id": 6})
    async with asyncio.timeout(5):
        while not store.waiting:  # noqa: ASYNC110
            await asyncio.sleep(0)
        await asyncio.gather(server.stop(), ann.closed_with(), late.closed_with())
    assert store.closed


async def test_a_peer_that_does_not_close_is_cut_off(tmp_path: Path) -> None:
    server = await start(tmp_path, stop_s=0.05)
    ann = await WireClient.player(server, "Ann")
    ann.ws.transport.pause_reading()
    async with asyncio.timeout(5):
        await server.stop()
    assert server.connections.peers == set()
    ann.ws.transport.abort()
    await asyncio.sleep(0)


async def test_no_task_remains_after_a_stop(tmp_path: Path) -> None:
    before = asyncio.all_tasks()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        server = await start(tmp_path)
        ann, bob, room = await table(server)
        await ann.ask(move(room, 0, 0))
        await server.stop()
        await asyncio.gather(ann.closed_with(), bob.closed_with())
        await ann.close()
        await bob.close()
    await asyncio.sleep(0)
    left = {task for task in asyncio.all_tasks() - before if not task.done()}
    assert left == set()


# -- starting ----------------------------------------------------------------------------------


async def test_a_port_in_use_is_one_sentence_and_leaves_nothing_open(tmp_path: Path) -> None:
    server = await start(tmp_path)
    port = int(server.addresses.ws.rsplit(":", 1)[1])
    http = int(server.addresses.http.rsplit(":", 1)[1])
    for ports in ({"port": port}, {"http_port": http}):
        other = DoublecrossServer(settings(tmp_path / "other", **ports))
        with pytest.raises(StartError, match="in use"):
            await other.start()
    assert not (tmp_path / "other").exists()  # the database was not touched
    await server.stop()


async def test_a_database_in_use_is_one_sentence(tmp_path: Path) -> None:
    server = await start(tmp_path)
    with pytest.raises(StartError):
        await start(tmp_path)
    await server.stop()
    again = await start(tmp_path)
    await again.stop()
