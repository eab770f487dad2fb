from __future__ import annotations

import asyncio
from typing import Any

import pytest

import doublecross.server.cluster.links.calls as calls_file
from doublecross.server.cluster.links.calls import (
    BusyError,
    Calls,
    CallTimeoutError,
    FailedError,
    LinkDownError,
    LinkResetError,
    RefusedError,
)
from doublecross.server.cluster.links.peer import TooLargeError
from tests.cluster.harness.nats import Nats
from tests.cluster.links.conftest import Node, Open


async def pair(node: Open, nats: Nats, cluster: str) -> tuple[Node, Node, Calls, Calls]:
    a = await node(nats.url, run="A", cluster=cluster)
    b = await node(nats.url, run="B", cluster=cluster)
    calls = Calls(a.hub), Calls(b.hub)
    await a.until_up(b)
    await b.until_up(a)
    return a, b, *calls


async def test_calls_are_answered(node: Open, shared_nats: Nats) -> None:
    a, b, from_a, from_b = await pair(node, shared_nats, "answers")

    async def slow(run: str, value: Any) -> Any:
        await asyncio.sleep(0)
        return {"run": run, "value": value, "bytes": b"\0"}

    from_b.serve("slow", slow)
    from_b.serve("add", lambda _, numbers: sum(numbers))
    from_a.serve("name", lambda *_: "A")
    with pytest.raises(ValueError, match="already"):
        from_b.serve("add", slow)
    answers = asyncio.gather(*(from_a.call("B", "add", [n, 1], 5) for n in range(100)))
    assert a.hub.to("B").send(b"item")
    answer = await from_a.call("B", "slow", [1, None], 5)
    assert answer == {"run": "A", "value": [1, None], "bytes": b"\0"}
    assert await from_b.call("A", "name", None, 5) == "A"
    assert await answers == [n + 1 for n in range(100)]
    assert b.items("A") == [b"item"]
    large = "x" * 900_000
    assert (await from_a.call("B", "slow", large, 5))["value"] == large
    with pytest.raises(TooLargeError):
        await from_a.call("B", "slow", large * 2, 5)


async def test_calls_fail_for_a_reason(
    node: Open, shared_nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, b, from_a, from_b = await pair(node, shared_nats, "failures")
    began = asyncio.Event()
    ended = asyncio.Event()

    async def hang(*_: Any) -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    def refuse(*_: Any) -> None:
        raise RefusedError("The name is taken.")

    def fail(*_: Any) -> None:
        raise KeyError("a mistake")

    for name, handler in (("hang", hang), ("refuse", refuse), ("fail", fail)):
        from_b.serve(name, handler)
    from_b.serve("odd", lambda *_: object())
    from_b.serve("huge", lambda *_: "x" * 2_000_000)
    with pytest.raises(RefusedError, match=r"^The name is taken\.$"):
        await from_a.call("B", "refuse", 1, 5)
    for name in ("fail", "odd", "huge", "nobody"):
        with pytest.raises(FailedError):
            await from_a.call("B", name, 1, 5)
    with pytest.raises(LinkDownError, match="cannot be reached"):
        await from_a.call("gone", "add", 1, 5)
    with pytest.raises(CallTimeoutError):
        await from_a.call("B", "hang", 1, 0.05)
    async with asyncio.timeout(5):
        await ended.wait()  # the other side stops as well
    began.clear()
    monkeypatch.setattr(calls_file, "MOST_HANDLED", 1)
    waits = asyncio.create_task(from_a.call("B", "hang", 1, 30))
    await began.wait()
    with pytest.raises(BusyError):
        await from_a.call("B", "fail", 1, 5)
    monkeypatch.setattr(calls_file, "MOST_WAITING", 1)
    with pytest.raises(BusyError, match="wait for answers"):
        await from_a.call("B", "fail", 1, 5)
    b.hub.cut(b.hub.to("A"), "a test")
    with pytest.raises(LinkResetError):
        await waits
    await from_b.close()
    await from_a.close()
