"""Share steps between a client and the scripted server, for the tests of the transport."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

from doublecross.client.core.updates import Update
from doublecross.client.transport import Client
from doublecross.protocol.client_messages import Watch
from tests.fakes.rooms import FakeRoom
from tests.fakes.server import TOKEN, FakeServer, Peer

T = TypeVar("T")

Connect = Callable[..., Awaitable[tuple[Client, Peer]]]
"""The fixture `connect`."""


async def returned(server: FakeServer, *rooms: str, epoch: str = "e1") -> Peer:
    """Return the server's end of the next connection, after the welcome."""
    peer = await server.accept()
    hello = await peer.welcome(*rooms, epoch=epoch)
    assert hello.token == TOKEN
    return peer


async def until(ready: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not ready():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.001)


def soon(coroutine: Any) -> asyncio.Task[Any]:
    return asyncio.get_running_loop().create_task(coroutine)


async def follow(client: Client, peer: Peer, room: FakeRoom) -> None:
    """Make the client follow `room`, as a spectator or in its own seat."""
    watching = soon(client.watch(room.room))
    request = await peer.next(Watch)
    await peer.send(room.room_state(request.id))
    await watching


async def seen(updates: AsyncIterator[Update], kind: type[T]) -> T:
    """Return the next update of `kind`."""
    async with asyncio.timeout(5):
        async for update in updates:
            if isinstance(update, kind):
                return update
    raise AssertionError("The updates ended.")
