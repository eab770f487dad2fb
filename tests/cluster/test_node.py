"""What a node knows of the logs of its cluster."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from server.cluster.core.storage import HALL, Log, Picture
from server.cluster.core.storage import Node as KnownNode
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


async def test_the_hall_hears_of_logs_whose_owner_has_died() -> None:
    """Otherwise it would open without their rooms, and play games of tournaments again."""
    node = Node(
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
