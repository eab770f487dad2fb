"""HTTP connections under strain: floods of requests, slow readers, and the end of the server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.http import protocol
from doublecross.server.shell.http.protocol import GatedHttp
from doublecross.server.shell.web import app
from tests.protocol.wire import serving
from tests.server.shell.page.wiring import Wire, request, write_page
from tests.server.shell.test_wire_abuse import until

NO_LIMITS = {"exempt_addresses": "10.0.0.0/8"}
"""Settings with which the limits hold for this machine too."""
LARGE = 12_000_000


def held(server: DoublecrossServer) -> list[GatedHttp]:
    """Return the open HTTP connections of a server."""
    assert server.front.server is not None
    connections: list[Any] = list(server.front.server._uvicorn.server_state.connections)
    return connections


async def slow_reader(server: DoublecrossServer, answers: int = 3) -> Wire:
    """Open a connection that asks for large files and reads nothing of them."""
    before = set(held(server))
    wire = await Wire.open(server)
    wire.writer.transport.pause_reading()  # type: ignore[attr-defined]
    wire.send(request(f"/web/{server.front.place()[1]}/large.png") * answers)
    await until(lambda: any(c.transport.get_write_buffer_size() for c in {*held(server)} - before))
    return wire


def large_page(folder: Path) -> Path:
    """Write a page with a large file."""
    write_page(folder)
    (folder / "large.png").write_bytes(bytes(LARGE))
    return folder


@pytest.mark.parametrize("end", [{}, {"Connection": "close"}])
async def test_an_address_may_have_only_so_many_unread_answers(
    tmp_path: Path, end: dict[str, str]
) -> None:
    limits = {"unread_kib_per_address": LARGE // 1000, **NO_LIMITS}
    async with serving(tmp_path, page=large_page(tmp_path / "page"), **limits) as server:
        first = await slow_reader(server, 1)
        second = await Wire.open(server)
        second.send(request(f"/web/{server.front.place()[1]}/large.png", **end))
        await until(lambda: server.figures.limit_hits()["http_unread_per_address"])
        await until(lambda: len(held(server)) == 1)
        for wire in (first, second):
            wire.close()


async def test_a_flood_of_odd_requests_waits_in_the_sockets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path) as server:
        stored = asyncio.Event()
        games = server.authority.store.games

        async def slow_games(*args: Any, **options: Any) -> Any:
            await stored.wait()
            return await games(*args, **options)

        monkeypatch.setattr(server.authority.store, "games", slow_games)
        wire = await Wire.open(server)
        wire.send(request("/api/games", Expect="nothing") * 3)  # uvicorn reads all of these
        await until(lambda: held(server) and held(server)[0].flow.read_paused)
        (connection,) = held(server)
        assert not connection.transport.is_reading()
        stored.set()
        assert (await wire.answer()).status == 200
        wire.close()  # the connection has ended, because nobody knows where an odd request ends
        await until(lambda: not held(server))


ODD = {
    "another protocol": request("/api/rooms", Connection="upgrade", Upgrade="h2c"),
    "no HTTP after it": request("/api/rooms", Expect="nothing") + b"\0\r\n\r\n",
    "a broken body": request("/api/rooms", **{"Transfer-Encoding": "chunked"}) + b"ZZ\r\n",
    "the same of HEAD": request("/api/rooms", "HEAD", **{"Transfer-Encoding": "chunked"})
    + b"Z\r\n",
}


@pytest.mark.parametrize("sent", ODD.values(), ids=ODD)
async def test_odd_requests_leave_no_line_in_the_log(
    tmp_path: Path, sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path) as server:
        wire = await Wire.open(server)
        wire.send(sent)
        assert (await wire.answer()).status in (200, 400)
        wire.close()
        await until(lambda: not held(server))
    assert caplog.text == ""


async def test_a_request_that_breaks_off_in_its_answer_leaves_no_line_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun, broken = asyncio.Event(), asyncio.Event()

    async def slow(scope: Any, _: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        begun.set()
        await broken.wait()
        await send({"type": "http.response.body", "body": b"whole"})

    monkeypatch.setattr(app, "SafeHeaders", lambda _: slow)
    async with serving(tmp_path) as server:
        wire = await Wire.open(server)
        wire.send(request("/api/rooms", **{"Transfer-Encoding": "chunked"}))
        await begun.wait()
        wire.send(b"ZZ\r\n")
        await until(lambda: not held(server))
        broken.set()
        wire.close()
    assert caplog.text == ""


@pytest.mark.parametrize(
    "limit", [{"http_connections_per_address": 2}, {"http_connections": 2}], ids=lambda x: str(x)
)
async def test_a_reader_of_an_answer_does_not_give_way(
    tmp_path: Path, limit: dict[str, int]
) -> None:
    page = large_page(tmp_path / "page")
    async with serving(tmp_path, page=page, **limit, **NO_LIMITS) as server:
        slow = await slow_reader(server, answers=1)
        idle = await Wire.open(server)
        idle.send(request())
        assert (await idle.answer()).status == 200
        new = await Wire.open(server)
        new.send(request())
        assert (await new.answer()).status == 200
        assert await idle.ended() == b""
        slow.writer.transport.resume_reading()  # type: ignore[attr-defined]
        assert len((await slow.answer()).body) == LARGE
        slow.close()
        new.close()


async def test_readers_who_take_nothing_give_way_when_all_do(tmp_path: Path) -> None:
    page = large_page(tmp_path / "page")
    async with serving(tmp_path, page=page, http_connections=1) as server:
        slow = await slow_reader(server, answers=1)
        new = await Wire.open(server)
        new.send(request())
        assert (await new.answer()).status == 200
        slow.close()
        new.close()


async def test_slow_readers_do_not_outlive_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "LAST_ANSWER_S", 0.01)
    async with serving(tmp_path, page=large_page(tmp_path / "page")) as server:
        slow = await slow_reader(server)
        gate = server.front.http
    await until(lambda: gate.count == 0)
    slow.close()
