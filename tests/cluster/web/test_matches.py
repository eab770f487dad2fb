"""Questions to the owners of rooms, which may move meanwhile."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from doublecross.server.cluster.owned_logs import OwnedLogs
from doublecross.server.cluster.web import matches
from doublecross.server.cluster.web.matches import NodeMatches
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.web.reading import Reading
from tests.cluster.network import MemoryNetwork
from tests.fakes.store import FakeStore


class Rooms:
    """The rooms of a log; `stored` counts how often their games were stored."""

    def __init__(self) -> None:
        self.index: dict[str, Any] = {}
        self.stored = 0

    async def settled(self, *, games: bool) -> None:
        self.stored += games


class Nodes:
    """Nodes a and b. `owners` names the owner of each log."""

    def __init__(self) -> None:
        self.network = MemoryNetwork()
        self.owners: dict[str, str | None] = {}
        self.logs = {run: OwnedLogs(lambda: True) for run in "ab"}
        self.of = {run: self._matches(run) for run in "ab"}

    def _matches(self, run: str) -> NodeMatches:
        node: Any = SimpleNamespace(owners=lambda: self.owners, logs=self.logs[run])
        return NodeMatches(node, self.network.calls(run))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "CHECK_S", 0.0)


async def test_the_owner_of_a_room_stores_its_games_also_when_the_room_moves() -> None:
    nodes, rooms = Nodes(), Rooms()
    await nodes.of["a"].settled("aaabroom")  # nobody has ever had such a room
    nodes.owners["aaab"] = "b"
    waiting = asyncio.ensure_future(nodes.of["a"].settled("aaabroom"))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not waiting.done()  # b does not run the rooms yet
    nodes.logs["b"].add("aaab", rooms)  # type: ignore[arg-type]
    await waiting
    assert rooms.stored == 1
    await nodes.of["a"].settled(here=True)
    assert rooms.stored == 1
    await nodes.of["a"].settled()
    assert rooms.stored == 2
    assert await nodes.of["a"].live(["aaabroom", "elsewhere"]) == []


@pytest.mark.parametrize("owner", [None, "b"])
async def test_a_game_whose_owner_is_away_is_not_called_missing(
    owner: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "STORED_S", 0.0)
    nodes = Nodes()
    nodes.owners["aaab"] = owner
    nodes.network.cut("a", "b")
    with pytest.raises(StoreError, match="does not answer"):
        await nodes.of["a"].settled("aaabroom")


async def test_nobody_waits_for_a_game_without_a_room() -> None:
    """Otherwise anybody could let all nodes store something, by the ids of games."""
    nodes, rooms = Nodes(), Rooms()
    nodes.owners["aaab"] = "b"
    nodes.logs["b"].add("aaab", rooms)  # type: ignore[arg-type]
    reading: Any = SimpleNamespace(store=FakeStore(), matches=nodes.of["a"])
    assert await Reading.game(reading, "nonsense") is None
    assert rooms.stored == 0
    assert await Reading.game(reading, "aaabroom-1") is None
    assert rooms.stored == 1
