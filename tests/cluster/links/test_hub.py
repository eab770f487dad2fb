from __future__ import annotations

import asyncio

import pytest

from doublecross.server.cluster.links import hub as hub_file
from doublecross.server.cluster.links.access import Access
from doublecross.server.cluster.links.hub import Hub
from tests.cluster.links.conftest import WAIT_S, Open, pair
from tests.services.nats import Nats


@pytest.mark.usefixtures("at_once")
async def test_items_of_one_turn_leave_as_one_message_and_arrive_in_order(
    node: Open, shared_nats: Nats
) -> None:
    a, b = await pair(node, shared_nats.url, cluster="turn")
    sent = [b"%d" % n for n in range(3000)]
    for n in range(0, 3000, 100):
        assert all(a.hub.send("B", item) for item in sent[n : n + 100])
        await asyncio.sleep(0)
    assert b.hub.send("A", b"back")
    await b.until(lambda: len(b.items("A")) == 3000)
    await a.until(lambda: a.items("B"))
    assert b.items("A") == sent
    assert b.batches == [sent[n : n + 100] for n in range(0, 3000, 100)]
    assert a.items("B") == [b"back"]
    assert a.changes("B") == b.changes("A") == ["up"]


async def test_items_of_several_turns_leave_together_but_not_after_work(
    node: Open, shared_nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = await pair(node, shared_nats.url, cluster="gather")
    monkeypatch.setattr(hub_file, "GATHER_S", 600.0)
    a.hub._flushed = asyncio.get_running_loop().time()

    def fail() -> None:
        raise LookupError("a mistake in some work")

    def more() -> None:
        a.hub.send("B", b"more")
        a.hub.soon(lambda: a.hub.send("B", b"last") and None)

    for n in range(3):
        a.hub.send("B", b"%d" % n)
        await asyncio.sleep(0)
    a.hub.soon(fail)
    a.hub.soon(more)
    await b.until(lambda: len(b.items("A")) == 5)
    assert b.batches == [[b"0", b"1", b"2", b"more"], [b"last"]]


async def test_large_batches_are_split_and_larger_items_refused(
    node: Open, shared_nats: Nats
) -> None:
    a, b = await pair(node, shared_nats.url, cluster="large")
    largest = b"x" * (a.hub.most_bytes - 5)
    sent = [b"1" * 700_000, b"2" * 700_000, b"3", b"4", largest, b"5"]
    assert all(a.hub.send("B", item) for item in sent)
    with pytest.raises(ValueError, match="raise its max_payload"):
        a.hub.send("B", largest + b"x")
    await b.until(lambda: len(b.items("A")) == len(sent))
    assert b.items("A") == sent
    assert [len(batch) for batch in b.batches] == [1, 3, 1, 1]
    assert b.changes("A") == ["up"]


@pytest.mark.usefixtures("at_once")
async def test_items_that_are_not_urgent_wait_for_others(
    node: Open, shared_nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_file, "LATE_S", 60.0)
    monkeypatch.setattr(hub_file, "MOST_LATE_S", 60.0)
    a, b = await pair(node, shared_nats.url, cluster="late")
    a.hub.send("B", b"1", late=True)  # after a pause it leaves at once
    await b.until(lambda: b.batches == [[b"1"]])
    a.hub.send("B", b"2", late=True)
    a.hub.send("B", b"3", late=True)
    for _ in range(3):
        await asyncio.sleep(0)
    assert a.hub._links["B"].items == [b"2", b"3"]
    a.hub.send("B", b"4")  # takes them along
    await b.until(lambda: b.batches == [[b"1"], [b"2", b"3", b"4"]])
    a.hub.send("B", b"5", late=True)
    a.hub._send_late()  # the time is over
    await b.until(lambda: b.batches[2:] == [[b"5"]])
    assert b.changes("A") == ["up"]


async def test_runs_that_leave_or_are_not_known_any_more_are_reset_at_once(
    node: Open, shared_nats: Nats
) -> None:
    a, b = await pair(node, shared_nats.url, cluster="all")
    c = await node(shared_nats.url, run="C", cluster="all")
    stranger = await node(shared_nats.url, run="B", cluster="other")
    await c.until_up(a, b)
    await b.until_up(a, c)
    assert all(b.hub.send(run, b"news") for run in "AC")
    await a.until(lambda: a.items("B") == [b"news"])
    await c.until(lambda: c.items("B") == [b"news"])
    a.hub.keep({"B"})
    assert a.changes("C") == ["up", "reset"]
    await b.hub.close()
    for other in (a, c):
        await other.until(lambda other=other: other.changes("B") == ["up", "reset"])
        assert not other.hub.send("B", b"more")
    assert stranger.batches == stranger.changes("A") == stranger.changes("C") == []


@pytest.mark.usefixtures("quick")
async def test_an_unknown_run_that_beats_gets_a_link_until_it_is_silent(
    node: Open, shared_nats: Nats
) -> None:
    a, b = await pair(node, shared_nats.url, cluster="nobody")
    a.hub.keep(set())
    await a.until(lambda: a.changes("B") == ["up", "reset", "up"])
    await b.hub.close()
    async with asyncio.timeout(WAIT_S):
        while "B" in a.hub._links:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.01)
    assert not a.hub.send("B", b"x")
    for run in ("a.b", "", "x" * 65):
        with pytest.raises(ValueError, match="subject"):
            Hub(Access((shared_nats.url,)), "c", run)


async def test_a_user_that_fails_breaks_the_link_and_no_more(node: Open, shared_nats: Nats) -> None:
    a, b = await pair(node, shared_nats.url, cluster="fails")

    def fail(run: str, items: list[bytes]) -> None:
        b.hub.on_items.remove(fail)
        raise RuntimeError("a mistake")

    b.hub.on_items.insert(0, fail)
    a.hub.send("B", b"lost")
    await a.until(lambda: a.changes("B") == ["up", "reset", "up"])
    await b.until_up(a)
    await a.hub._client.publish("doublecross.fails.B", b"nonsense")
    a.hub.send("B", b"kept")
    await b.until(lambda: b.items("A") == [b"kept"])
    assert b.changes("A") == ["up", "reset", "up"]
