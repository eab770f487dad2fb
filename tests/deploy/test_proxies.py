"""nginx and Caddy, with the configurations of `deploy/`, in front of a real server.

Debian's packages `nginx-light` and `caddy` have them; `make test` installs both if root runs it.
Without them the tests are skipped, or fail if DOUBLECROSS_NEED_PROXIES is set, as in .ci/run.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import ssl
from asyncio.subprocess import DEVNULL, STDOUT
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from doublecross.processes.ports import free_port
from doublecross.protocol.codec import JsonCodec
from tests.bots.running import until
from tests.cli.commands import ROOT
from tests.deploy import test_examples
from tests.fakes.certificates import Pair, make_pair
from tests.protocol.wire import Message, WireClient, serving
from tests.server.shell.page.wiring import write_page

HELLO: Message = {"type": "hello", "protocol": 2, "kind": "human"}
SMALL: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}
ANN, BOB = "127.0.0.2", "127.0.0.3"
"""The addresses that visitors come from; the proxy calls the server from 127.0.0.1."""

pytestmark = pytest.mark.processes


def program(name: str) -> str:
    packages = "apt-get install nginx-light caddy haproxy"
    return test_examples.program(name, "DOUBLECROSS_NEED_PROXIES", packages)


def changed(path: str, **others: str) -> str:
    """Return a configuration with other words in it, each of which must be there."""
    text = (ROOT / path).read_text()
    for word, other in others.items():
        assert word in text, word
        text = text.replace(word, other)
    return text


def nginx(folder: Path, pair: Pair, port: int, server: int) -> list[str]:
    return run_nginx(
        folder,
        pair,
        port,
        "deploy/nginx/doublecross.conf",
        {
            "127.0.0.1:8765": f"127.0.0.1:{server}",
            # As docs/hosting.md says for a server below a path.
            "proxy_read_timeout 120s;\n    }": "proxy_read_timeout 120s;\n    }\n"
            f"location /games/ {{ proxy_pass http://127.0.0.1:{server}/;"
            " proxy_http_version 1.1; proxy_set_header Host $http_host;"
            " proxy_set_header Upgrade $http_upgrade;"
            " proxy_set_header Connection $connection_upgrade;"
            " proxy_set_header X-Forwarded-Prefix /games; }",
        },
    )


def run_nginx(
    folder: Path, pair: Pair, port: int, path: str, others: Mapping[str, str]
) -> list[str]:
    """Return the command for a configuration of nginx, with other words in it too."""
    names = "/etc/letsencrypt/live/games.example.org"
    text = changed(
        path,
        **{
            "listen 80;": f"listen 127.0.0.1:{free_port()};",
            "listen [::]:80;": "",
            "listen 443": f"listen 127.0.0.1:{port}",
            "listen [::]:443 ssl http2;": "",
            f"{names}/fullchain.pem": str(pair.certificate),
            f"{names}/privkey.pem": str(pair.key),
            "games.example.org": "localhost",
        },
        **others,
    )
    own = "\n".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    file.write_text(
        f"pid {folder}/nginx.pid;\nerror_log stderr warn;\ndaemon off;\nmaster_process off;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{own}\n{text}}}\n"
    )
    return [program("nginx"), "-p", str(folder), "-c", str(file)]


def caddy(folder: Path, pair: Pair, port: int, server: int) -> list[str]:
    text = changed(
        "deploy/caddy/Caddyfile",
        **{
            "games.example.org {": f"https://localhost:{port} {{\n"
            f"\ttls {pair.certificate} {pair.key}",
            "\treverse_proxy 127.0.0.1:8765": "\thandle_path /games/* {\n"
            f"\t\treverse_proxy 127.0.0.1:{server} {{\n"
            "\t\t\theader_up X-Forwarded-Prefix /games\n\t\t}\n\t}\n"
            f"\treverse_proxy 127.0.0.1:{server}",
        },
    )
    file = folder / "Caddyfile"
    file.write_text(
        f"{{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port {free_port()}\n"
        f"\tstorage file_system {folder}\n}}\n{text}"
    )
    return [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(file)]


PROXIES = {"nginx": nginx, "caddy": caddy}


@contextlib.asynccontextmanager
async def proxied(command: Sequence[str], folder: Path, port: int) -> AsyncIterator[None]:
    """Run a proxy that listens on a port until the end of the context."""
    with (folder / "proxy.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=DEVNULL, stdout=log, stderr=STDOUT, env={"HOME": str(folder)}
        )
    try:
        await until(lambda: process.returncode is not None or answers(port))
        assert process.returncode is None, (folder / "proxy.log").read_text()
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def enter(
    port: int,
    trust: ssl.SSLContext,
    address: str,
    origin: str,
    path: str = "/socket",
    **headers: str,
) -> WireClient:
    ws = await connect(
        f"wss://localhost:{port}{path}",
        host="127.0.0.1",
        ssl=trust,
        local_addr=(address, 0),
        origin=Origin(origin),
        additional_headers=headers,
        subprotocols=[Subprotocol(JsonCodec.name)],
        compression=None,
        close_timeout=1,
    )
    return WireClient(ws, JsonCodec())


@pytest.mark.parametrize("kind", PROXIES)
async def test_a_server_behind_a_proxy(kind: str, tmp_path: Path) -> None:
    pair, port = make_pair(tmp_path), free_port()
    page, public = write_page(tmp_path / "page"), f"https://localhost:{port}"
    trust = pair.trusted()
    settings = {
        "public_http": public,
        "trusted_proxy": "127.0.0.1/32",
        "exempt_addresses": "",
        "new_names_per_hour": 1,
    }
    async with contextlib.AsyncExitStack() as stack:
        server = await stack.enter_async_context(serving(tmp_path, page=page, **settings))
        command = PROXIES[kind](tmp_path, pair, port, int(server.addresses.ws.rpartition(":")[2]))
        await stack.enter_async_context(proxied(command, tmp_path, port))
        # What visitors claim about their address counts for nothing.
        ann = await enter(port, trust, ANN, public, **{"X-Forwarded-For": "192.0.2.7"})
        welcome = await ann.ask({**HELLO, "name": "Ann"})
        assert welcome["http"] == public
        bob = await enter(port, trust, BOB, public)
        token = (await bob.ask({**HELLO, "name": "Bob"}))["token"]
        eve = await enter(port, trust, ANN, public, **{"X-Forwarded-For": "192.0.2.8"})
        assert await eve.refused({**HELLO, "name": "Eve"}) == "rate_limited"
        create = {"type": "create_room", "settings": SMALL, "seat": 0, "key": "k"}
        room = (await ann.ask(create))["room"]
        await bob.ask({"type": "join_room", "room": room})
        move = {"type": "move", "room": room, "match": 1, "ply": 0, "action": 0}
        assert (await ann.ask(move))["type"] == "move"
        with pytest.raises(InvalidStatus) as caught:
            await enter(port, trust, BOB, "https://evil.example")
        assert caught.value.response.status_code == 403
        transport = httpx.AsyncHTTPTransport(verify=trust, local_address=ANN)
        async with httpx.AsyncClient(transport=transport, base_url=public) as http:
            document = await http.get("/", headers={"Accept": "text/html"})
            assert document.status_code == 200
            assert "default-src 'none'" in document.headers["content-security-policy"]
            assert document.headers["strict-transport-security"].startswith("max-age=")
            assert (await http.get("/api/rooms")).json()["total"] == 1
            assert (await http.get("/metrics")).status_code == 403
            below = await http.get("/games/room/x", headers={"Accept": "text/html"})
            (main,) = re.findall(r'<script type="module" src="([^"]+)"', below.text)
            script = await http.get(str(below.url.join(main)))
            assert script.text == (page / "main.js").read_text()
            assert (await http.get("/games/api/rooms")).json()["total"] == 1
        client = await enter(port, trust, BOB, public, path="/games/socket")
        assert (await client.ask({**HELLO, "token": token}))["type"] == "welcome"
        await client.close()
        for client in (ann, bob, eve):
            await client.close()
