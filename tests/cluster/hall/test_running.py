"""A running hall and the nodes that it talks to."""

from __future__ import annotations

from random import Random
from typing import cast

import msgpack

from doublecross.server.cluster.far_clients.far_websocket import FarWebSocket
from doublecross.server.cluster.far_clients.items import ADMITTED, OPENED
from doublecross.server.cluster.hall.running import RunningHall
from doublecross.server.cluster.items import Ask, unpack
from doublecross.server.cluster.network import Network
from doublecross.server.cluster.parts import HallTerms, NodeParts, OwnedLog
from doublecross.server.cluster.watches import SharedWatch
from doublecross.server.core.cluster_storage import HALL, Claim
from doublecross.server.core.limits import Patience, ServerLimits
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.authority import AuthorityConfig
from doublecross.server.shell.upkeep.service_time import TimeSource
from tests.fakes.store import FakeStore
from tests.server.playing import ADDRESSES, T0, TIMES


class Link:
    """The link to a node, which keeps what was sent."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, item: bytes) -> bool:
        self.sent.append(item)
        return True


class OneLink:
    """A network in which every run is at the other end of one link."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def link(self, _: str) -> Link:
        return self._link

    def send(self, _: str, item: bytes) -> bool:
        return self._link.send(item)


async def test_clients_hear_what_they_were_told_before_a_node_hears_more() -> None:
    """Otherwise a room is shown to a player of whom the node has not heard yet."""
    link = Link()
    parts = NodeParts(
        cast("Network", OneLink(link)),
        lambda _: FakeStore(),
        AuthorityConfig(TIMES, ServerLimits(), "epoch", ADDRESSES),
        TimeSource.simple(lambda: T0),
        lambda: True,
        Patience(5.0, 60.0, 1 << 20),
        HallTerms(Random(1)),
    )
    own = OwnedLog(Claim(HALL, 1), FakeStore(), SharedWatch(None).of_log(), lambda: None)
    running = RunningHall(parts, own, AdviceService(None), None, 0)
    running.hall.owners_changed({"aaaa": "edge"})
    running.connections.take("edge", [OPENED, 1, "doublecross.v1.json", "1.2.3.4", ""])
    peer = running.connections.peer_of("edge", 1)
    assert peer is not None
    assert isinstance(peer.websocket, FarWebSocket)
    link.sent.clear()
    peer.websocket.tell(ADMITTED, "Ann")
    running.linked("edge")
    admitted, asked = link.sent
    assert msgpack.unpackb(admitted) == [ADMITTED, 1, "Ann"]
    assert unpack(asked) == Ask(1, ("aaaa",))
    await running.close()
