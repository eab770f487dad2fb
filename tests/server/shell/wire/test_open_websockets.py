"""Open websockets of a real server: turns, fragments, the end, and no memory that stays."""

from __future__ import annotations

import asyncio
import gc
import struct
import weakref
from pathlib import Path
from random import Random

import pytest

from doublecross.protocol.codec import JsonCodec, MsgpackCodec
from doublecross.protocol.version import CloseCode
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.wire.wire import STEP_BYTES, Wire
from tests.protocol.wire import WireClient, serving
from tests.server.shell.test_wire_abuse import until
from tests.server.shell.wire.test_frames import masked

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Sec-WebSocket-Protocol: doublecross.v1.json\r\nX: %s\r\n\r\n"
)


def only_wire(server: DoublecrossServer) -> Wire:
    (peer,) = server.connections.peers
    assert isinstance(peer.websocket, Wire)
    return peer.websocket


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("seed", range(4))
async def test_messages_are_the_same_however_the_stream_is_cut(
    tmp_path: Path, text: bool, seed: int
) -> None:
    """Pings of many lengths, some in fragments with control frames between, in random pieces."""
    rng = Random(seed)
    codec = JsonCodec() if text else MsgpackCodec()
    opcode = 1 if text else 2
    stream = b""
    bad = 0
    for number in range(120):
        ping = codec.encode({"type": "ping", "id": number})
        kind = rng.randrange(6)
        if kind == 0:
            cut = rng.randrange(1, len(ping))
            stream += masked(ping[:cut], opcode, fin=False)
            stream += masked(b"are you there", 9) if rng.random() < 0.5 else b""
            stream += masked(ping[cut:], 0)
        elif kind == 1:
            bad += 1
            stream += masked(b"\x01" * rng.randrange(1, 400), opcode) + masked(ping, opcode)
        else:
            stream += masked(ping, opcode)
    async with serving(tmp_path) as server:
        client = await WireClient.player(server, "Ann", codec)
        at = 0
        while at < len(stream):
            size = rng.choice([1, 2, 3, 7, 20, 60, 500])
            client.ws.transport.write(stream[at : at + size])
            at += size
            await asyncio.sleep(0)
        await client.wait("pong", id=119)
        pongs = [m["id"] for m in client.received if m["type"] == "pong"]
        assert pongs == list(range(120))
        assert sum(m["type"] == "error" for m in client.received) == bad


async def test_the_answer_to_a_close_is_found_behind_many_messages(tmp_path: Path) -> None:
    """Otherwise a client that sends much would keep its connection until a time limit."""
    async with serving(tmp_path) as server:
        client = await WireClient.player(server, "Ann")
        (peer,) = server.connections.peers
        peer.websocket.close(CloseCode.RESTART, "")
        ping = masked(client.codec.encode({"type": "ping", "id": 7}))
        only_wire(server).data_received(
            ping * 100 + masked(struct.pack("!H", CloseCode.RESTART), 8)
        )
        await until(lambda: peer not in server.connections.peers)


async def test_too_many_fragments_end_the_connection(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        client = await WireClient.player(server, "Ann")
        client.ws.transport.write(
            masked(b"a", fin=False) + masked(b"", 0, fin=False) * 100 + masked(b"", 0)
        )
        assert await client.closed_with() is None  # cut off, not closed


async def test_a_closed_connection_leaves_nothing_to_collect(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Ann")
        assert (await ann.ask({"type": "ping"}))["type"] == "pong"
        connection = weakref.ref(only_wire(server))
        gc.collect()
        gc.disable()
        try:
            await ann.close()
            await until(lambda: connection() is None)
        finally:
            gc.enable()


async def test_showing_a_room_leaves_no_circles(tmp_path: Path) -> None:
    settings = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Ann")
        room = await ann.ask({"type": "create_room", "settings": settings, "key": "0"})
        gc.collect()
        gc.disable()
        gc.set_debug(gc.DEBUG_SAVEALL)
        try:
            for seq in (0, 1):
                resume = {"type": "resume", "room": room["room"], "seq": seq}
                assert (await ann.ask(resume))["type"] == "room_state"
            gc.collect()
            names = [getattr(found, "__qualname__", "") for found in gc.garbage]
            assert [name for name in names if name.startswith("RoomFollowing")] == []
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
            gc.enable()


async def test_a_connection_whose_bytes_wait_reads_no_more_than_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Ann")
        wire = only_wire(server)
        transport = wire._transport
        wire.data_received(masked(bytes(2000)))
        assert not transport.is_reading()
        # This comes when the messages from before the hello's answer are read.
        wire.resume()
        assert not transport.is_reading()
        # Encrypted connections may receive what was read before.
        wire.data_received(masked(bytes(2000)))
        assert not transport.is_reading()
        assert (await ann.ask({"type": "ping"}))["type"] == "pong"


async def test_short_messages_skip_the_turns_after_a_handshake_of_any_length(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        host, port = server.addresses.ws.removeprefix("ws://").split(":")
        for more in range(6):
            request = REQUEST % (b"x" * (STEP_BYTES + more - len(REQUEST) + 2))
            assert len(request) == STEP_BYTES + more
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(request)
            async with asyncio.timeout(10):
                await reader.readuntil(b"\r\n\r\n")
                while not server.connections.peers:  # noqa: ASYNC110
                    await asyncio.sleep(0)
            assert (more, only_wire(server)._parser) == (more, None)
            writer.close()
            await until(lambda: not server.connections.peers)


async def test_handshakes_leave_nothing_to_collect(tmp_path: Path) -> None:
    accepted = REQUEST % b""
    requests = [accepted, accepted.replace(b"v1.json", b"v9.json"), b"NONSENSE\r\n\r\n"]
    async with serving(tmp_path) as server:
        host, port = server.addresses.ws.removeprefix("ws://").split(":")
        gate = server.front.gate
        assert gate is not None
        gc.collect()
        gc.disable()
        gc.set_debug(gc.DEBUG_SAVEALL)
        try:
            for request in requests:
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(request)
                if request is accepted:
                    await until(lambda: server.connections.peers)
                else:
                    await reader.read()
                writer.close()
                await until(lambda: not server.connections.peers and not gate.undecided)
            gc.collect()
            names = {type(found).__name__ for found in gc.garbage}
            assert names.isdisjoint({"Handshake", "_Library", "Wire", "FrameParser", "Peer"})
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
            gc.enable()
