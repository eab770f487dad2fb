"""A real server that encrypts: games, the page, limits, and a new certificate meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import warnings
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from doublecross.client.core.errors import Unreachable
from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.processes.ports import free_port
from doublecross.protocol.codec import JsonCodec
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.http import protocol
from tests.fakes.certificates import Pair, make_pair
from tests.fakes.http import plain_client
from tests.protocol.wire import Message, WireClient, serving
from tests.server.shell.page.test_http_connections import held
from tests.server.shell.page.wiring import request, write_page
from tests.server.shell.test_wire_abuse import until

HELLO: Message = {"type": "hello", "protocol": 2, "kind": "human"}
SMALL: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}
LIMITED = {"exempt_addresses": ""}


async def enter(server: DoublecrossServer, pair: Pair, name: str, **more: Any) -> WireClient:
    ws = await connect(
        server.addresses.ws,
        ssl=pair.trusted(),
        subprotocols=[Subprotocol(JsonCodec.name)],
        compression=None,
        close_timeout=1,
        **more,
    )
    client = WireClient(ws, JsonCodec())
    welcome = await client.ask({**HELLO, "name": name})
    assert welcome["http"] == server.addresses.http
    return client


def port_of(server: DoublecrossServer) -> int:
    return int(server.addresses.ws.rpartition(":")[2])


async def serial(server: DoublecrossServer) -> bytes:
    """Return the certificate that a new connection gets."""
    anybody = ssl.create_default_context()
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    _, writer = await asyncio.open_connection("127.0.0.1", port_of(server), ssl=anybody)
    found: bytes = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    writer.close()
    return found


@pytest.mark.parametrize("two_ports", [False, True])
async def test_games_and_the_page_are_encrypted(tmp_path: Path, two_ports: bool) -> None:
    pair, page = make_pair(tmp_path), write_page(tmp_path / "page")
    more = {"port": free_port(), "http_port": free_port()} if two_ports else {}
    async with serving(tmp_path, page=page, **more, **pair.settings) as server:
        addresses = server.addresses
        assert addresses.ws.startswith("wss://localhost:")
        assert addresses.share == (addresses.http,)
        assert addresses.http.startswith("https://localhost:")
        assert addresses.http.endswith(addresses.ws.rpartition(":")[2]) is not two_ports
        ann = await enter(server, pair, "Ann")
        create = {"type": "create_room", "settings": SMALL, "seat": 0, "key": "k"}
        room = (await ann.ask(create))["room"]
        bob = await enter(server, pair, "Bob")
        await bob.ask({"type": "join_room", "room": room})
        move = {"type": "move", "room": room, "match": 1, "ply": 0, "action": 0}
        assert (await ann.ask(move))["type"] == "move"
        async with httpx.AsyncClient(verify=pair.trusted(), base_url=addresses.http) as http:
            for path in ("/", "/health", "/api/rooms"):
                answer = await http.get(path)
                assert answer.status_code == 200
                assert answer.headers["strict-transport-security"] == "max-age=31536000"
        # What the server starts itself needs no certificate for the loopback address.
        assert addresses.local.startswith("ws://127.0.0.1:")
        async with Client(addresses.local, Login("human", name="Own"), rng=Random(1)) as own:
            assert own.connected


async def test_old_versions_and_strangers_to_the_certificate_are_refused(tmp_path: Path) -> None:
    pair = make_pair(tmp_path)
    async with serving(tmp_path, **pair.settings) as server:
        old = pair.trusted()
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        (await enter(server, Pair(pair.certificate, pair.key), "Ann")).ws.transport.abort()
        _, writer = await asyncio.open_connection("localhost", port_of(server), ssl=old)
        assert writer.get_extra_info("ssl_object").version() == "TLSv1.2"
        writer.close()
        with warnings.catch_warnings(action="ignore"):
            old.minimum_version = ssl.TLSVersion.TLSv1
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await asyncio.open_connection("localhost", port_of(server), ssl=old)
        address = f"localhost:{port_of(server)}"
        for url, why in [
            (f"https://{address}", "This computer does not trust the certificate of wss://localh"),
            (
                f"ws://{address}",
                "This server encrypts all connections; put https:// or wss://",
            ),
            (
                server.addresses.local.replace("ws:", "wss:"),
                "put http:// or ws:// before its address.",
            ),
        ]:
            client = Client(url, Login("human", name="Bob"), rng=Random(1))
            with pytest.raises(Unreachable) as caught:
                await client.start()
            assert why in str(caught.value)


async def test_a_client_with_the_certificate_in_its_variable_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = make_pair(tmp_path, hosts=("localhost", "other.example"))
    monkeypatch.setenv("SSL_CERT_FILE", str(pair.certificate))
    async with serving(tmp_path, **pair.settings) as server:
        url = server.addresses.share[0]
        async with Client(url, Login("human", name="Ann"), rng=Random(1)) as client:
            assert client.connected
        elsewhere = Client(
            f"https://127.0.0.1:{port_of(server)}", Login("human", name="Bob"), rng=Random(1)
        )
        with pytest.raises(Unreachable, match="is for another name"):
            await elsewhere.start()


async def test_new_connections_get_a_new_certificate_and_old_ones_go_on(tmp_path: Path) -> None:
    pair, new = make_pair(tmp_path), make_pair(tmp_path, "new")
    async with serving(tmp_path, **pair.settings) as server:
        ann = await enter(server, Pair(pair.certificate, pair.key), "Ann")
        before = await serial(server)
        pair.certificate.write_bytes(new.certificate.read_bytes())
        server.reload()  # the key does not fit yet
        assert await serial(server) == before
        pair.key.write_bytes(new.key.read_bytes())
        server.reload()
        assert await serial(server) != before
        assert server.front.tls is not None
        ends = round(server.front.tls.certificate.ends.timestamp())
        local = server.addresses.local.replace("ws:", "http:")
        async with plain_client(local) as http:
            metrics = dict(
                line.split(" ", 1) for line in (await http.get("/metrics")).text.splitlines()
            )
        assert float(metrics["doublecross_certificate_expires_seconds"]) == ends
        assert server.figures.tasks()["certificate"] == "running"
        assert (await ann.ask({"type": "ping"}))["type"] == "pong"


async def test_a_connection_counts_for_its_address_before_it_is_encrypted(tmp_path: Path) -> None:
    pair = make_pair(tmp_path)
    more: dict[str, Any] = {**LIMITED, **pair.settings, "hello_s": 0.3}
    async with serving(tmp_path, **more, connections_per_address=2) as server:
        silent = [await asyncio.open_connection("127.0.0.1", port_of(server)) for _ in range(2)]
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await serial(server)
        # The deadline of their handshakes lets others in again.
        for reader, writer in silent:
            async with asyncio.timeout(10):
                assert await reader.read() == b""
            writer.close()
        assert await serial(server)
    async with serving(tmp_path, **more, handshakes_per_minute=2) as server:
        assert await serial(server)
        assert await serial(server)
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await serial(server)
        assert server.authority.admission.hits == {Action.HANDSHAKE: 1}


async def test_a_request_without_tls_reads_what_to_do(tmp_path: Path) -> None:
    pair = make_pair(tmp_path)
    async with serving(tmp_path, **pair.settings) as server:
        place = f"localhost:{port_of(server)}"
        async with plain_client(f"http://{place}") as http:
            page = await http.get("/room/abc?x=1", headers={"host": "evil.example"})
            assert page.status_code == 308
            assert page.headers["location"] == f"https://{place}/room/abc"
            assert page.headers["x-content-type-options"] == "nosniff"
            sent = await http.post("/api/values", json={})
            assert sent.status_code == 426
            assert sent.text.startswith("This server encrypts all connections;")
        reader, writer = await asyncio.open_connection("localhost", port_of(server))
        writer.write(b"\0rubbish")
        async with asyncio.timeout(10):
            assert (await reader.read()).startswith(b"HTTP/1.1 426 ")
        writer.close()


async def test_a_handshake_may_come_in_pieces(tmp_path: Path) -> None:
    pair = make_pair(tmp_path)
    async with serving(tmp_path, **pair.settings) as server:
        reader, writer = await asyncio.open_connection("localhost", port_of(server))
        arriving, leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = pair.trusted().wrap_bio(arriving, leaving, server_hostname="localhost")
        async with asyncio.timeout(10):
            for _ in range(3):
                with contextlib.suppress(ssl.SSLWantReadError):
                    tls.do_handshake()
                    break
                hello = leaving.read()
                for start in range(0, len(hello), 100):
                    writer.write(hello[start : start + 100])
                    await asyncio.sleep(0)
                arriving.write(await reader.read(65536))
            # What comes together with the end of the handshake is not lost.
            tls.write(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            writer.write(leaving.read())
            while True:
                arriving.write(await reader.read(65536))
                with contextlib.suppress(ssl.SSLWantReadError):
                    assert tls.read(100).startswith(b"HTTP/1.1 200 OK")
                    break
        writer.close()


async def test_a_server_that_stops_waits_for_no_client_that_does_not_close(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(protocol, "LAST_ANSWER_S", 0.01)
    pair = make_pair(tmp_path)
    async with serving(tmp_path, **pair.settings) as server:
        _, writer = await asyncio.open_connection(
            "localhost", port_of(server), ssl=pair.trusted(), family=socket.AF_INET
        )
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(request("/api/rooms", **{"Transfer-Encoding": "chunked"}) + b"1\r\n")
        await until(lambda: any(each.transport.is_closing() for each in held(server)))
    assert caplog.text == ""
    writer.transport.abort()


async def test_a_server_that_stops_ends_handshakes(tmp_path: Path) -> None:
    pair = make_pair(tmp_path)
    async with serving(tmp_path, **pair.settings) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(server))
    async with asyncio.timeout(10):
        assert await reader.read() == b""
    writer.close()
