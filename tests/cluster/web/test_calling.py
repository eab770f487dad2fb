"""Questions to all nodes."""

from __future__ import annotations

import asyncio
from typing import Any

from doublecross.server.cluster.links.calls import RefusedError
from doublecross.server.cluster.web.calling import NodeCalls
from tests.cluster.web.wired import Wires


async def test_all_are_asked_and_those_who_answer_count() -> None:
    wires = Wires()
    nodes = {run: NodeCalls(run, wires.join(run), lambda: ["b", "c", "d"]) for run in "abcd"}
    told: list[str] = []

    def count(run: str, value: Any) -> int:
        told.append(run)
        return 2 * int(value)

    async def refuse(run: str, value: Any) -> None:
        raise RefusedError("not now")

    for run in "ab":
        nodes[run].serve("count", count)
    nodes["c"].serve("count", refuse)
    wires.down.add("d")
    assert await nodes["a"].ask_all("count", 3, 1.0) == {"a": 6, "b": 6}
    nodes["a"].tell_all("count", 1, 1.0)
    for _ in range(50):
        await asyncio.sleep(0)
    assert told == ["a"] * 4
    await nodes["a"].close()
