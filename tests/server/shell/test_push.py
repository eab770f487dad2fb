"""Messages that go to the sink as they arrive: however bytes are cut, the messages are the same."""

from __future__ import annotations

import asyncio
import gc
import struct
import weakref
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.frames import BINARY, TEXT, Frame
from websockets.protocol import Protocol, Side

from protocol.codec import JsonCodec, MsgpackCodec
from protocol.version import CloseCode
from server.shell.push import STEP_BYTES, STEP_S, ReadingTurns, framed, owed_after
from tests.protocol.wire import WireClient, serving
from tests.server.shell.test_wire_abuse import until


def masked(payload: bytes, opcode: int = 2, fin: bool = True) -> bytes:
    head = (0x80 if fin else 0) | opcode
    size = len(payload)
    if size < 126:
        start = struct.pack("!BB", head, 0x80 | size)
    elif size < 1 << 16:
        start = struct.pack("!BBH", head, 0x80 | 126, size)
    else:
        start = struct.pack("!BBQ", head, 0x80 | 127, size)
    key = bytes((1, 2, 3, 4))
    return start + key + bytes(b ^ key[i % 4] for i, b in enumerate(payload))


@settings(deadline=None)  # a busy machine is slow
@given(st.lists(st.integers(0, 70_000) | st.integers(0, 300), max_size=4), st.data())
def test_the_missing_bytes_of_a_cut_frame_are_counted(
    sizes: list[int], data: st.DataObject
) -> None:
    stream = b"".join(masked(bytes(size)) for size in sizes)
    ends, at = {0}, 0
    for size in sizes:
        at += len(masked(bytes(size)))
        ends.add(at)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=5)))
    owed, start = 0, 0
    for cut in [*cuts, len(stream)]:
        if owed >= 0:
            owed = owed_after(stream[start:cut], owed)
        start = cut
        if owed >= 0:
            assert (owed == 0) == (cut in ends)
            assert cut + owed in ends


def test_after_an_incomplete_header_the_count_is_unknown() -> None:
    frame = masked(bytes(200))
    assert owed_after(frame[:1], 0) == -1
    assert owed_after(frame[:3], 0) == -1
    assert owed_after(frame[:4], 0) == len(frame) - 4
    assert owed_after(b"\x82\x05hello", 0) == -1


@given(st.binary(max_size=70_000), st.booleans())
def test_frames_equal_those_of_the_library(payload: bytes, text: bool) -> None:
    client = Protocol(Side.CLIENT, max_size=None)
    client.receive_data(framed(payload, text))
    (frame,) = client.events_received()
    assert isinstance(frame, Frame)
    assert (frame.opcode, bytes(frame.data)) == (TEXT if text else BINARY, payload)
    assert frame.fin


class FakeLoop:
    """Collect the calls that are due, and say how long they wait."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[tuple[float, Any]] = []

    def call_soon(self, call: Any, *args: Any) -> None:
        self.call_later(0.0, call, *args)

    def call_later(self, delay: float, call: Any, *args: Any) -> None:
        self.due.append((delay, lambda: call(*args)))

    def turn(self) -> float:
        """Carry out the only call that is due; return how long it had to wait."""
        ((delay, call),) = self.due
        self.due.clear()
        call()
        return delay


def test_connections_parse_one_after_the_other_and_then_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop, turns, ran = FakeLoop(), ReadingTurns(), list[str]()
    monkeypatch.setattr("server.shell.push.time.perf_counter", lambda: loop.now)
    pieces = {"Ann": 4, "Ben": 1, "Eve": 3}

    def parse(name: str) -> None:
        ran.append(name)
        loop.now += STEP_S * 0.4
        pieces[name] -= 1
        if pieces[name]:
            turns.wait(cast(asyncio.AbstractEventLoop, loop), partial(parse, name))

    for name in pieces:
        turns.wait(cast(asyncio.AbstractEventLoop, loop), partial(parse, name))
    assert loop.turn() == 0
    assert ran == ["Ann", "Ben", "Eve"]
    assert loop.turn() == STEP_S
    assert ran[3:] == ["Ann", "Eve", "Ann"]
    assert loop.turn() == STEP_S
    assert ran[6:] == ["Eve", "Ann"]
    assert not loop.due
    turns.wait(cast(asyncio.AbstractEventLoop, loop), list)  # whoever comes later begins at once
    assert loop.turn() == 0


def test_a_connection_that_fails_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, turns, ran = FakeLoop(), ReadingTurns(), list[str]()
    monkeypatch.setattr("server.shell.push.time.perf_counter", lambda: loop.now)

    def fail() -> None:
        raise RuntimeError("a bug")

    for step in (fail, partial(ran.append, "Ben")):
        turns.wait(cast(asyncio.AbstractEventLoop, loop), step)
    with pytest.raises(RuntimeError):
        loop.turn()
    loop.turn()
    assert ran == ["Ben"]


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
        await client.close()


async def test_the_answer_to_a_close_is_found_behind_many_messages(tmp_path: Path) -> None:
    """Otherwise a client that sends much would keep its connection until a time limit."""
    async with serving(tmp_path) as server:
        client = await WireClient.player(server, "Ann")
        (peer,) = server.connections.peers
        peer.ws.protocol.send_close(CloseCode.RESTART)
        ping = masked(client.codec.encode({"type": "ping", "id": 7}))
        peer.ws.data_received(ping * 100 + masked(struct.pack("!H", CloseCode.RESTART), 8))
        await until(lambda: peer.ws.protocol.close_rcvd is not None)
        await client.close()


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
        (peer,) = server.connections.peers
        connection = weakref.ref(peer.ws)
        del peer
        gc.collect()
        gc.disable()
        try:
            await ann.close()
            async with asyncio.timeout(10):
                while connection() is not None:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
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
        await ann.close()


async def test_a_connection_whose_bytes_wait_reads_no_more_than_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Ann")
        (peer,) = server.connections.peers
        ws = peer.ws
        ws.data_received(masked(bytes(2000)))
        assert not ws.transport.is_reading()
        # The library does this when the messages from before the hello's answer are read.
        ws.transport.resume_reading()
        ws.data_received(masked(bytes(2000)))
        assert not ws.transport.is_reading()
        assert (await ann.ask({"type": "ping"}))["type"] == "pong"
        await ann.close()


async def test_short_messages_skip_the_turns_after_a_handshake_of_any_length(
    tmp_path: Path,
) -> None:
    lines = (
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        b"Sec-WebSocket-Protocol: doublecross.v1.json\r\nX: %s\r\n\r\n"
    )
    async with serving(tmp_path) as server:
        host, port = server.addresses.ws.removeprefix("ws://").split(":")
        for more in range(6):
            request = lines % (b"x" * (STEP_BYTES + more - len(lines) + 2))
            assert len(request) == STEP_BYTES + more
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(request)
            async with asyncio.timeout(10):
                await reader.readuntil(b"\r\n\r\n")
                while not server.connections.peers:  # noqa: ASYNC110
                    await asyncio.sleep(0)
            (peer,) = server.connections.peers
            assert (more, peer.ws._owed) == (more, 0)
            writer.close()
            async with asyncio.timeout(10):
                while server.connections.peers:  # noqa: ASYNC110
                    await asyncio.sleep(0)
