"""What a demo says about its nodes follows from what those that run have said last."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from doublecross.cli.cluster.demo_run import ClusterDemo, Plan
from doublecross.cli.cluster.nodes import DemoNode
from doublecross.cli.cluster.screen import Screen
from doublecross.cli.shared.parsing import DEFAULT_GAME, game_of, settings_of
from doublecross.cli.shared.remote.http import HttpServer
from doublecross.server.core.cluster_ids import log_of_room

ROOMS = ("aaaaaaaaaaaa", "baaaaaaaaaaa", "caaaaaaaaaaa")
LOGS = tuple(map(log_of_room, ROOMS))


class Process:
    """Stands for the process of a node."""

    pid = 1
    is_running = True

    def kill(self) -> None:
        """Take the kill; a process is only known to have ended a moment later."""

    async def receive(self) -> None:
        """Return that nothing more is printed: the process has ended."""
        self.is_running = False

    async def how_it_ended(self) -> str:
        """Return how the process has ended."""
        return "was ended by SIGKILL"


class Answers:
    """What each node answers; `hold` lets the answers to the requests in flight come late."""

    def __init__(self) -> None:
        self.said: dict[str, Mapping[str, Any]] = {}
        self.hold = threading.Event()
        self.hold.set()
        self.asked = threading.Semaphore(0)

    def say(self, node: DemoNode, *logs: str, leader: bool = False) -> None:
        """Set what a node answers from now on."""
        self.said[node.http] = {"logs": logs, "leader": leader, "connections": 5}

    def get(self, server: HttpServer, path: str) -> Mapping[str, Any]:
        """Answer as the node does at the moment of the request."""
        said = self.said[server.address]
        self.asked.release()
        assert self.hold.wait(10)
        return said


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Return the answers of all nodes."""
    found = Answers()
    monkeypatch.setattr(HttpServer, "get", lambda server, path: found.get(server, path))
    return found


@pytest.fixture
def nodes() -> list[DemoNode]:
    """Return three nodes that run."""
    made = [DemoNode(name, port) for port, name in enumerate("abc", 1)]
    for node in made:
        node._child = Process()  # type: ignore[assignment]
    return made


@pytest.fixture
async def demo(nodes: list[DemoNode]) -> ClusterDemo:
    """Return a demo in which a game runs in each of three logs."""
    settings = settings_of(game_of(DEFAULT_GAME, "3x3"), "unlimited", rated=False)
    told = ClusterDemo(Plan(3, 1.0, keep=False, settings=settings), nodes, Screen(lambda: 0.0))
    for room in ROOMS:
        told._journal.begin(room, 0.0)
    return told


async def test_a_dead_node_counts_for_nothing_even_if_its_answer_comes_late(
    demo: ClusterDemo, nodes: list[DemoNode], answers: Answers
) -> None:
    a, b, c = nodes
    first, second, third = LOGS
    answers.say(a, first, leader=True)
    answers.say(b, second)
    answers.say(c, third)
    await demo._read()
    answers.hold.clear()
    late = asyncio.create_task(a.read())
    await asyncio.to_thread(answers.asked.acquire)
    theirs = demo._games_of(a)
    await a.kill()
    a.forget()
    answers.hold.set()
    await late
    status = demo._status()
    assert [(row.games, row.players, row.has_leader) for row in status.nodes] == [
        (0, 0, False),
        (1, 5, False),
        (1, 5, False),
    ]
    assert status.moving == 1
    assert not demo._all_owned(need_leader=True)
    answers.say(b, first, second)
    answers.say(c, third, leader=True)
    await demo._read()
    assert demo._all_owned(need_leader=True)
    assert demo._moved(a, theirs, had_leader=True) == (
        "The games of node a moved: 1 to b. Node c is the leader now."
    )


async def test_of_two_nodes_with_the_same_rooms_or_leader_the_last_to_say_so_counts(
    demo: ClusterDemo, nodes: list[DemoNode], answers: Answers
) -> None:
    a, b, c = nodes
    for node in (a, b, c):
        answers.say(node, *LOGS, leader=True)
    for last in (c, a, b):
        await last.read()
    status = demo._status()
    assert [row.games for row in status.nodes] == [0, 3, 0]
    assert [row.has_leader for row in status.nodes] == [False, True, False]
    assert status.moving == 0


async def test_a_node_that_starts_again_has_nothing_until_it_answers(
    demo: ClusterDemo, nodes: list[DemoNode], answers: Answers
) -> None:
    a, *_ = nodes
    answers.say(a, *LOGS, leader=True)
    await a.read()
    await a.kill()
    assert demo._status().moving == 3
    a.forget()
    a._child = Process()  # type: ignore[assignment]
    status = demo._status()
    assert (status.moving, status.nodes[0].has_leader) == (3, False)
