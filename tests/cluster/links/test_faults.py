from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from doublecross.server.cluster.links import access
from tests.cluster.harness.cuts import Cuts
from tests.cluster.harness.nats import Nats
from tests.cluster.links.conftest import AT_ONCE, QUICK, WAIT_S, Node, Open, url_of

ROOT = Path(__file__).resolve().parents[3]


async def pair(node: Open, url: str, other_url: str, cluster: str) -> tuple[Node, Node]:
    a = await node(url, run="A", timing=QUICK, cluster=cluster)
    b = await node(other_url, run="B", timing=QUICK, cluster=cluster)
    await a.until_up(b)
    await b.until_up(a)
    return a, b


async def exchange(a: Node, b: Node, text: bytes) -> None:
    """Send an item each way, and wait for both."""
    await a.until_up(b)
    await b.until_up(a)
    assert a.hub.to(b.run).send(b"to b: " + text)
    assert b.hub.to(a.run).send(b"to a: " + text)
    await b.until(lambda: b.items(a.run)[-1:] == [b"to b: " + text])
    await a.until(lambda: a.items(b.run)[-1:] == [b"to a: " + text])


@pytest.mark.parametrize("end", ["stop", "kill"])
async def test_the_end_of_nats_breaks_links_once_and_a_new_start_joins_them(
    node: Open, nats: Nats, end: str
) -> None:
    a, b = await pair(node, nats.url, nats.url, end)
    await exchange(a, b, b"before")
    getattr(nats, end)()
    await a.until(lambda: a.changes("B") == ["up", "reset"])
    await b.until(lambda: b.changes("A") == ["up", "reset"])
    assert not a.hub.connected
    assert not a.hub.to("B").send(b"nobody hears this")
    nats.start()
    await a.until(lambda: a.changes("B") == ["up", "reset", "up"])
    await exchange(a, b, b"after")
    assert a.items("B") == [b"to a: before", b"to a: after"]
    assert b.items("A") == [b"to b: before", b"to b: after"]
    assert a.changes("B") == b.changes("A") == ["up", "reset", "up"]


async def test_a_frozen_nats_breaks_links(node: Open, nats: Nats) -> None:
    a, b = await pair(node, nats.url, nats.url, "frozen")
    nats.freeze()
    try:
        await a.until(lambda: a.changes("B") == ["up", "reset"])
        await b.until(lambda: b.changes("A") == ["up", "reset"])
        assert not a.hub.to("B").send(b"x")
    finally:
        nats.thaw()
    await exchange(a, b, b"after")
    assert a.items("B") == [b"to a: after"]


async def test_what_a_frozen_nats_does_not_take_is_bounded(node: Open, nats: Nats) -> None:
    a = await node(nats.url, run="A", timing=AT_ONCE, cluster="bounded")
    b = await node(nats.url, run="B", cluster="bounded")
    await a.until_up(b)
    await b.until_up(a)
    nats.freeze()
    item = b"x" * 1_000_000
    taken = 0
    try:
        while a.hub.to("B").send(item):
            taken += 1
            assert taken < 100
            await asyncio.sleep(0)
        assert taken > 16  # so many are kept, and the socket takes some
        assert a.changes("B") == ["up", "reset"]
        assert not a.hub.connected
    finally:
        nats.thaw()
    await exchange(a, b, b"after")


@pytest.mark.parametrize("breaks", [Cuts.refuse, Cuts.hang, Cuts.lose])
async def test_a_node_that_is_cut_off_breaks_its_links_and_comes_back(
    node: Open, shared_nats: Nats, cuts: Cuts, breaks: Callable[[Cuts], None]
) -> None:
    a, b = await pair(node, shared_nats.url, url_of(cuts), f"cut-{breaks.__name__}")
    c = await node(shared_nats.url, run="C", timing=QUICK, cluster=f"cut-{breaks.__name__}")
    await exchange(a, c, b"beside")
    await exchange(a, b, b"before")
    told: list[bool] = []
    b.hub.on_connected.append(told.append)
    breaks(cuts)
    b.hub.to("A").send(b"lost")
    await a.until(lambda: a.changes("B") == ["up", "reset"])
    await b.until(lambda: b.changes("A")[:2] == ["up", "reset"])
    await exchange(a, c, b"still here")
    cuts.heal()
    await exchange(a, b, b"after")
    assert a.items("B")[:1] == [b"to a: before"]
    assert b"lost" not in a.items("B") or a.log.index(("item", "B", b"lost")) < a.log.index(
        ("reset", "B")
    )
    assert a.changes("C") == ["up"]
    if breaks is Cuts.refuse:  # the others are noticed by the silence of the links
        assert told == [False, True]


async def test_a_node_leaves_a_nats_server_that_says_nothing(
    node: Open, shared_nats: Nats, cuts: Cuts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "CONNECT_S", 0.2)
    a = await node(shared_nats.url, run="A", timing=QUICK, cluster="leaves")
    b = await node(url_of(cuts), shared_nats.url, run="B", timing=QUICK, cluster="leaves")
    await exchange(a, b, b"before")
    cuts.hang()  # and it stays so
    await b.until(lambda: b.changes("A") == ["up", "reset", "up"])
    await exchange(a, b, b"after")


CHILD = """
import asyncio, sys
from doublecross.server.cluster.core.link import Timing
from doublecross.server.cluster.links.access import Access
from doublecross.server.cluster.links.hub import Hub
from doublecross.server.supervisor import Supervisor

async def main():
    hub = Hub(Access((sys.argv[1],)), sys.argv[2], sys.argv[3], Timing(0.05, 0.4, 0.1))
    hub.on_items.append(lambda run, items: [hub.to(run).send(b"echo " + i) for i in items])
    await hub.open(Supervisor())
    await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_another_process_echoes_is_frozen_and_killed(node: Open, shared_nats: Nats) -> None:
    a = await node(shared_nats.url, run="A", timing=QUICK, cluster="processes")

    def start(run: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            (sys.executable, "-c", CHILD, shared_nats.url, "processes", run), cwd=ROOT
        )

    children = [start("first")]
    try:
        await a.until(lambda: a.changes("first") == ["up"])
        sent = [b"%d" % n for n in range(500)]
        for item in sent:
            a.hub.to("first").send(item)
            await asyncio.sleep(0)
        await a.until(lambda: len(a.items("first")) == 500)
        assert a.items("first") == [b"echo " + item for item in sent]
        os.kill(children[0].pid, signal.SIGSTOP)
        a.hub.to("first").send(b"while frozen")
        await a.until(lambda: a.changes("first") == ["up", "reset"])
        os.kill(children[0].pid, signal.SIGCONT)
        await a.until(lambda: a.changes("first") == ["up", "reset", "up"])
        assert b"echo while frozen" not in a.items("first")
        a.hub.to("first").send(b"thawed")
        await a.until(lambda: a.items("first")[-1:] == [b"echo thawed"])
        children[0].kill()
        children.append(start("second"))
        await a.until(lambda: a.changes("first")[-1] == "reset")
        await a.until(lambda: a.changes("second") == ["up"])
        a.hub.to("second").send(b"hello")
        await a.until(lambda: a.items("second") == [b"echo hello"])
    finally:
        for child in children:
            child.kill()
            child.wait(timeout=WAIT_S)
