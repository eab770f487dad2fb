from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from doublecross.server.cluster.links import access
from tests.cluster.links.conftest import Node, Open, pair, url_of
from tests.services.cuts import Cuts
from tests.services.nats import Nats

pytestmark = pytest.mark.usefixtures("quick")


async def exchange(a: Node, b: Node, text: bytes) -> None:
    """Send an item each way, and wait for both."""
    await a.until_up(b)
    await b.until_up(a)
    for one, other in ((a, b), (b, a)):
        assert one.hub.send(other.run, text)
        await other.until(lambda one=one, other=other: other.items(one.run)[-1:] == [text])


@pytest.mark.parametrize("end", ["stop", "kill"])
async def test_the_end_of_nats_breaks_links_once_and_a_new_start_joins_them(
    node: Open, nats: Nats, end: str
) -> None:
    a, b = await pair(node, nats.url, cluster=end)
    await exchange(a, b, b"before")
    getattr(nats, end)()
    await a.until(lambda: a.changes("B") == ["up", "reset"])
    await b.until(lambda: b.changes("A") == ["up", "reset"])
    assert not a.hub.connected
    assert not a.hub.send("B", b"nobody hears this")
    nats.start()
    await exchange(a, b, b"after")
    assert a.items("B") == b.items("A") == [b"before", b"after"]
    assert a.changes("B") == b.changes("A") == ["up", "reset", "up"]


async def test_a_frozen_nats_breaks_links_and_nothing_sent_before_arrives_after(
    node: Open, nats: Nats
) -> None:
    a, b = await pair(node, nats.url, cluster="frozen")
    nats.freeze()
    item = b"x" * 1_000_000
    taken = 0
    try:
        while a.hub.send("B", item):
            taken += 1
            assert taken < 100
            await asyncio.sleep(0)
        assert taken > 16  # so many are kept, and the socket takes some
        await a.until(lambda: a.changes("B") == ["up", "reset"])
        await b.until(lambda: b.changes("A") == ["up", "reset"])
        assert not a.hub.connected
    finally:
        nats.thaw()
    await exchange(a, b, b"after")
    told = b.told("A")
    assert item not in told[told.index("reset") :]


async def test_a_node_comes_back_after_an_error_of_the_server(
    node: Open, shared_nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = await pair(node, shared_nats.url, cluster="error")
    for is_late in (False, True):
        if is_late:  # nats-py raises what it meets while it closes, and calls back no more
            monkeypatch.setattr(a.hub._client, "_closed_cb", None)
        a.hub._client.send("doublecross.error.B", b"x" * 2_000_000)
        await a.until(lambda: not a.hub.connected)
        await exchange(a, b, b"after")
    assert a.changes("B") == b.changes("A") == ["up", "reset"] * 2 + ["up"]


@pytest.mark.parametrize("breaks", [Cuts.refuse, Cuts.hang, Cuts.lose])
async def test_a_node_that_is_cut_off_breaks_its_links_and_comes_back(
    node: Open, shared_nats: Nats, cuts: Cuts, breaks: Callable[[Cuts], None]
) -> None:
    cluster = f"cut-{breaks.__name__}"
    a, b = await pair(node, shared_nats.url, url_of(cuts), cluster=cluster)
    c = await node(shared_nats.url, run="C", cluster=cluster)
    await exchange(a, c, b"beside")
    await exchange(a, b, b"before")
    told: list[bool] = []
    b.hub.on_connected.append(told.append)
    breaks(cuts)
    b.hub.send("A", b"lost")
    await a.until(lambda: a.changes("B") == ["up", "reset"])
    await b.until(lambda: b.changes("A")[:2] == ["up", "reset"])
    await exchange(a, c, b"still here")
    cuts.heal()
    await exchange(a, b, b"after")
    seen = a.told("B")
    assert b"lost" not in seen[seen.index("reset") :]
    assert a.changes("C") == ["up"]
    if breaks is Cuts.refuse:  # the others are noticed by the silence of the links
        assert told == [False, True]


async def test_a_node_leaves_a_nats_server_that_says_nothing(
    node: Open, shared_nats: Nats, cuts: Cuts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "CONNECT_S", 0.2)
    a = await node(shared_nats.url, run="A", cluster="leaves")
    b = await node(url_of(cuts), shared_nats.url, run="B", cluster="leaves")
    await exchange(a, b, b"before")
    cuts.hang()  # and it stays so
    for _ in range(12):  # more than the sockets take
        assert b.hub.send("A", b"x" * 1_000_000)
    await b.until(lambda: b.changes("A") == ["up", "reset", "up"])
    await exchange(a, b, b"after")
