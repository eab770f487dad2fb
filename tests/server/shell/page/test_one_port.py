"""One port for websockets and HTTP: the first request decides, and no limit of either is lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from doublecross.processes.ports import free_port
from doublecross.protocol.codec import MsgpackCodec
from doublecross.server.shell.addresses import first_request
from doublecross.server.shell.addresses.heads import MAX_HEAD
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.http import protocol
from tests.protocol.wire import WireClient, serving
from tests.server.shell.page.wiring import (
    BROWSER,
    UPGRADE,
    Answer,
    Wire,
    get,
    request,
    write_page,
)
from tests.server.shell.test_wire_abuse import until

NO_LIMITS = {"exempt_addresses": "10.0.0.0/8"}
"""Settings with which the limits hold for this machine too."""


async def test_both_kinds_of_clients_use_one_address(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        assert server.addresses.http.partition("://")[2] == server.addresses.ws.partition("://")[2]
        assert server.addresses.share == (server.addresses.http,)
        ann = await WireClient.player(server, "Ann")
        assert ann.received[0]["http"] == server.addresses.http
        assert (await get(server)).status == 200
        assert json.loads((await get(server, "/health")).text)["status"] == "ok"
        assert (await ann.ask({"type": "ping"}))["type"] == "pong"


async def test_heads_arrive_in_pieces(tmp_path: Path) -> None:
    requests = (
        (request("/", **BROWSER), 200),
        (request("/api/rooms"), 200),
        (request("/socket", **UPGRADE), 101),
    )
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        for step, (data, expected) in product((1, 7, 33), requests):
            wire = await Wire.open(server)
            for at in range(0, len(data), step):
                wire.send(data[at : at + step])
                await wire.writer.drain()
                await asyncio.sleep(0)
            assert (await wire.answer()).status == expected
            wire.close()


async def test_requests_that_arrive_together_are_answered_in_turn(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        wire = await Wire.open(server)
        paths = ["/", "/api/rooms", "/ratings", "/api/rooms", "/api/x", "/nothing", "/health", "/"]
        wire.send(b"".join(request(path) for path in paths) * 2)
        kinds = [(await wire.answer()).headers["content-type"][:9] for _ in paths * 2]
        html = {"/", "/ratings"}
        assert kinds == ["text/html" if path in html else "applicati" for path in paths * 2]
        wire.send(request("/rules"))  # later, on the same connection
        assert (await wire.answer()).status == 200
        wire.send(request("/api/rooms", Connection="close"))
        assert (await wire.answer()).status == 200
        assert await wire.ended() == b""


async def test_a_connection_closes_when_it_is_asked_to(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        for data in (request(Connection="close"), b"GET / HTTP/1.0\r\nHost: x\r\n\r\n"):
            wire = await Wire.open(server)
            wire.send(data)
            answer = await wire.answer()
            assert (answer.status, answer.headers["connection"]) == (200, "close")
            assert await wire.ended() == b""


async def test_a_websocket_may_follow_requests_as_behind_a_proxy(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        for before in ("/", "/api/rooms"):
            wire = await Wire.open(server)
            wire.send(request(before))
            assert (await wire.answer()).status == 200
            wire.send(request("/socket", **UPGRADE))
            answer = await wire.answer()
            assert answer.status == 101
            assert answer.headers["sec-websocket-protocol"] == "doublecross.v1.json"
            await until(lambda: server.connections.peers)
            assert server.front.gate is not None
            assert server.front.gate.admitted == 1
            wire.close()
            await until(lambda: not server.connections.peers)


async def test_a_websocket_during_an_answer_waits_for_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        wire = await Wire.open(server)
        wire.send(request("/api/rooms") + request("/socket", **UPGRADE))
        assert (await wire.answer()).status == 200
        assert (await wire.answer()).status == 101
        wire.close()


async def test_a_plain_request_for_the_socket_is_told_what_to_do(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        assert "websockets of players" in (await get(server, "/socket")).text


async def test_what_is_no_plain_request_gets_the_answer_of_the_websocket_library(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        for sent, status in (
            (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n", b""),
            (b"HELLO\r\n\r\n", b""),
            (b"GET / HTTP/1.1\nHost: x\n\n", b""),
            (b"GET / HTTP/2.0\r\n\r\n", b""),
            (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * MAX_HEAD, b"431"),
            (b"GET /" + b"y" * MAX_HEAD + b" HTTP/1.1\r\n", b"414"),
            (b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n", b"426"),
            (b"GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n", b""),
        ):
            wire = await Wire.open(server)
            wire.send(sent)
            first, *_ = (await wire.ended()).splitlines() or [b""]
            assert status in first, sent
            assert bool(first) == bool(status), sent


async def test_a_body_is_refused_before_it_is_read(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        for more in ({"Content_Length": 10**8}, {"Transfer_Encoding": "chunked"}):
            wire = await Wire.open(server)
            wire.send(request("/", "POST", **more) + b"x" * 1000)
            assert b"413" in (await wire.ended()).splitlines()[0]


# -- limits ------------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", [b"", b"G", b"GET / HTTP/1.1\r\n", request()[:-1]])
async def test_a_first_request_that_is_not_complete_in_time_ends_its_connection(
    tmp_path: Path, sent: bytes
) -> None:
    async with serving(tmp_path, hello_s=0.05) as server:
        wire = await Wire.open(server)
        wire.send(sent)
        assert await wire.ended() == b""
        assert server.front.gate is not None
        await until(lambda: not server.front.gate.undecided)  # type: ignore[union-attr]


async def test_idle_requests_end_after_their_time(tmp_path: Path) -> None:
    page = write_page(tmp_path / "page")
    async with serving(tmp_path, page=page, http_request_s=0.05) as server:
        wire = await Wire.open(server)
        wire.send(request())
        assert (await wire.answer()).status == 200
        wire.send(b"G")
        assert await wire.ended() == b""


async def test_undecided_connections_count_as_websockets_of_their_address(tmp_path: Path) -> None:
    limits = {"connections_per_address": 3, "hello_s": 30, **NO_LIMITS}
    async with serving(tmp_path, page=write_page(tmp_path / "page"), **limits) as server:
        waiting = [await Wire.open(server) for _ in range(3)]
        gate = server.front.gate
        assert gate is not None
        await until(lambda: len(gate.undecided) == 3)
        with pytest.raises(InvalidStatus) as refused:
            await WireClient.open(server, MsgpackCodec())
        assert refused.value.response.status_code == 429
        # One that has become HTTP leaves its place to a websocket.
        waiting[0].send(request())
        assert (await waiting[0].answer()).status == 200
        await until(lambda: len(gate.undecided) == 2)
        ann = await WireClient.player(server, "Ann")
        await ann.close()
        for wire in waiting:
            wire.close()
        await until(lambda: not gate.open._open)


async def test_one_too_many_undecided_connections_end_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_request, "LINGER_S", 0.01)
    async with serving(tmp_path, connections_per_address=1, **NO_LIMITS) as server:
        first = await Wire.open(server)
        await until(lambda: server.front.gate and server.front.gate.undecided)
        assert await (await Wire.open(server)).ended() == b""
        first.close()


async def test_too_many_http_connections_of_one_address_get_a_page(tmp_path: Path) -> None:
    limits = {"http_connections_per_address": 2, **NO_LIMITS}
    async with serving(tmp_path, page=write_page(tmp_path / "page"), **limits) as server:
        two = [await Wire.open(server) for _ in range(2)]
        for wire in two:
            wire.send(request() + b"GET")  # and a part of another request
            await wire.answer()
        wire = await Wire.open(server)
        wire.send(request(**BROWSER))
        answer = await wire.answer()
        assert (answer.status, answer.headers["retry-after"]) == (429, "5")
        assert protocol.MANY in answer.text
        assert "<style>" in answer.text
        assert await wire.ended() == b""
        two[0].close()
        await until(lambda: sum(server.front.http.open._open.values()) == 1)
        assert (await get(server)).status == 200
        two[1].close()


async def test_idle_connections_of_an_address_give_way_to_its_new_ones(tmp_path: Path) -> None:
    limits = {"http_connections_per_address": 2, **NO_LIMITS}
    async with serving(tmp_path, page=write_page(tmp_path / "page"), **limits) as server:
        wires = []
        for _ in range(5):
            wires.append(await Wire.open(server))
            wires[-1].send(request())
            assert (await wires[-1].answer()).status == 200
        assert [await wire.ended() for wire in wires[:3]] == [b""] * 3
        for wire in wires[3:]:
            wire.send(request("/api/rooms"))
            assert (await wire.answer()).status == 200
            wire.close()


async def test_idle_http_connections_give_way_and_websockets_stay(tmp_path: Path) -> None:
    page = write_page(tmp_path / "page")
    async with serving(tmp_path, page=page, http_connections=2) as server:
        ann = await WireClient.player(server, "Ann")
        wires = []
        for _ in range(5):
            wires.append(await Wire.open(server))
            wires[-1].send(request())
            assert (await wires[-1].answer()).status == 200
        assert [await wire.ended() for wire in wires[:3]] == [b""] * 3
        wires[4].send(request())
        assert (await wires[4].answer()).status == 200
        assert (await ann.ask({"type": "ping"}))["type"] == "pong"
        await ann.close()
        for wire in wires:
            wire.close()


async def test_floods_of_files_are_refused_and_the_api_keeps_its_own_limit(tmp_path: Path) -> None:
    limits = {"files_per_minute": 5, "pages_per_minute": 2, **NO_LIMITS}
    async with serving(tmp_path, page=write_page(tmp_path / "page"), **limits) as server:
        assert [(await get(server)).status for _ in range(6)] == [200] * 5 + [429]
        shown: Answer = await get(server, "/ratings", **BROWSER)
        assert shown.status == 429
        assert int(shown.headers["retry-after"]) >= 1
        assert "Too many requests come from your address" in shown.text
        assert [(await get(server, "/api/rooms")).status for _ in range(3)] == [200, 200, 429]


async def test_the_source_of_a_visitor_behind_a_proxy_is_in_the_request(tmp_path: Path) -> None:
    limits = {"files_per_minute": 1, "trusted_proxy": "127.0.0.1", **NO_LIMITS}
    async with serving(tmp_path, page=write_page(tmp_path / "page"), **limits) as server:
        found = [
            (await get(server, x_forwarded_for=address)).status
            for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2")
        ]
        assert found == [200, 429, 200]


async def test_a_reader_that_takes_nothing_stops_further_answers(tmp_path: Path) -> None:
    large = {"large.png": "x" * 3_000_000}
    page = write_page(tmp_path / "page", **large)
    async with serving(tmp_path, page=page, http_request_s=0.05) as server:
        path = f"/web/{server.front.place()[1]}/large.png"
        wire = await Wire.open(server)
        wire.writer.transport.pause_reading()  # type: ignore[attr-defined]
        wire.send(request(path) * 100)
        await until(lambda: server.front.http.count == 1)
        (connection,) = await _held(server)
        await until(lambda: connection.transport.get_write_buffer_size() > 0)
        assert connection.transport.get_write_buffer_size() < 2 * 3_100_000
        wire.writer.transport.resume_reading()  # type: ignore[attr-defined]
        for _ in range(3):  # a slow reader is no idle one
            assert len((await wire.answer()).body) == 3_000_000
        wire.close()


async def _held(server: DoublecrossServer) -> list[Any]:
    assert server.front.server is not None
    return list(server.front.server._uvicorn.server_state.connections)


async def test_connections_of_every_kind_end_with_the_server(tmp_path: Path) -> None:
    async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
        silent, http = await Wire.open(server), await Wire.open(server)
        http.send(request())
        await http.answer()
        await until(lambda: server.front.gate and server.front.gate.undecided)
        gate = server.front.gate
    assert (await silent.ended(), await http.ended()) == (b"", b"")
    assert gate is not None
    assert not gate.undecided


async def test_a_separate_port_for_http_takes_websockets_of_the_page_too(tmp_path: Path) -> None:
    page = write_page(tmp_path / "page")
    async with serving(tmp_path, page=page, http_port=0) as server:
        assert server.addresses.http.partition(":")[2] != server.addresses.ws.partition(":")[2]
        assert (await get(server)).status == 200
        wire = await Wire.open(server)
        wire.send(request("/socket", **UPGRADE))
        assert (await wire.answer()).status == 101
        wire.close()
        games = await Wire.open(server, server.addresses.ws)
        games.send(request())
        assert b"426" in (await games.ended()).splitlines()[0]


async def test_the_same_port_for_both_is_one_port(tmp_path: Path) -> None:
    port = free_port()
    async with serving(tmp_path, port=port, http_port=port) as server:
        assert server.addresses.http == f"http://127.0.0.1:{port}"
        assert len(server.front.listening) == 1


async def test_the_address_of_a_proxy_is_the_one_to_open(tmp_path: Path) -> None:
    public = "https://games.example.org"
    async with serving(tmp_path, public_http=public) as server:
        assert server.addresses.share == (public,)
        ann = await WireClient.player(server, "Ann")
        assert ann.received[0]["http"] == public


async def test_it_works_on_uvloop_too(tmp_path: Path) -> None:
    uvloop = pytest.importorskip("uvloop")

    async def visit() -> None:
        async with serving(tmp_path, page=write_page(tmp_path / "page")) as server:
            assert (await get(server)).status == 200
            assert (await get(server, "/api/rooms")).status == 200
            ws = await connect(server.addresses.ws, subprotocols=["doublecross.v1.json"])  # type: ignore[list-item]
            await ws.close()

    run: Callable[[], None] = lambda: asyncio.Runner(  # noqa: E731
        loop_factory=uvloop.new_event_loop
    ).run(visit())
    await asyncio.to_thread(run)
