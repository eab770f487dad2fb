from __future__ import annotations

import asyncio
from typing import Any

import nats.errors
import pytest

from doublecross.server.cluster.links import calls as calls_file
from doublecross.server.cluster.links.calls import (
    CallTimeoutError,
    FailedError,
    LinkDownError,
    LinkResetError,
    RefusedError,
)
from tests.cluster.links.conftest import Open, pair
from tests.cluster.network import Links, MemoryNetwork
from tests.services.nats import Nats


async def test_calls_over_nats(node: Open, shared_nats: Nats) -> None:
    a, b = await pair(node, shared_nats.url, cluster="calls")
    b.calls.serve("tell", lambda run, value: [run, value])
    assert await a.calls.call("B", "tell", b"\0", 5) == ["A", b"\0"]
    large = "x" * 900_000
    assert (await a.calls.call("B", "tell", large, 5))[1] == large
    with pytest.raises(nats.errors.MaxPayloadError):
        await a.calls.call("B", "tell", large * 2, 5)
    # The run does not listen any more, and this one does not know it yet.
    for each in list(b.hub._client._subs.values()):
        await each.unsubscribe()
    for _ in range(2):  # the first ping overtakes what waits
        await b.hub._client.flush()
    with pytest.raises(LinkDownError, match="did not get"):
        await a.calls.call("B", "tell", 1, 5)


async def test_calls_are_answered_or_fail_for_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    network = MemoryNetwork()
    a, b = network.calls("a"), network.calls("b")
    began, ended = asyncio.Event(), asyncio.Event()

    async def hang(*_: Any) -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def refuse(*_: Any) -> None:
        raise RefusedError("The name is taken.")

    def fail(*_: Any) -> None:
        raise KeyError("a mistake")

    for name, handler in (("hang", hang), ("refuse", refuse), ("fail", fail)):
        b.serve(name, handler)
    b.serve("add", lambda _, numbers: sum(numbers))
    b.serve("odd", lambda *_: object())
    b.serve("huge", lambda *_: "x" * Links.most_bytes)
    adding = (a.call("b", "add", [n, 1], 5) for n in range(100))
    assert await asyncio.gather(*adding) == [n + 1 for n in range(100)]
    with pytest.raises(RefusedError, match=r"^The name is taken\.$"):
        await a.call("b", "refuse", 1, 5)
    for name in ("fail", "odd", "huge", "nobody"):
        with pytest.raises(FailedError):
            await a.call("b", name, 1, 5)
    with pytest.raises(CallTimeoutError):
        await a.call("b", "hang", 1, 0.05)
    async with asyncio.timeout(5):
        await ended.wait()  # the other side stops as well
    began.clear()
    monkeypatch.setattr(calls_file, "MOST_HANDLED", 1)
    waits = asyncio.create_task(a.call("b", "hang", 1, 30))
    await began.wait()
    with pytest.raises(RefusedError, match="too many"):
        await a.call("b", "add", [1], 5)
    network.reset("a", "b")
    with pytest.raises(LinkResetError):
        await waits
    network.cut("a", "b")
    with pytest.raises(LinkDownError, match="cannot be reached"):
        await a.call("b", "add", [1], 5)
    await b.close()


async def test_all_are_asked_and_those_who_answer_count() -> None:
    network = MemoryNetwork()
    runs = {run: network.calls(run) for run in "abcd"}
    told: list[str] = []

    def count(run: str, value: Any) -> int:
        told.append(run)
        return 2 * int(value)

    for run in "ab":
        runs[run].serve("count", count)
    network.cut("a", "d")
    assert await runs["a"].ask_all("count", 3, 1.0) == {"a": 6, "b": 6}
    runs["a"].tell_all("count", 1, 1.0)
    async with asyncio.timeout(5):
        while len(told) < 4:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    await runs["a"].close()
