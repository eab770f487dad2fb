from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from doublecross.server.cluster.core.link import TIMING
from doublecross.server.cluster.links.access import Access
from doublecross.server.cluster.links.hub import Hub
from doublecross.server.cluster.links.peer import TooLargeError
from tests.cluster.harness.nats import Nats
from tests.cluster.links.conftest import AT_ONCE, QUICK, Node, Open


async def pair(node: Open, url: str, cluster: str) -> tuple[Node, Node]:
    """Return two nodes whose link is up on both sides."""
    a = await node(url, run="A", timing=AT_ONCE, cluster=cluster)
    b = await node(url, run="B", timing=AT_ONCE, cluster=cluster)
    await a.until_up(b)
    await b.until_up(a)
    return a, b


async def test_items_of_one_turn_leave_as_one_message_and_arrive_in_order(
    node: Open, shared_nats: Nats
) -> None:
    a, b = await pair(node, shared_nats.url, "turn")
    sent = [b"%d" % n for n in range(3000)]
    for n in range(0, 3000, 100):
        for item in sent[n : n + 100]:
            assert a.hub.to("B").send(item)
        await asyncio.sleep(0)
    assert b.hub.to("A").send(b"back")
    await b.until(lambda: len(b.items("A")) == 3000)
    await a.until(lambda: a.items("B"))
    assert b.items("A") == sent
    assert b.batches == [sent[n : n + 100] for n in range(0, 3000, 100)]
    assert a.items("B") == [b"back"]
    assert a.changes("B") == b.changes("A") == ["up"]


async def test_items_of_several_turns_can_leave_together(node: Open, shared_nats: Nats) -> None:
    a = await node(shared_nats.url, run="A", timing=replace(TIMING, gather_s=0.2), cluster="gather")
    b = await node(shared_nats.url, run="B", cluster="gather")
    await a.until_up(b)
    await b.until_up(a)
    for n in range(3):
        a.hub.to("B").send(b"%d" % n)
        await asyncio.sleep(0)
    await b.until(lambda: len(b.items("A")) == 3)
    assert b.batches == [[b"0", b"1", b"2"]]


async def test_what_is_done_soon_is_in_the_next_message(node: Open, shared_nats: Nats) -> None:
    a, b = await pair(node, shared_nats.url, "soon")
    peer, done = a.hub.to("B"), asyncio.Event()

    def fail() -> None:
        raise LookupError("a mistake in some work")

    def last() -> None:
        peer.send(b"3")
        done.set()

    def more() -> None:
        peer.send(b"2")
        a.hub.soon(last)

    a.hub.soon(fail)
    a.hub.soon(more)
    peer.send(b"1")
    await done.wait()
    await b.until(lambda: len(b.items("A")) == 3)
    assert b.batches == [[b"1", b"2"], [b"3"]]


async def test_work_does_not_wait_until_batches_are_gathered(
    node: Open, shared_nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    timing = replace(TIMING, gather_s=0.9)
    a = await node(shared_nats.url, run="A", timing=timing, cluster="now")
    b = await node(shared_nats.url, run="B", cluster="now")
    await a.until_up(b)
    await b.until_up(a)
    monkeypatch.setattr(
        "doublecross.server.cluster.links.alarm.Alarm.set", lambda *_: None
    )  # never rings
    peer = a.hub.to("B")
    for n in range(3):
        peer.send(b"%d" % n)
        await asyncio.sleep(0)
    a.hub.soon(lambda: peer.send(b"now"))
    await b.until(lambda: b.items("A") == [b"0", b"1", b"2", b"now"])


async def test_large_batches_are_split_and_larger_items_refused(
    node: Open, shared_nats: Nats
) -> None:
    a, b = await pair(node, shared_nats.url, "large")
    peer = a.hub.to("B")
    largest = b"x" * (a.hub.most_bytes - 5)
    sent = [b"1" * 700_000, b"2" * 700_000, b"3", b"4", largest, b"5"]
    for item in sent:
        assert peer.send(item)
    with pytest.raises(TooLargeError, match="raise its max_payload"):
        peer.send(largest + b"x")
    await b.until(lambda: len(b.items("A")) == len(sent))
    assert b.items("A") == sent
    assert [len(batch) for batch in b.batches] == [1, 3, 1, 1]
    assert b.changes("A") == ["up"]


async def test_too_much_for_one_turn_breaks_the_link(node: Open, shared_nats: Nats) -> None:
    a, b = await pair(node, shared_nats.url, "flood")
    item = b"x" * 1_000_000
    taken = 0
    while a.hub.to("B").send(item):
        taken += 1
        assert taken < 100
    assert taken == 16
    assert a.changes("B") == ["up", "reset"]
    await a.until_up(b)
    await b.until(lambda: b.changes("A") == ["up", "reset", "up"])
    assert b.items("A") == []


async def test_runs_find_each_other_and_reach_all(node: Open, shared_nats: Nats) -> None:
    a, b = await pair(node, shared_nats.url, "all")
    c = await node(shared_nats.url, run="C", cluster="all")
    stranger = await node(shared_nats.url, run="D", cluster="other")
    await c.until_up(a, b)
    await a.until_up(b, c)
    assert all(a.hub.to(run).send(b"news") for run in ("B", "C"))
    await b.until(lambda: b.items("A") == [b"news"])
    await c.until(lambda: c.items("A") == [b"news"])
    await b.hub.close()
    await a.until(lambda: "reset" in a.changes("B"))
    await c.until(lambda: "reset" in c.changes("B"))
    assert "B" not in a.hub.peers
    assert not a.hub.to("B").send(b"more")
    assert stranger.log == []


async def test_nothing_is_sent_to_a_run_that_nobody_hears(node: Open, shared_nats: Nats) -> None:
    a = await node(shared_nats.url, run="A", timing=QUICK, cluster="nobody")
    assert not a.hub.to("gone").send(b"x")
    with pytest.raises(ValueError, match="not another run"):
        a.hub.to("A")
    with pytest.raises(ValueError, match="subject"):
        Hub(Access((shared_nats.url,)), "a.b", "A")


async def test_a_user_that_fails_breaks_the_link_and_no_more(node: Open, shared_nats: Nats) -> None:
    a, b = await pair(node, shared_nats.url, "fails")

    def fail(run: str, items: list[bytes]) -> None:
        b.hub.on_items.remove(fail)
        raise RuntimeError("a mistake")

    b.hub.on_items.insert(0, fail)
    a.hub.to("B").send(b"lost")
    await a.until(lambda: a.changes("B") == ["up", "reset", "up"])
    await b.until_up(a)
    a.hub.to("B").send(b"kept")
    await b.until(lambda: b.items("A") == [b"kept"])
    assert b.changes("A") == ["up", "reset", "up"]
