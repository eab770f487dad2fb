"""HAProxy and nginx, with the files of `deploy/cluster`, in front of two nodes."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from doublecross.processes.ports import free_port
from tests.cli.commands import ROOT
from tests.cluster.servers.conftest import Serve, ready
from tests.deploy import test_proxies as single
from tests.fakes.certificates import Pair, make_pair
from tests.fakes.http import plain_client
from tests.protocol.wire import WireClient

SERVERS = ("10.0.0.11:8765", "10.0.0.12:8765")
THIRD = "10.0.0.13:8765"
PATIENCE_S = 20.0

pytestmark = pytest.mark.slow


def haproxy(folder: Path, pair: Pair, port: int, nodes: list[str]) -> list[str]:
    joined = folder / "games.pem"
    joined.write_text(pair.certificate.read_text() + pair.key.read_text())
    text = single.changed(
        "deploy/cluster/haproxy.cfg",
        **{
            "bind :80\n": f"bind 127.0.0.1:{free_port()}\n",
            "bind :443": f"bind 127.0.0.1:{port}",
            "/etc/haproxy/games.pem": str(joined),
            f"    server games-3 {THIRD} tcp-ut 3s\n": "",
            "maxconn 100000": "maxconn 1000",
            # A node that has just come gets less at first, and both have just come.
            " slowstart 30s": "",
        },
        **dict(zip(SERVERS, nodes, strict=True)),
    )
    file = folder / "haproxy.cfg"
    file.write_text(text)
    return [single.program("haproxy"), "-db", "-f", str(file)]


def nginx(folder: Path, pair: Pair, port: int, nodes: list[str]) -> list[str]:
    third = f"    server {THIRD} max_fails=2 fail_timeout=3s;\n"
    others = {third: "", **dict(zip(SERVERS, nodes, strict=True))}
    return single.run_nginx(folder, pair, port, "deploy/cluster/nginx.conf", others)


PROXIES: dict[str, Callable[[Path, Pair, int, list[str]], list[str]]] = {
    "haproxy": haproxy,
    "nginx": nginx,
}


@contextlib.contextmanager
def proxied(command: list[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    with (folder / "proxy.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={"HOME": str(folder)})
    try:
        yield process
    finally:
        process.terminate()
        process.wait(10)


async def login(enter: Callable[[], Awaitable[WireClient]], **who: str) -> tuple[WireClient, str]:
    """Return a connection that is logged in, and its token; try again as all clients do.

    While the leader moves, nodes end new connections.
    """
    async with asyncio.timeout(PATIENCE_S):
        while True:
            client = await enter()
            with contextlib.suppress(ConnectionClosed):
                return client, (await client.ask({**single.HELLO, **who}))["token"]
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("kind", PROXIES)
async def test_two_nodes_behind_a_proxy(kind: str, serve: Serve, tmp_path: Path) -> None:
    pair, port = make_pair(tmp_path), free_port()
    trust, public = pair.trusted(), f"https://localhost:{port}"
    settings = tmp_path / "serve.toml"
    lines = (ROOT / "deploy/cluster/serve.toml").read_text()
    lines = lines.replace('"10.0.0.11"', '"127.0.0.1"').replace("10.0.0.0/24", "127.0.0.1")
    settings.write_text(lines.replace("https://games.example.org", public))
    nodes = [serve("--settings", str(settings), "--node", name) for name in ("one", "two")]
    ports = [ready(node)["ws"].rpartition(":")[2] for node in nodes]
    command = PROXIES[kind](tmp_path, pair, port, [f"127.0.0.1:{each}" for each in ports])
    with proxied(command, tmp_path) as process:

        async def counted(*wanted: int) -> None:
            """Wait until the first nodes have so many connections."""
            found: list[int] = []
            async with plain_client() as http, asyncio.timeout(PATIENCE_S):
                while tuple(found) != wanted:
                    urls = [f"http://127.0.0.1:{each}/health" for each in ports[: len(wanted)]]
                    found = [(await http.get(url)).json()["connections"] for url in urls]

        await single.until(lambda: process.poll() is not None or single.answers(port))
        assert process.poll() is None, (tmp_path / "proxy.log").read_text()
        enter = partial(single.enter, port, trust, single.ANN, public)
        ann, ann_token = await login(enter, name="Ann")
        bob, bob_token = await login(enter, name="Bob")
        players = {ann: ann_token, bob: bob_token}
        # Each node has one of them.
        await counted(1, 1)
        create = {"type": "create_room", "settings": single.SMALL, "seat": 0, "key": "k"}
        room = (await ann.ask(create))["room"]
        await bob.ask({"type": "join_room", "room": room})
        move = {"type": "move", "room": room, "match": 1, "ply": 0, "action": 0}
        assert (await ann.ask(move))["type"] == "move"
        assert (await bob.wait("move"))["action"] == 0
        # A node ends. Its player comes back at the other one, through the same address.
        nodes[1].send(signal.SIGTERM)
        assert nodes[1].wait() == 0, nodes[1].errors
        waiting = {asyncio.ensure_future(client.ws.wait_closed()): client for client in players}
        async with asyncio.timeout(PATIENCE_S):
            (gone,), _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        again, _ = await login(enter, token=players[waiting[gone]])
        await counted(2)
        shown = await again.ask({"type": "resume", "room": room, "seq": 0})
        assert shown["snapshot"]["moves"] == (0,)
        for client in (*players, again):
            await client.close()
