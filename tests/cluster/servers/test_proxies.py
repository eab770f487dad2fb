"""HAProxy and nginx, with the files of `deploy/cluster`, in front of two nodes."""

from __future__ import annotations

import asyncio
import contextlib
import tomllib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from doublecross.processes.ports import free_port
from tests.cluster.servers.conftest import Start, begin, play, two, until
from tests.deploy import test_proxies as single
from tests.fakes.certificates import Pair, make_pair
from tests.protocol.wire import WireClient

SERVERS = ("10.0.0.11:8765", "10.0.0.12:8765")
THIRD = "10.0.0.13:8765"
PATIENCE_S = 20.0

pytestmark = pytest.mark.slow


def haproxy(folder: Path, pair: Pair, port: int, nodes: Sequence[str]) -> list[str]:
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


def nginx(folder: Path, pair: Pair, port: int, nodes: Sequence[str]) -> list[str]:
    third = f"    server {THIRD} max_fails=2 fail_timeout=3s;\n"
    others = {third: "", **dict(zip(SERVERS, nodes, strict=True))}
    return single.run_nginx(folder, pair, port, "deploy/cluster/nginx.conf", others)


@pytest.mark.parametrize("proxy", [haproxy, nginx])
async def test_two_nodes_behind_a_proxy(
    proxy: Callable[[Path, Pair, int, Sequence[str]], list[str]], start: Start, tmp_path: Path
) -> None:
    pair, port = make_pair(tmp_path), free_port()
    public = f"https://localhost:{port}"
    changes = {"10.0.0.0/24": "127.0.0.1", "https://games.example.org": public}
    known = tomllib.loads(single.changed("deploy/cluster/serve.toml", **changes))
    settings = {name: known[name] for name in ("public_http", "trusted_proxy")}
    nodes = await two(start, settings=settings)
    inner = [node.addresses.ws.removeprefix("ws://").partition("/")[0] for node in nodes]
    enter = partial(single.enter, port, pair.trusted(), single.ANN, public)

    async def login(**who: str) -> tuple[WireClient, str]:
        """Log in, and try again as all clients do; return the token too.

        While the leader moves, nodes end new connections.
        """
        async with asyncio.timeout(PATIENCE_S):
            while True:
                client = await enter()
                with contextlib.suppress(ConnectionClosed):
                    return client, (await client.ask({**single.HELLO, **who}))["token"]
                await asyncio.sleep(0.02)

    async with single.proxied(proxy(tmp_path, pair, port, inner), tmp_path, port):
        players = dict([await login(name="Ann"), await login(name="Bob")])
        # Each node has one of them.
        assert [len(node.connections.peers) for node in nodes] == [1, 1]
        room = await begin(*players)
        await play(room, *players, plies=1)
        # A node ends. Its player comes back at the other one, through the same address.
        waiting = {asyncio.ensure_future(client.ws.wait_closed()): client for client in players}
        await nodes.second.stop()
        async with asyncio.timeout(PATIENCE_S):
            (gone,), _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        again, _ = await login(token=players[waiting[gone]])
        await until(lambda: len(nodes.first.connections.peers) == 2)
        shown = await again.ask({"type": "resume", "room": room, "seq": 0})
        assert shown["snapshot"]["moves"] == (0,)
        for client in (*players, again):
            await client.close()
