from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from doublecross.server.cluster.links import access
from tests.cluster.harness.cuts import Cuts
from tests.cluster.harness.nats import Nats
from tests.cluster.links.conftest import AT_ONCE, QUICK, Node, Open, url_of


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
