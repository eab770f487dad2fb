"""Check how the client connects: hello, refusals, wrong servers, temporary and final ends."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from doublecross.client.core.errors import ConnectionEnded, RequestRefused, Unreachable
from doublecross.client.core.updates import SessionEnded
from doublecross.client.options import Login, Memory, Waiting
from doublecross.client.transport import Client
from doublecross.games.api.sentence import Sentence
from doublecross.protocol.client_messages import Hello, JoinRoom, Request
from doublecross.protocol.common import EngineInfo
from doublecross.protocol.server_messages import Pong
from doublecross.protocol.version import JSON, MSGPACK, CloseCode
from tests.client.talking import Connect, returned, seen, soon, until
from tests.fakes.clock import FakeTime
from tests.fakes.server import TOKEN, FakeServer


@pytest.mark.parametrize("codec", [MSGPACK, JSON])
async def test_hello_and_a_request(server: FakeServer, codec: str) -> None:
    tokens: list[str] = []
    client = Client(
        server.url,
        Login("bot", name="Ann", engine=EngineInfo(name="greedy", version="2"), client="test"),
        codec=codec,
        rng=Random(1),
        memory=Memory(on_token=tokens.append),
    )
    starting = soon(client.start())
    peer = await server.accept()
    hello = await peer.welcome()
    await starting
    assert peer.codec.name == codec
    assert (hello.name, hello.kind, hello.client, hello.token) == ("Ann", "bot", "test", None)
    assert hello.engine == EngineInfo(name="greedy", version="2")
    assert tokens == [TOKEN]
    assert client.connected
    assert client.session.player is not None
    assert client.session.player.name == "Ann"
    pinging = soon(client.ping())
    await until(lambda: peer.pings)
    assert isinstance(await pinging, Pong)
    await client.close()
    assert not client.connected
    with pytest.raises(ConnectionEnded, match="closed"):
        await client.ping()


async def test_refused_hello(server: FakeServer) -> None:
    client = Client(server.url, Login("human", name="Ann"), rng=Random(1))
    starting = soon(client.start())
    peer = await server.accept()
    await peer.refuse(await peer.next(Hello), "name_taken", "Another player is called Ann.")
    with pytest.raises(RequestRefused, match="Another player") as caught:
        await starting
    assert caught.value.code == "name_taken"


async def test_malformed_name_and_address() -> None:
    with pytest.raises(ValueError, match="name"):
        Client("host", Login("human", name="\n"), rng=Random(1))
    with pytest.raises(ValueError, match="begins with ftp"):
        Client("ftp://host", Login("human", name="Ann"), rng=Random(1))


async def test_nobody_listens(unused_tcp_port: int) -> None:
    client = Client(f"127.0.0.1:{unused_tcp_port}", Login("human", name="Ann"), rng=Random(1))
    with pytest.raises(Unreachable, match="Nothing listens"):
        await client.start()


async def test_start_with_patience(unused_tcp_port: int) -> None:
    time = FakeTime(instant=60)
    client = Client(
        f"127.0.0.1:{unused_tcp_port}",
        Login("human", name="Ann"),
        rng=Random(1),
        waiting=Waiting(clock=time.clock, sleep=time.sleep),
    )
    with pytest.raises(Unreachable):
        await client.start(patience_s=30)
    assert time.now >= 1030
    assert len(time.slept) >= 4


async def test_other_versions() -> None:
    async with FakeServer(subprotocols=None) as plain:
        client = Client(plain.url, Login("human", name="Ann"), rng=Random(1))
        with pytest.raises(Unreachable, match="does not speak this version"):
            await client.start()
    async with FakeServer(subprotocols=("doublecross.v9.msgpack",)) as newer:
        client = Client(newer.url, Login("human", name="Ann"), rng=Random(1))
        with pytest.raises(Unreachable, match="version"):
            await client.start()


async def test_no_websocket_server() -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"220 mail.example ready\r\n")
        writer.close()

    other = await asyncio.start_server(handle, "127.0.0.1", 0)
    port = other.sockets[0].getsockname()[1]
    client = Client(f"127.0.0.1:{port}", Login("human", name="Ann"), rng=Random(1))
    with pytest.raises(Unreachable, match="not a websocket server"):
        await client.start()
    other.close()
    await other.wait_closed()


async def test_closing_while_the_server_is_away(server: FakeServer, connect: Connect) -> None:
    client, peer = await connect()
    peer.cut()
    await until(lambda: not client.connected)
    asking = soon(client.ping())
    await asyncio.sleep(0)
    await client.close()
    with pytest.raises(ConnectionEnded, match="closed"):
        await asking
    await client.close()


async def test_closing_at_once(server: FakeServer, connect: Connect) -> None:
    client = Client(server.url, Login("human", name="Ann"), rng=Random(1))

    async def come_and_go() -> None:
        async with client:
            pass

    going = soon(come_and_go())
    peer = await server.accept()
    await peer.welcome()
    await going
    assert not client.connected
    async with asyncio.timeout(5):
        await peer.over.wait()


@pytest.mark.parametrize(
    "code", [CloseCode.REPLACED, CloseCode.REFUSED, CloseCode.ABUSE, CloseCode.REVOKED]
)
async def test_some_endings_are_for_good(connect: Connect, code: int) -> None:
    client, peer = await connect()
    updates = client.updates()
    joining = soon(client.join("r1"))
    await peer.next(JoinRoom)
    await peer.close(code)
    with pytest.raises(ConnectionEnded, match=r"\.$") as caught:
        await joining
    assert caught.value.close_code == code
    assert isinstance([update async for update in updates][-1], SessionEnded)
    assert client.ended is not None
    with pytest.raises(ConnectionEnded):
        await client.ping()
    assert [type(update) async for update in client.updates()] == [SessionEnded]


async def test_other_endings_are_not(server: FakeServer, connect: Connect) -> None:
    client, peer = await connect()
    for code in (CloseCode.RESTART, CloseCode.SILENT, 1000, 1001, 1011):
        await peer.close(code)
        peer = await returned(server)
    assert client.ended is None


@pytest.mark.parametrize(
    ("code", "logged_out"),
    [("bad_token", True), ("token_expired", True), ("banned", False), ("wrong_kind", False)],
)
async def test_the_reason_is_known_when_a_return_is_refused(
    server: FakeServer, connect: Connect, code: str, logged_out: bool
) -> None:
    client, peer = await connect()
    updates = client.updates()
    peer.cut()
    peer = await server.accept()
    await peer.refuse(await peer.next(Hello), code, "The server says why.")
    await seen(updates, SessionEnded)
    assert client.ended is not None
    assert (client.ended.code, client.ended.logged_out) == (code, logged_out)
    with pytest.raises(ConnectionEnded, match="says why") as caught:
        await client.ping()
    assert caught.value.logged_out == logged_out


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("", "The server has ended this login."),
        ("Your account was deleted.", "Your account was deleted."),
    ],
)
async def test_an_ended_login_is_not_opened_again(
    connect: Connect, reason: str, sentence: str
) -> None:
    client, peer = await connect()
    updates = client.updates()
    await peer.close(CloseCode.REVOKED, reason)
    assert (await seen(updates, SessionEnded)).sentence == sentence
    assert client.ended is not None
    assert client.ended.logged_out
    assert client.next_try_in is None


async def test_the_reason_for_an_end_comes_before_it_with_its_values(connect: Connect) -> None:
    client, peer = await connect()
    reason = Sentence("Your name is {to} now; connect again.", "Cy")
    fields = {"type": "error", "id": None, "code": "ended", "phrase": reason.phrase}
    await peer.send({**fields, "message": reason})
    await peer.close(CloseCode.REVOKED, "Your name ...")
    await seen(client.updates(), SessionEnded)
    assert client.ended is not None
    assert client.ended.sentence == reason
    assert client.ended.sentence.values == reason.values


async def test_without_reconnect(connect: Connect) -> None:
    client, peer = await connect(reconnect=False)
    asking = soon(client.get_record("g"))
    await peer.next(Request)
    peer.cut()
    with pytest.raises(ConnectionEnded, match="lost"):
        await asking
