"""Connections that end before the server has dealt with their handshake or their hello."""

from __future__ import annotations

import asyncio
import gc
import weakref
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake
from websockets.http11 import Request

from doublecross.protocol.codec import JsonCodec
from doublecross.server.shell.addresses.handshake import Handshake
from tests.chaos.floods import SIZE
from tests.fakes.store import FakeStore
from tests.protocol.wire import WireClient, serving
from tests.server.shell.edge.test_used_rates import until_gone
from tests.server.shell.test_hello import HELLO
from tests.server.shell.test_wire_abuse import known_player, start_with, until


async def test_connections_that_end_during_the_handshake_take_no_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = Handshake._answer

    def end(handshake: Handshake, request: Request) -> None:
        handshake.abort()
        answer(handshake, request)

    limits = {"max_connections": 3, "trusted_proxy": "127.0.0.1", "connections_per_address": 3}
    forwarded = {"X-Forwarded-For": "192.0.2.1"}
    async with serving(tmp_path, **limits) as server:
        with monkeypatch.context() as patch:
            patch.setattr(Handshake, "_answer", end)
            for _ in range(3):
                with pytest.raises((OSError, EOFError, InvalidHandshake)):
                    await connect(server.addresses.ws, additional_headers=forwarded)
        ws = await connect(
            server.addresses.ws, subprotocols=["doublecross.v1.json"], additional_headers=forwarded
        )
        await ws.close()


async def test_a_hello_of_a_connection_that_has_ended_replaces_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting, go_on = asyncio.Event(), asyncio.Event()

    async def pause(_: float) -> None:
        waiting.set()
        await go_on.wait()

    monkeypatch.setattr("doublecross.server.shell.handlers.hello.pause", pause)
    async with serving(tmp_path, messages_per_s=10, burst=20) as server:
        ann = await WireClient.player(server, "Ann")
        first = server.authority.peers.of("Ann")[-1]
        first.allowance.messages.charge(20)  # for something expensive
        second = await WireClient.open(server, JsonCodec())
        await second.send({**HELLO, "token": ann.received[0]["token"], "id": 1})
        await waiting.wait()
        (late,) = (peer for peer in server.connections.peers if peer.player is None)
        await second.close()
        await until(lambda: not late.websocket.is_open)
        go_on.set()
        await until_gone(server.connections.peers, late)
        assert server.authority.peers.of("Ann")[-1] is first
        await ann.ask({"type": "ping"})


async def test_a_connection_that_ends_while_its_welcome_waits_is_gone(tmp_path: Path) -> None:
    store = FakeStore()
    server = await start_with(store, tmp_path)
    token = await known_player(server, "Eve")
    ann = await WireClient.player(server, "Ann")
    store.hold()
    await ann.send({"type": "create_room", "id": 1, "key": "k", "settings": SIZE})
    await until(lambda: store.waiting)
    eve = await WireClient.open(server, JsonCodec())
    await eve.send({**HELLO, "token": token, "id": 1})
    await until(lambda: "Eve" in server.authority.peers.sessions)
    peer = server.authority.peers.of("Eve")[-1]
    websocket = weakref.ref(peer.websocket)
    await eve.close()
    await until(lambda: not websocket().is_open)  # type: ignore[union-attr]
    assert peer in server.connections.peers  # its hello is not dealt with yet
    number = peer.number
    del peer
    gc.collect()
    gc.disable()
    try:
        store.release()
        await until(lambda: number not in (peer.number for peer in server.connections.peers))
        assert "Eve" not in server.authority.peers.sessions
        # The committer keeps its last work until it has more.
        await ann.ask({"type": "create_room", "key": "l", "settings": SIZE})
        await until(lambda: websocket() is None)
    finally:
        gc.enable()
    await server.stop()
