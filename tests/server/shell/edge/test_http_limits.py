"""Attacks on the HTTP side: idle and slow sockets, bodies, many connections, costly pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from doublecross.server.shell.addresses.admission import Admission
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.http.gate import MOST_BODIES, HttpGate
from doublecross.server.shell.settings import ServerSettings
from doublecross.server.shell.web import limits
from doublecross.server.shell.web.limits import PageLimits
from tests.protocol.wire import WireClient, serving
from tests.server.shell.test_http import SMALL, Reader

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
REQUEST = b"GET /api/rooms HTTP/1.1\r\nHost: x\r\n"


async def dial(server: Any) -> Streams:
    host, port = server.addresses.http.removeprefix("http://").split(":")
    return await asyncio.open_connection(host, int(port))


async def ended(streams: Streams) -> bytes:
    """All bytes until the server closes the connection."""
    try:
        async with asyncio.timeout(5):
            return await streams[0].read()
    except ConnectionError:
        return b""
    finally:
        streams[1].close()


async def test_a_thousand_idle_sockets_do_not_block_the_pages(tmp_path: Path) -> None:
    async with serving(tmp_path, http_connections=100) as server, Reader(server) as http:
        idle = [await dial(server) for _ in range(1000)]
        assert await http.get("/api/rooms") == {"rooms": [], "total": 0}
        assert (await http.get("/health"))["status"] == "ok"
        for _, writer in idle:
            writer.close()


async def test_a_request_that_is_not_complete_in_time_ends_its_connection(tmp_path: Path) -> None:
    async with serving(tmp_path, http_port=0, http_request_s=0.05) as server:
        for sent in (b"", b"GET /api/rooms HT", REQUEST, REQUEST + b"Content-Length: 5\r\n\r\n"):
            streams = await dial(server)
            streams[1].write(sent)
            assert b"200 OK" not in await ended(streams), sent


@pytest.mark.parametrize(
    "head", [b"GET / HTTP/1.1\n", REQUEST + b"X: y\n", b"GET / HTTP/1.1\nHost: x\n\n"]
)
async def test_a_line_that_ends_with_lf_alone_is_refused_at_once(
    tmp_path: Path, head: bytes
) -> None:
    async with serving(tmp_path, http_port=0) as server:
        streams = await dial(server)
        streams[1].write(head)
        assert (await ended(streams)).startswith(b"HTTP/1.1 400 ")


async def test_an_odd_request_does_not_spoil_those_after_it(tmp_path: Path) -> None:
    odd_ones = (
        b"M-SEARCH / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0, 0\r\n\r\n",
        b"get / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 17_000 + b"\r\n\r\n",
    )
    health, page = (b"GET %b HTTP/1.1\r\nHost: a\r\n\r\n" % path for path in (b"/health", b"/"))
    async with serving(tmp_path) as server:
        for odd in odd_ones:
            streams = await dial(server)
            streams[1].write(health)
            async with asyncio.timeout(5):
                await streams[0].readuntil(b"}")
            streams[1].write(odd + page)
            rest = await ended(streams)
            # It closes, so a proxy or a browser sends the next request on another connection.
            assert rest.count(b"HTTP/1.1 ") == 1, odd
            assert b"connection: close\r\n" in rest.lower(), odd


UNFINISHED = (
    b"POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
    b"Content-Type: application/json\r\n"
)


async def test_unfinished_bodies_give_way_to_new_connections(tmp_path: Path) -> None:
    async with serving(tmp_path, http_connections=8) as server, Reader(server) as http:
        held = [await dial(server) for _ in range(24)]
        for _, writer in held:
            writer.write(UNFINISHED + b"\r\n")
        assert (await http.get("/health"))["status"] == "ok"
        assert await http.get("/api/rooms") == {"rooms": [], "total": 0}
        for _, writer in held:
            writer.close()


async def test_a_visitor_behind_a_proxy_has_few_unfinished_bodies(tmp_path: Path) -> None:
    async with serving(tmp_path, trusted_proxy="127.0.0.1") as server:
        one = UNFINISHED + b"X-Forwarded-For: 192.0.2.1\r\n\r\n"
        held = [await dial(server) for _ in range(MOST_BODIES)]
        for _, writer in held:
            writer.write(one)
        more = await dial(server)
        more[1].write(one)
        assert b"429" in (await ended(more)).splitlines()[0]
        another = await dial(server)
        another[1].write(UNFINISHED + b"X-Forwarded-For: 192.0.2.2\r\n\r\nx")
        another[1].write(b"xxxx")
        assert b"429" not in (await ended(another)).splitlines()[0]
        held[0][1].write(b"xxxxx")
        assert b"429" not in (await ended(held[0])).splitlines()[0]
        for _, writer in held:
            writer.close()


async def test_health_has_connections_when_all_others_are_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HttpGate, "make_room", lambda gate: gate.count <= 1)
    async with serving(tmp_path) as server:
        busy = await dial(server)
        busy[1].write(REQUEST + b"\r\n")
        async with asyncio.timeout(5):
            await busy[0].readuntil(b'"total":0}')
        other = await dial(server)
        other[1].write(REQUEST + b"\r\n")
        assert b"503" in (await ended(other)).splitlines()[0]
        health = await dial(server)
        health[1].write(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert b"200" in (await ended(health)).splitlines()[0]
        busy[1].close()


async def test_one_address_has_a_limited_number_of_connections(tmp_path: Path) -> None:
    limits = {"http_port": 0, "http_connections_per_address": 3, "exempt_addresses": ""}
    async with serving(tmp_path, **limits) as server:
        first = [await dial(server) for _ in range(3)]
        assert await ended(await dial(server)) == b""
        first[0][1].write(REQUEST + b"Connection: close\r\n\r\n")
        assert b"200 OK" in await ended(first[0])
        another = await dial(server)
        another[1].write(REQUEST + b"Connection: close\r\n\r\n")
        assert b"200 OK" in await ended(another)
        for _, writer in first[1:]:
            writer.close()


async def test_an_answer_is_never_older_than_a_change(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob")
        for n in range(3):
            made = await ann.ask({"type": "create_room", "settings": SMALL, "key": f"{n}"})
            assert (await http.get("/api/rooms"))["total"] == n + 1
            await bob.ask({"type": "join_room", "room": made["room"]})
            await bob.ask({"type": "resign", "room": made["room"]})
            assert len((await http.get("/api/games"))["games"]) == n + 1


# -- the middleware alone ----------------------------------------------------------------------


class Pages:
    """An application that counts its answers; `hold` makes them wait."""

    def __init__(self, now: Callable[[], float] = lambda: 0.0) -> None:
        self.made = 0
        self.version = 0
        self.free = asyncio.Event()
        self.free.set()
        admission = Admission(ServerSettings().addresses, now)
        self.limits = PageLimits(self.app, Sources(), admission, lambda: self.version, now)

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        self.made += 1
        body = str(self.made).encode()
        await self.free.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})

    async def get(self, path: str, host: str = "192.0.2.1", **more: Any) -> tuple[int, bytes]:
        sent: list[dict[str, Any]] = []

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": path, "query_string": b""}
        await self.limits({**scope, "headers": [], "client": (host, 1), **more}, None, send)  # type: ignore[arg-type]
        return sent[0]["status"], b"".join(m.get("body", b"") for m in sent)


async def test_an_answer_serves_all_who_ask_within_a_second() -> None:
    now = [0.0]
    pages = Pages(lambda: now[0])
    pages.free.clear()
    asking = [asyncio.ensure_future(pages.get("/api/games")) for _ in range(10)]
    await asyncio.sleep(0)
    pages.free.set()
    assert await asyncio.gather(*asking) == [(200, b"1")] * 10
    assert await pages.get("/api/rooms") == (200, b"2")
    assert await pages.get("/api/games", query_string=b"limit=1") == (200, b"3")
    now[0] = 1.0
    assert await pages.get("/api/games") == (200, b"1")
    now[0] = 1.5
    assert await pages.get("/api/games") == (200, b"4")
    pages.version += 1
    assert await pages.get("/api/games") == (200, b"5")
    assert await pages.get("/api/games", method="HEAD") == (200, b"")


async def test_few_pages_are_made_at_once_and_few_requests_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MOST_WAITING", 10)
    pages = Pages()
    pages.free.clear()
    asking = [
        asyncio.ensure_future(pages.get(f"/api/games/{n}", f"192.0.2.{n}")) for n in range(30)
    ]
    for _ in range(20):
        await asyncio.sleep(0)
    assert pages.made == limits.AT_ONCE
    assert sum(task.done() for task in asking) == 20
    pages.free.set()
    statuses = [status for status, _ in await asyncio.gather(*asking)]
    assert sorted(statuses) == [200] * 10 + [503] * 20
    assert (await pages.get("/api/games/1"))[0] == 200


async def test_a_question_to_the_adviser_takes_no_turn_of_pages() -> None:
    pages = Pages()
    pages.free.clear()
    asking = [
        asyncio.ensure_future(pages.get("/api/policy", query_string=b"moves=%d" % n))
        for n in range(limits.AT_ONCE)
    ]
    await asyncio.sleep(0)
    other = asyncio.ensure_future(pages.get("/api/rooms"))
    for _ in range(3):
        await asyncio.sleep(0)
    assert pages.made == limits.AT_ONCE + 1
    pages.free.set()
    await asyncio.gather(*asking, other)


async def test_a_request_that_gets_no_turn_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = Pages()
    pages.free.clear()
    made = [asyncio.ensure_future(pages.get(f"/api/games/{n}")) for n in range(limits.AT_ONCE)]
    await asyncio.sleep(0)
    monkeypatch.setattr(limits, "TURN_S", 0.0)
    async with asyncio.timeout(5):
        late = await asyncio.gather(*(pages.get("/api/rooms") for _ in range(2)))
    assert [status for status, _ in late] == [503, 503]
    assert pages.made == limits.AT_ONCE
    pages.free.set()
    assert [status for status, _ in await asyncio.gather(*made)] == [200] * limits.AT_ONCE
    assert (await pages.get("/api/rooms"))[0] == 200


async def test_after_a_failed_answer_the_next_one_is_made_anew() -> None:
    pages = Pages()

    async def fail(scope: Any, receive: Any, send: Any) -> None:
        pages.limits._app = pages.app
        await asyncio.sleep(0)
        raise RuntimeError("a bug")

    pages.limits._app = fail
    first = asyncio.ensure_future(pages.get("/api/games"))
    await asyncio.sleep(0)
    second = asyncio.ensure_future(pages.get("/api/games"))
    with pytest.raises(RuntimeError, match="a bug"):
        await first
    assert await second == (200, b"1")
