"""Attacks over the wire on a real server."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from doublecross.protocol.codec import JsonCodec
from doublecross.protocol.common import MatchSettings, PlayerInfo
from doublecross.protocol.version import MAX_INBOUND_BYTES, MAX_OUTBOUND_BYTES, CloseCode
from doublecross.server.shell.app import DoublecrossServer
from tests.fakes.store import FakeStore
from tests.protocol.wire import Message, WireClient, serving

SMALL: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 1}}
LARGE: Message = {
    "game": "dots-and-boxes",
    "params": {"rows": 10, "cols": 10},
    "opening": tuple(range(219)),
}
KEY = "0123456789abcdef"


async def start_with(store: FakeStore, folder: Path) -> DoublecrossServer:
    """Run a server on this store."""
    async with serving(folder) as server:
        settings = server.settings
    started = DoublecrossServer(settings, store)
    await started.start()
    return started


async def known_player(server: DoublecrossServer, name: str) -> str:
    """Create a player and disconnect; return the token."""
    client = await WireClient.player(server, name)
    await client.close()
    token: str = client.received[0]["token"]
    return token


async def until(true: Callable[[], object]) -> None:
    """Wait until a condition of the server holds."""
    async with asyncio.timeout(5):
        while not true():  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0)


async def test_a_frame_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        client = await WireClient.player(server, "Ann", JsonCodec())
        await client.ws.send(" " * MAX_INBOUND_BYTES + "{}")
        assert await client.closed_with() == 1009


async def test_text_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        other = await WireClient.player(server, "Ben")
        client = await WireClient.player(server, "Ann", JsonCodec())
        client.ws.transport.write(b"\x81\x84" + bytes(4) + b"\xff\xfe\xed\xa0")
        assert await client.closed_with() == CloseCode.NOT_UTF8
        assert (await other.ask({"type": "ping"}))["type"] == "pong"


async def test_a_connection_that_sends_nothing_is_closed(tmp_path: Path) -> None:
    async with serving(tmp_path, hello_s=0.05) as server:
        silent = await WireClient.open(server, JsonCodec())
        slow = await WireClient.open(server, JsonCodec())
        slow.ws.transport.write(b"\x01\x81" + bytes(4) + b"{")  # a message that never ends
        for client in (silent, slow):
            assert await client.closed_with() == CloseCode.REFUSED


async def test_a_connection_that_sends_other_requests_before_hello_is_closed(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        client = await WireClient.open(server, JsonCodec())
        for number in range(20):
            await client.send({"type": "ping", "id": number})
        assert await client.closed_with() == CloseCode.REFUSED
        assert [m["code"] for m in client.received] == ["hello_first"] * 20


async def test_codes_and_keys_of_a_room_are_not_sent_to_others(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Ann")
        eve = await WireClient.player(server, "Eve", JsonCodec())
        await eve.ask({"type": "follow_lobby"})
        secret = "a-key-that-nobody-else-sees"
        create = {"type": "create_room", "key": secret, "settings": SMALL}
        state = await ann.ask({**create, "private": True})
        room, code = state["room"], state["code"]
        public = await ann.ask({**create, "key": f"{secret}-2"})
        assert await eve.refused({"type": "resume", "room": room, "seq": 1}) == "wrong_code"
        await eve.ask({"type": "watch", "room": public["room"]})
        await eve.ask({"type": "resume", "room": public["room"], "seq": 1})
        await eve.ask({"type": "watch", "room": room, "code": code})
        whole = await eve.ask({"type": "resume", "room": room, "seq": 1})
        assert [event["seq"] for event in whole["events"]] == [2]
        received = json.dumps(eve.received)
        assert secret not in received
        assert f'"{code}"' not in received


def limit(server: DoublecrossServer, **limits: int) -> None:
    """Apply these limits from now on."""
    config = server.authority.config
    changed = dataclasses.replace(config.limits, **limits)  # type: ignore[arg-type]
    server.authority.config = dataclasses.replace(config, limits=changed)
    server.authority.rooms.limits = server.connections.limits = changed


async def test_a_flood_of_malformed_messages_ends_the_connection(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        limit(server, offences=20)
        client = await WireClient.player(server, "Ann", JsonCodec())
        with contextlib.suppress(ConnectionClosed):
            for number in range(40):
                for _ in range(19):
                    await client.ws.send("{")
                await client.send({"type": "ping", "id": number})
        assert await client.closed_with() == CloseCode.ABUSE


async def test_the_lobby_fits_into_a_frame_that_clients_accept(tmp_path: Path) -> None:
    ann = PlayerInfo(name="Ann", kind="human")
    settings = MatchSettings.model_validate(LARGE)
    async with serving(tmp_path, max_rooms_per_player=2000) as server:
        lobby = server.authority.lobby
        for number in range(1200):  # no more than five players may open
            lobby.create_room(ann, f"k{number}", settings, 0, False, 0)
        state = server.authority.lobby_feed.state()
    assert len(JsonCodec().encode(state)) <= MAX_OUTBOUND_BYTES


async def test_control_characters_do_not_reach_other_players(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Ann")
        ben = await WireClient.player(server, "Ben", JsonCodec())
        create = {"type": "create_room", "key": "k", "settings": {**SMALL, "rated": True}}
        room = (await ann.ask({**create, "seat": 0}))["room"]
        await ben.ask({"type": "join_room", "room": room})
        crash = {"type": "crash", "room": room, "match": 1, "ply": 0}
        await ann.ask({**crash, "message": "\x1b]0;owned\x07\r\nYou have won!\u202e"})
        resigned = await ben.ask({"type": "resign", "room": room})
        finished = [m for m in (*ben.received, resigned) if m["type"] == "match_finished"]
    assert all(message["reason"].isprintable() for message in finished)


async def test_closed_rooms_leave_nothing_in_memory(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Ann")
        ben = await WireClient.player(server, "Ben")
        long = {**SMALL, "time": {"base_ms": 240 * 3_600_000}}
        for number in range(40):
            create = {"type": "create_room", "key": f"k{number}", "settings": long}
            room = (await ann.ask(create))["room"]
            await ben.ask({"type": "join_room", "room": room})
            await ann.ask({"type": "abort", "room": room})
            for client in (ann, ben):
                await client.ask({"type": "leave", "room": room})
        assert not server.authority.rooms.registry.channels
        left = len(server.authority.rooms.registry.scheduler._due)
    assert left < 40
