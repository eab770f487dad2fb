"""Check how a client goes from one address of its server to the next."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from doublecross.client.account import log_in
from doublecross.client.core.errors import Unreachable
from doublecross.client.core.updates import ConnectionLost, Reconnected
from doublecross.client.options import Login, Memory, Waiting
from doublecross.client.tokens import TokenFile
from doublecross.client.transport import Client
from doublecross.protocol.client_messages import JoinRoom
from doublecross.protocol.server_messages import Done
from tests.client.talking import seen, soon
from tests.fakes.clock import FakeTime
from tests.fakes.server import TOKEN, FakeServer


@pytest.fixture
def closed(unused_tcp_port: int) -> str:
    """Return an address at which nothing listens."""
    return f"127.0.0.1:{unused_tcp_port}"


async def test_an_address_that_does_not_answer_is_passed_over(
    server: FakeServer, time: FakeTime, closed: str
) -> None:
    client = Client(
        f"{closed}, {server.url}",
        Login("human", name="Ann"),
        rng=Random(1),
        waiting=Waiting(clock=time.clock, sleep=time.sleep),
    )
    starting = soon(client.start())
    peer = await server.accept()
    await peer.welcome()
    await starting
    assert not [s for s in time.slept if s < 5], "nothing but the interval of pings"
    assert client.url == server.url
    await client.close()


async def test_all_addresses_are_tried_before_the_delay(time: FakeTime, closed: str) -> None:
    async with FakeServer(subprotocols=None) as newer:
        client = Client(
            f"{newer.url},{closed}",
            Login("human", name="Ann"),
            rng=Random(1),
            waiting=Waiting(clock=time.clock, sleep=time.sleep),
        )
        with pytest.raises(Unreachable, match="Nothing listens") as caught:
            await client.start()
        assert not caught.value.lasting
        assert time.slept == []
        client = Client(f"{newer.url},{newer.url}/", Login("human", name="Ann"), rng=Random(1))
        with pytest.raises(Unreachable, match="version") as caught:
            await client.start(patience_s=60)
        assert caught.value.lasting


async def test_a_dead_node_is_left_for_one_that_the_welcome_named(
    server: FakeServer, time: FakeTime, closed: str, tmp_path: Path
) -> None:
    file = TokenFile(tmp_path, server.url, "Ann")
    assert file.hold()
    async with FakeServer() as other:
        servers = (server.url, f"ws://{closed}", "wss://elsewhere", other.url)
        client = Client(
            server.url,
            Login("human", name="Ann"),
            rng=Random(1),
            memory=Memory(on_token=file.write, on_servers=file.know),
            waiting=Waiting(clock=time.clock, sleep=time.sleep),
        )
        starting = soon(client.start())
        peer = await server.accept()
        await peer.welcome(servers=servers)
        await starting
        updates = client.updates()
        joining = soon(client.join("r1"))
        await peer.next(JoinRoom)
        peer.cut()
        lost = await seen(updates, ConnectionLost)
        assert str(server.port) in lost.sentence
        peer = await other.accept()
        assert (await peer.welcome(servers=servers)).token == TOKEN
        again = await peer.next(JoinRoom)
        await peer.send(Done(id=again.id))
        with pytest.raises(Exception, match="does not fit"):
            await joining
        await seen(updates, Reconnected)
        assert client.url == other.url
        await client.close()
        file.release()

        kept = TokenFile(tmp_path, server.url, "Ann")
        assert kept.servers == (server.url, f"ws://{closed}", other.url)
        named = TokenFile(tmp_path, other.url, "Ann")
        assert named.path == kept.path
        assert named.read() == TOKEN
        assert named.servers == ()


async def test_known_addresses_help_at_the_start(
    server: FakeServer, time: FakeTime, closed: str
) -> None:
    client = Client(
        closed,
        Login("human", token=TOKEN),
        rng=Random(1),
        memory=Memory(servers=(f"ws://{closed}", server.url)),
        waiting=Waiting(clock=time.clock, sleep=time.sleep),
    )
    starting = soon(client.start())
    assert (await (await server.accept()).welcome()).token == TOKEN
    await starting
    await client.close()


async def test_a_login_goes_to_the_next_address(closed: str) -> None:
    with pytest.raises(Unreachable, match="cannot be reached"):
        await log_in(f"ws://{closed},ws://{closed}", "Ann", "a password", "test")
