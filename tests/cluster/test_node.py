"""What a node knows of the logs of its cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

import pytest
from msgpack import unpackb

from protocol.client_messages import Move, Resume
from protocol.common import PlayerInfo
from protocol.version import CloseCode
from server.cluster.core.storage import HALL, Claim, Log, LogLostError, Picture
from server.cluster.core.storage import Node as KnownNode
from server.cluster.edge.peer import EdgePeer
from server.cluster.items import Ask, Begin, End, pack
from server.cluster.lines import items
from server.cluster.lines.items import Introduction
from server.cluster.network import Network
from server.cluster.node import Node
from server.core.limits import ServerLimits
from server.core.room import Room
from server.core.storage import StoreError
from server.core.terms import RoomTerms
from server.shell.accounts.rights import Rights
from server.shell.authority import AuthorityConfig
from tests.cluster.lines.nodes import FakeLine, kinds, taken
from tests.fakes.store import FakeStore
from tests.server.playing import T0, TIMES
from tests.server.world import dots


class NoLinks:
    """Links of which none is ever up."""

    run = "own"

    def to(self, run: str) -> NoLinks:
        return self

    def send(self, item: bytes) -> bool:
        return False

    def soon(self, work: Callable[[], None]) -> None:
        work()


class Links(NoLinks):
    """Links that are all up, and keep what is sent."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def to(self, run: str) -> Links:
        return self

    def send(self, item: bytes) -> bool:
        self.sent.append(item)
        return True


def connected(node: Node, name: str) -> EdgePeer:
    """Return a client of the node that is logged in."""
    line = FakeLine("doublecross.v1.msgpack")
    peer = EdgePeer(line, ServerLimits(), 0.0, len(node.edge.peers) + 1, node.far.refusals)
    node.edge.peers[peer.number] = peer
    rights = Rights(f"account of {name}")
    player = PlayerInfo(name=name, kind="human")
    found = Introduction(1, player, rights, line.subprotocol, "", "", "", False, False)
    node.edge.take("own", [items.ADMITTED, peer.number, list(found.fields())])
    return peer


def known(run: str, *, is_live: bool) -> KnownNode:
    return KnownNode(f"node {run}", run, is_live, T0, "1", "")


def new_node(
    store: FakeStore | None = None,
    links: NoLinks | None = None,
    may_show: Callable[[], bool] = lambda: True,
) -> Node:
    return Node(
        Network(links or NoLinks()),
        lambda _: store or FakeStore(),
        list,
        lambda _: None,
        lambda: None,
        AuthorityConfig(TIMES, ServerLimits(), "epoch"),
        Random(1),
        lambda: T0,
        lambda: T0,
        None,
        may_show,
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


async def test_a_node_without_a_lease_does_not_say_that_a_room_is_unknown() -> None:
    holds = True
    node = new_node(may_show=lambda: holds)
    assert not node.edge.exists("zzzz")
    holds = False
    assert node.edge.exists("zzzz")


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


async def test_no_request_stays_silent_when_a_log_is_taken_away() -> None:
    """The commit finds it; then nobody here knows what the next owner has."""
    store = FakeStore()
    node = new_node(store)
    away: list[str] = []
    node.on_taken_away = away.append
    node.taken(Claim("aaaa", 1))
    async with asyncio.timeout(5):
        while not node.logs.owns("aaaa"):  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    rooms = node.running["aaaa"].side.rooms
    room, events = Room.open(RoomTerms("aaaaroom0", dots()), TIMES, T0)
    peers = {name: connected(node, name) for name in ("Ann", "Ben", "Eve")}
    for seat, name in enumerate(("Ann", "Ben")):
        events += room.sit(PlayerInfo(name=name, kind="human"), seat, T0)
    rooms.index.add(room)
    rooms.open(room, events, [(peer, None) for peer in peers.values()])
    await rooms.settled()
    ann, ben, eve = peers.values()
    assert [kinds(peer)[0] for peer in peers.values()] == ["room_state"] * 3
    store.hold()
    for peer, message in (
        (ann, Move(id=5, room=room.id, match=1, ply=0, action=3)),
        (ben, Resume(id=6, room=room.id, seq=1)),
    ):
        node.edge.said(peer, message, peer.codec.encode(message))
        await asyncio.sleep(0)
    settling = asyncio.ensure_future(rooms.settled(games=True))
    await asyncio.sleep(0)
    store.fail_next(error=LogLostError(["aaaa"]))
    store.release()
    with pytest.raises(StoreError):
        await settling
    assert away == ["aaaa"]
    assert not node.logs.owns("aaaa")
    assert [peer.line.ended_with for peer in (ann, ben, eve)] == [CloseCode.RESTART] * 2 + [0]
    assert taken(ann) == taken(ben) == []
    assert eve.elsewhere == {room.id: ""}
    await node.close()
    node.ended()


async def test_the_hall_is_told_the_rooms_of_a_log_that_comes_back() -> None:
    """It asks only when it sees another owner, and this one has got its own log back."""
    links = Links()
    node = new_node(links=links)
    told = []
    for token in (1, 3):
        node.taken(Claim("aaaa", token))
        if token == 1:
            node.take("far", unpackb(pack(Ask(7, ("aaaa",)))), pack(Ask(7, ("aaaa",))))
        async with asyncio.timeout(5):
            while not node.logs.owns("aaaa"):  # noqa: ASYNC110 - it has no event
                await asyncio.sleep(0)
        kinds_sent = [unpackb(item)[0] for item in links.sent if unpackb(item)]
        told.append([k for k in (Begin, End) if unpackb(pack(k("aaaa")))[0] in kinds_sent])
        links.sent.clear()
        node.lost("aaaa")
    assert told == [[Begin, End]] * 2
    await node.close()
    node.ended()
