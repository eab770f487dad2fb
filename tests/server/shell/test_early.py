"""Messages that arrive before the hello is answered: kept in order, and bounded."""

from __future__ import annotations

import asyncio

import pytest

from doublecross.protocol.version import MSGPACK, CloseCode
from doublecross.server.shell.connection import FEW, MANY, MAX_EARLY, EarlyMessages
from doublecross.server.shell.wire.websocket import WebSocketEndedError
from tests.fakes.peers import FakeWebSocket


class PausedWebSocket(FakeWebSocket):
    """A websocket that knows whether it is read."""

    is_read = True

    def pause(self) -> None:
        self.is_read = False

    def resume(self) -> None:
        self.is_read = True


async def test_messages_come_in_order_and_the_end_after_them() -> None:
    early = EarlyMessages(FakeWebSocket(MSGPACK))
    early.put(None, b"one")
    waiting = [asyncio.ensure_future(early.get())]
    await asyncio.sleep(0)
    assert waiting[0].result() == b"one"
    second = asyncio.ensure_future(early.get())
    await asyncio.sleep(0)
    assert not second.done()
    early.put(None, b"two")
    early.put(None, b"three")
    early.end()
    assert [await second, await early.get()] == [b"two", b"three"]
    with pytest.raises(WebSocketEndedError):
        await early.get()


async def test_nothing_more_is_read_while_many_wait() -> None:
    websocket = PausedWebSocket(MSGPACK)
    early = EarlyMessages(websocket)
    read = []
    for number in range(MANY + 1):
        read.append(websocket.is_read)
        early.put(None, bytes((number,)))
    assert read == [True] * (MANY + 1)
    assert not websocket.is_read
    while not websocket.is_read:
        await early.get()
    assert len(early.rest()) == FEW


async def test_too_many_end_the_websocket() -> None:
    websocket = FakeWebSocket(MSGPACK)
    early = EarlyMessages(websocket)
    for _ in range(MAX_EARLY):
        early.put(None, b"x")
    assert websocket.is_open
    early.put(None, b"x")
    assert websocket.ended_with == CloseCode.ABUSE
    assert len(early.rest()) == MAX_EARLY
