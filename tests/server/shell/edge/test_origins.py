"""Which pages in browsers may use a server: the rule, handshakes and requests over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin as OriginHeader
from websockets.typing import Subprotocol

from doublecross.protocol.codec import JsonCodec
from doublecross.server.shell.addresses.origins import MOST_LOGGED, Origin, Origins, origins_of
from doublecross.server.shell.addresses.sources import Sources, networks
from doublecross.server.shell.app import DoublecrossServer
from tests.protocol.wire import WireClient, serving
from tests.server.shell.page.wiring import UPGRADE, Wire, request
from tests.server.shell.test_http import Reader

PROXY = "127.0.0.1"
PUBLIC = "https://games.example.org"


def rule(allowed: str = "", public: str | None = None, *, tls: bool = False) -> Origins:
    return Origins(Sources(networks(PROXY)), allowed, public, tls=tls)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://Games.example.org", ("https", "games.example.org", 443)),
        ("http://games.example.org:80", ("http", "games.example.org", 80)),
        ("https://[2001:DB8::1]:8443", ("https", "[2001:db8::1]", 8443)),
        ("https://[2001:db8::1]", ("https", "[2001:db8::1]", 443)),
        ("http://127.0.0.1:8765/", ("http", "127.0.0.1", 8765)),
        ("null", None),
        ("", None),
        ("file://", None),
        ("https://", None),
        ("https://a b", None),
        ("https://a:b", None),
        ("https://a.example, https://b.example", None),
        ("https://user@a.example", None),
        ("chrome-extension://abcdef", None),
    ],
)
def test_an_origin_is_a_scheme_a_host_and_a_port(
    text: str, found: tuple[str, str, int] | None
) -> None:
    assert Origin.read(text) == found


def test_the_setting_names_origins() -> None:
    assert len(origins_of("https://a.example, http://localhost:8000 ,*,")) == 2
    for wrong in ("a.example", "https://a.example/play", "null", "https://*.example.org"):
        with pytest.raises(ValueError, match="is no origin; write it like"):
            origins_of(wrong)


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        (None, "x", True),  # a program
        ("http://192.168.1.5:8765", "192.168.1.5:8765", True),
        ("http://games.example.org", "games.example.org", True),
        ("https://games.example.org", "GAMES.example.org", True),  # a proxy has decrypted it
        ("https://games.example.org", "games.example.org:443", True),
        ("https://[::1]:8765", "[::1]:8765", True),
        ("https://games.example.org:8443", "games.example.org", False),
        ("http://games.example.org:8000", "games.example.org:8765", False),
        ("https://evil.example", "games.example.org", False),
        ("https://games.example.org.evil.example", "games.example.org", False),
        ("null", "games.example.org", False),
        ("null", "null", False),
        ("", "", False),
        ("https://a.example, https://games.example.org", "games.example.org", False),
    ],
)
def test_pages_of_the_host_that_they_ask_are_its_own(
    origin: str | None, host: str, allowed: bool
) -> None:
    assert rule().allows(origin, host, "192.0.2.1") is allowed
    assert rule("*").allows(origin, host, "192.0.2.1")


def test_behind_a_proxy_the_public_address_counts() -> None:
    inner = "127.0.0.1:8765"
    assert not rule().allows(PUBLIC, inner, PROXY)
    assert rule(public=PUBLIC + "/").allows(PUBLIC, inner, PROXY)
    assert rule().allows(PUBLIC, inner, PROXY, "games.example.org")
    # Anybody can write this header; only a proxy is believed, and only its own part.
    assert not rule().allows(PUBLIC, inner, "192.0.2.1", "games.example.org")
    assert not rule().allows(
        "https://evil.example", inner, PROXY, "evil.example, games.example.org"
    )


def test_where_people_use_https_a_page_without_it_is_foreign() -> None:
    plain = "http://games.example.org"
    assert not rule(public=PUBLIC).allows(plain, "games.example.org", PROXY)
    assert not rule(tls=True).allows(plain, "games.example.org", "192.0.2.1")
    assert rule(tls=True).allows("https://h:8765", "h:8765", "192.0.2.1")
    # The same server may have another address in its own network.
    assert rule(public=PUBLIC).allows("http://10.0.0.5:8765", "10.0.0.5:8765", "10.0.0.9")


def test_each_origin_is_logged_once_and_not_endlessly() -> None:
    origins = rule("https://friend.example")
    with capture_logs() as lines:
        for number in [*range(MOST_LOGGED + 50), 1, 2]:
            assert not origins.allows(f"https://{number}.example", "h", "192.0.2.1")
        assert origins.allows("https://friend.example", "h", "192.0.2.1")
    assert len(lines) == MOST_LOGGED
    assert lines[0]["event"] == "origin_refused"
    assert "allowed_origins" in lines[0]["what"]


async def handshake(server: DoublecrossServer, origin: str, **headers: str) -> WireClient:
    ws = await connect(
        server.addresses.ws,
        subprotocols=[Subprotocol(JsonCodec.name)],
        origin=OriginHeader(origin),
        additional_headers=headers,
        close_timeout=1,
    )
    return WireClient(ws, JsonCodec())


async def test_websockets_of_other_sites_are_refused(tmp_path: Path) -> None:
    friend = "https://friend.example"
    settings = {"allowed_origins": friend, "trusted_proxy": PROXY, "metrics": "all"}
    async with serving(tmp_path, **settings) as server, Reader(server) as http:
        for origin, more in [
            (server.addresses.http, {}),
            (friend, {}),
            (PUBLIC, {"X-Forwarded-Host": "games.example.org"}),
        ]:
            await (await handshake(server, origin, **more)).close()
        with pytest.raises(InvalidStatus) as caught:
            await handshake(server, "https://evil.example")
        answer = caught.value.response
        assert answer.status_code == 403
        assert answer.body is not None
        assert answer.body.startswith(b'{"error": "Pages of this site may not use this server;')
        assert 'limit_hits_total{limit="origin"} 1.0' in (await http.client.get("/metrics")).text
        # The same on a connection that has been used for HTTP, as browsers and proxies do.
        wire = await Wire.open(server)
        wire.send(request("/health"))
        assert (await wire.answer()).status == 200
        wire.send(request("/socket", **{**UPGRADE, "Origin": "https://evil.example"}))
        assert (await wire.answer()).status == 403
        wire.close()


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("GET", {}, 200),
        ("HEAD", {}, 200),
        ("GET", {"Authorization": "Bearer x"}, 403),
        ("POST", {}, 403),
        ("DELETE", {}, 403),
    ],
)
async def test_other_sites_may_only_read_what_is_public(
    tmp_path: Path, method: str, headers: dict[str, str], status: int
) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        own, other = server.addresses.http, "https://evil.example"
        ask: Any = http.client.request
        answer = await ask(method, "/api/rooms", headers={**headers, "Origin": other})
        assert answer.status_code == status
        if status == 403:
            assert answer.json()["code"] == "origin_not_allowed"
            assert "allowed_origins" in answer.json()["error"]
            assert "access-control-allow-origin" not in answer.headers
        else:
            assert answer.headers["access-control-allow-origin"] == "*"
        # The server's own pages, and programs, come as far as the address lets them.
        for origin in ({"Origin": own}, {}):
            answer = await ask(method, "/api/rooms", headers={**headers, **origin})
            assert answer.status_code == (405 if method in ("POST", "DELETE") else 200)
            shared = answer.headers.get("access-control-allow-origin")
            is_open = status == 200
            assert shared == ("*" if is_open else origin.get("Origin"))
            assert is_open or "Origin" in answer.headers["vary"]


async def test_a_browser_learns_beforehand_what_a_page_may_ask(tmp_path: Path) -> None:
    friend = "https://friend.example"
    async with serving(tmp_path, allowed_origins=friend) as server, Reader(server) as http:

        async def preflight(origin: str, method: str, wanted: str = "") -> Any:
            headers = {"Origin": origin, "Access-Control-Request-Method": method}
            if wanted:
                headers["Access-Control-Request-Headers"] = wanted
            return await http.client.options("/api/rooms", headers=headers)

        answer = await preflight(friend, "DELETE", "authorization, content-type")
        assert answer.status_code == 204
        assert answer.headers["access-control-allow-origin"] == friend
        assert "DELETE" in answer.headers["access-control-allow-methods"]
        assert "Authorization" in answer.headers["access-control-allow-headers"]
        evil = "https://evil.example"
        assert (await preflight(evil, "DELETE")).status_code == 403
        assert (await preflight(evil, "GET", "authorization")).status_code == 403
        answer = await preflight(evil, "GET", "content-type")
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["access-control-allow-methods"] == "GET, HEAD"
