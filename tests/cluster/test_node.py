"""What a node knows of the logs of its cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

from server.cluster.core.storage import HALL, Claim, Log, Picture
from server.cluster.core.storage import Node as KnownNode
from server.cluster.lines import items
from server.cluster.network import Network
from server.cluster.node import Node
from server.core.limits import ServerLimits
from server.shell.authority import AuthorityConfig
from tests.fakes.store import FakeStore
from tests.server.playing import T0, TIMES


class NoLinks:
    """Links of which none is ever up."""

    run = "own"

    def to(self, run: str) -> NoLinks:
        return self

    def send(self, item: bytes) -> bool:
        return False

    def soon(self, work: Callable[[], None]) -> None:
        work()


def known(run: str, *, is_live: bool) -> KnownNode:
    return KnownNode(f"node {run}", run, is_live, T0, "1", "")


def new_node() -> Node:
    return Node(
        Network(NoLinks()),
        lambda _: FakeStore(),
        list,
        lambda _: None,
        lambda: None,
        AuthorityConfig(TIMES, ServerLimits(), "epoch"),
        Random(1),
        lambda: T0,
        lambda: T0,
        None,
        lambda: True,
        hello_s=5.0,
        silence_s=60.0,
        write_buffer=1 << 20,
    )


async def test_the_hall_hears_of_logs_whose_owner_has_died() -> None:
    """Otherwise it would open without their rooms, and play games of tournaments again."""
    node = new_node()
    nodes = [known("own", is_live=True), known("dead", is_live=False)]
    logs = [
        Log("aaaa", 1, "own"),
        Log("bbbb", 1, "dead"),
        Log("cccc", 2, None),
        Log(HALL, 3, "own"),
    ]
    picture = Picture(1, T0, {n.run: n for n in nodes}, {log.log: log for log in logs})
    node.changed(picture)
    assert node.owners() == {"aaaa": "own", "bbbb": None, "cccc": None}


async def test_what_clients_say_to_a_hall_that_begins_in_a_moment_is_not_lost() -> None:
    """Their nodes hear at once who has the hall, and say only once who their clients are."""
    node = new_node()
    node.taken(Claim(HALL, 3))
    node.take("far", [items.GONE, 7], b"")
    node.take("gone", [items.GONE, 8], b"")
    assert node.hall is None
    node.reset("gone")
    async with asyncio.timeout(5):
        while node.hall is None:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    assert node.hall.waiting == [("far", [items.GONE, 7])]
    node.lost(HALL)
    node.take("far", [items.GONE, 9], b"")
    node.taken(Claim(HALL, 5))
    async with asyncio.timeout(5):
        while node.hall is None:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    assert node.hall.waiting == []
    node.ended()
