"""Check when the client repeats things: retries, the server's rate, pings, reconnecting."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from doublecross.client.core.updates import ConnectionLost, Reconnected
from doublecross.protocol.client_messages import Move, Request
from doublecross.protocol.server_messages import Failed
from tests.client.talking import Connect, follow, returned, seen, soon, until
from tests.fakes.clock import FakeTime
from tests.fakes.rooms import room_in_play
from tests.fakes.server import LIMITS, FakeServer


@pytest.mark.parametrize("code", ["storage_failed", "rate_limited", "closing"])
@pytest.mark.parametrize("named", [True, False])
async def test_not_now_is_tried_again(
    connect: Connect, time: FakeTime, code: str, named: bool
) -> None:
    client, peer = await connect()
    await follow(client, peer, room := room_in_play())
    time.slept.clear()
    moving = soon(client.move("r1", 0))
    for _ in range(3):
        request = await peer.next(Move)
        await peer.send(Failed(id=request.id if named else None, code=code, message="Later."))
    request = await peer.next(Move)
    await peer.send(room.play(0).model_copy(update={"id": request.id}))
    await moving
    delays = [s for s in time.slept if s < 6]
    assert len(delays) == 3
    assert all(0.05 <= delay < 1 for delay in delays)


async def test_the_servers_rate_is_kept(connect: Connect, time: FakeTime) -> None:
    client, peer = await connect(limits=LIMITS.model_copy(update={"messages_per_s": 10.0}))
    began = time.now
    asking = [soon(client.get_record(f"g{n}")) for n in range(30)]
    for _ in asking:
        await peer.refuse(await peer.next(Request), "unknown_record")
    await asyncio.gather(*asking, return_exceptions=True)
    assert time.now - began == pytest.approx((30 - 9) / 9, rel=0.01)


async def test_pings_keep_the_connection(connect: Connect, time: FakeTime) -> None:
    client, peer = await connect(limits=LIMITS.model_copy(update={"silence_ms": 24_000}))
    for count in range(1, 4):
        await until(lambda n=count: time.slept.count(8.0) == n)
        time.advance(8)
        await until(lambda n=count: peer.pings == n)
        # The answer to this request comes after the pong, without which there is no other ping.
        asking = soon(client.get_record("none"))
        await peer.refuse(await peer.next(Request), "unknown_record")
        await asyncio.gather(asking, return_exceptions=True)
    assert client.connected


async def test_a_silent_server_is_given_up(
    server: FakeServer, connect: Connect, time: FakeTime
) -> None:
    client, peer = await connect()
    peer.answers_pings = False
    updates = client.updates()
    for count in range(1, 5):
        await until(lambda n=count: time.slept.count(10.0) == n)
        time.advance(10)
    await seen(updates, ConnectionLost)
    assert peer.pings == 1
    await returned(server)
    await seen(updates, Reconnected)


async def test_delays_grow_with_jitter_and_start_again_after_success(
    server: FakeServer, connect: Connect, time: FakeTime
) -> None:
    time.instant = 9.99
    client, peer = await connect()
    time.slept.clear()
    time.advance(5)
    peer.cut()
    for _ in range(9):
        await (await server.accept()).close(1013, "busy")
    peer = await returned(server)
    delays = [s for s in time.slept if s != 10.0]
    bounds = [min(10.0, 0.2 * 2**n) for n in range(10)]
    assert len(delays) == len(set(delays)) == 10
    assert all(0 <= delay <= bound for delay, bound in zip(delays, bounds, strict=True))
    assert max(delays) > 1
    await until(lambda: client.connected)
    time.advance(5)
    time.slept.clear()
    peer.cut()
    await returned(server)
    assert time.slept[0] <= 0.2


class Longest(Random):
    """Return the upper bound of every delay."""

    def uniform(self, a: float, b: float) -> float:
        return max(a, b)


@pytest.mark.parametrize(("held_s", "next_delay"), [(1.0, 0.2), (0.9, 0.8)])
async def test_only_a_connection_that_held_makes_the_next_delay_short_again(
    server: FakeServer, connect: Connect, time: FakeTime, held_s: float, next_delay: float
) -> None:
    time.instant = 9.99
    client, peer = await connect(rng=Longest())
    for delay in (0.2, 0.4):
        time.slept.clear()
        peer.cut()
        peer = await returned(server)
        await until(lambda: client.connected)
        assert [s for s in time.slept if s != 10.0] == [delay]
    time.advance(held_s)
    time.slept.clear()
    peer.cut()
    await returned(server)
    assert [s for s in time.slept if s != 10.0] == [next_delay]


async def test_the_next_try_is_announced(
    server: FakeServer, connect: Connect, time: FakeTime
) -> None:
    client, peer = await connect()
    assert client.next_try_in is None
    time.instant = 0
    peer.cut()
    await until(lambda: client.next_try_in is not None)
    assert not client.connected
    assert 0 < client.next_try_in <= 0.2
    time.advance(0.2)
    assert client.next_try_in == 0
    await returned(server)
    await until(lambda: client.connected)
    assert client.next_try_in is None
