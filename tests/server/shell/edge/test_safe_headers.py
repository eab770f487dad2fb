"""Every answer has the headers that protect people: pages, data, errors and refused handshakes."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.page.reply import HSTS, SAFE
from tests.protocol.wire import serving
from tests.server.shell.page.wiring import BROWSER, UPGRADE, Answer, Wire, request, write_page

BAD_KEY = {**UPGRADE, "Sec_WebSocket_Key": "short"}
OTHER_SITE = {**UPGRADE, "Origin": "https://evil.example"}
ANSWERS: list[tuple[bytes, int]] = [
    (request("/", **BROWSER), 200),
    (request("/nothing/here", **BROWSER), 404),
    (request("/web/nothing.js"), 404),
    (request("/socket"), 404),
    (request("/", method="DELETE"), 405),
    (request("/health"), 200),
    (request("/ready"), 200),
    (request("/metrics"), 200),
    (request("/metrics", X_Forwarded_For="192.0.2.1"), 403),
    (request("/api/rooms"), 200),
    (request("/api/rooms", method="HEAD"), 200),
    (request("/api/games/x"), 404),
    (request("/api/games/x/picture"), 404),
    (request("/api/nothing"), 404),
    (request("/api/rooms?x=1"), 400),
    (request("/api/rooms", method="PATCH"), 405),
    (request("/api/rooms", Content_Length="5"), 413),
    (request("/api/values", method="POST"), 415),
    (request("/api/rooms", method="POST", Origin="https://evil.example"), 403),
    (request("/api/rooms", method="OPTIONS", Access_Control_Request_Method="GET"), 204),
    (request("/api/openapi.json", Origin="https://evil.example"), 200),
    (b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 426),
    (request("/socket", **BAD_KEY), 400),
    (request("/socket", **OTHER_SITE), 403),
    (request("/socket", Upgrade="websocket"), 426),
    (request("/socket", Upgrade="websocket", X="y" * 9000), 431),
]
"""First requests of a connection, and the statuses of their answers."""


async def ask(server: DoublecrossServer, data: bytes) -> Answer:
    wire = await Wire.open(server, server.addresses.local)
    wire.send(data)
    answer = await wire.answer(headless=data.startswith(b"HEAD"))
    wire.close()
    return answer


def check(headers: Mapping[str, str], https: bool) -> None:
    assert SAFE.items() <= headers.items()
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers.get(HSTS[0]) == (HSTS[1] if https else None)
    assert "server" not in headers


@pytest.mark.parametrize("https", [False, True])
async def test_every_answer_is_safe(tmp_path: Path, https: bool) -> None:
    more: dict[str, Any] = {"public_http": "https://games.example.org"} if https else {}
    async with serving(tmp_path, page=write_page(tmp_path / "page"), **more) as server:
        found = []
        for data, _ in ANSWERS:
            answer = await ask(server, data)
            check(answer.headers, https)
            found.append((data, answer.status))
        assert found == ANSWERS
        known = (await ask(server, ANSWERS[0][0])).headers["etag"]
        same = await ask(server, request("/", If_None_Match=known))
        assert same.status == 304
        check(same.headers, https)


async def test_every_refusal_by_a_limit_is_safe(tmp_path: Path) -> None:
    page = write_page(tmp_path / "page")
    nobody_exempt = {"exempt_addresses": "", "public_http": "https://games.example.org"}
    upgrade = request("/socket", **UPGRADE)
    for limit, data, status in [
        ("new_connections_per_minute", upgrade, 429),
        ("connections_per_address", upgrade, 429),
        ("max_connections", upgrade, 503),
        ("pages_per_minute", request("/api/rooms"), 429),
        ("files_per_minute", request("/"), 429),
        ("http_connections_per_address", request("/"), 429),
    ]:
        more: dict[str, Any] = {**nobody_exempt, limit: 1}
        async with (
            serving(tmp_path, page=page, **more) as server,
            contextlib.AsyncExitStack() as stack,
        ):
            first = await Wire.open(server)
            stack.callback(first.close)
            # A connection that has begun a request gives way to nobody.
            busy = limit.startswith("http_")
            first.send(request("/") + b"GET " if busy else data)
            await first.answer()
            answer = await ask(server, data)
            assert (limit, answer.status) == (limit, status)
            check(answer.headers, https=True)
            assert int(answer.headers["retry-after"]) > 0
