"""Measure what the model of large clusters needs: `python -m benchmarks.scaling.measure`.

Most figures are processor time of one thread or one process in microseconds, so others on the
machine disturb them little. PostgreSQL's is that of all its processes. Each part runs once; repeat
the command to see how much the figures vary.
"""

from __future__ import annotations

import asyncio
import sys
import tracemalloc
from itertools import count
from random import Random
from typing import Annotated, Any, Final, cast

import structlog
import typer
import uvloop
from rich.console import Console

from benchmarks.scaling.database_parts import database
from benchmarks.scaling.leader_parts import (
    CONFIG,
    LIMITS,
    NEVER,
    NODES,
    RUN,
    SETTINGS,
    T0,
    TIMES,
    Clock,
    Found,
    LeaderBench,
    afterwards,
    hellos,
    life,
    packed,
    said,
)
from doublecross.protocol.client_messages import FollowLobby
from doublecross.protocol.common import MatchSettings, PlayerInfo
from doublecross.protocol.version import MSGPACK
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.far_clients.items import Introduction
from doublecross.server.cluster.gateway.lobby import GatewayLobby
from doublecross.server.cluster.gateway.peer import GatewayPeer
from doublecross.server.cluster.leader.reading import LogReader
from doublecross.server.cluster.network import Network
from doublecross.server.cluster.parts import NodeParts, OwnedLog
from doublecross.server.cluster.rooms.running import RunningLog
from doublecross.server.core.cluster_storage import LEADER, ClusterBatch, LogWrite
from doublecross.server.core.limits import Patience
from doublecross.server.core.storage import JournalEntry
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.identity.rights import Rights
from doublecross.server.shell.peer import MSGPACK_CODEC
from doublecross.server.shell.sessions import Sessions
from doublecross.server.shell.upkeep import pauses
from doublecross.server.shell.upkeep.service_time import TimeSource
from doublecross.server.store.cluster.store import ClusterStore
from tests.fakes.peers import FakeWebSocket
from tests.services.postgresql import Postgres
from tests.services.shared import empty_database, template

_LOBBY_ROOMS: Final = 200
_IN_COMMIT: Final = 6
_COMMIT_S: Final = 0.0025
"""1,250 quick matches a second are six requests in each commit of 2.5 ms."""
_keys: Final = count()
_LISTS: Final = ("players", "seeks", "rooms", "tournaments")
_TOTALS: Final = ("players_total", "seeks_total", "rooms_total")
_FLUSHES: Final = 10
"""Updates of the lobby that take all logins so far."""


async def leader(store: ClusterStore, found: Found, people: int) -> None:
    """Measure the leader with so many people, half as many rooms, and followers of the lobby."""
    claim = await store.claim_log((await store.snapshot()).logs[LEADER], RUN)
    assert claim is not None
    bench = LeaderBench(store, claim)
    await bench.start()
    clock = Clock()
    is_memory = tracemalloc.is_tracing()

    def note(name: str, count: int) -> None:
        if is_memory:
            found.add(f"{name}_bytes", clock.spent.held / count, "bytes")
        else:
            found.add(f"{name}_us", clock.spent.us / count, "us")

    names = [f"person-{number}" for number in range(people)]
    new, known = hellos(names), hellos(names, known=True)
    with clock.running():
        numbers = await bench.hello(new)
        introductions = bench.introductions()
    note("leader_newcomer" if not is_memory else "leader_connection", people)
    if not is_memory:
        for number in numbers:
            bench.gone(number)
        await bench.settle()
        with clock.running():
            numbers = await bench.hello(known)
        note("leader_hello", people)
        before = bench.node_link.items
        asked = [
            (
                said(each, {"type": "get_ties", "id": 2}),
                said(each, {"type": "get_open_games", "id": 3}),
            )
            for each in numbers
        ]
        with clock.running():
            for ties, games in asked:
                bench.take(ties)
                bench.take(games)
                await asyncio.sleep(0)
            await bench.until(lambda: bench.node_link.items >= before + 2 * people)
        note("leader_page", people)
    pairs = list(zip(names[::2], names[1::2], strict=True))
    lives = [life(number, pair) for number, pair in enumerate(pairs)]
    with clock.running():
        await bench.open(lives)
    opened_us = clock.spent.us / len(lives)
    note("leader_room_opened" if not is_memory else "leader_room", len(lives))
    if not is_memory:
        ends = [data for _, parts in lives for data in packed(parts[2])]
        with clock.running():
            await bench.reports(ends)
        note("leader_match_ended", len(lives))
        others = [data for room, _ in lives for data in afterwards(room)]
        with clock.running():
            await bench.reports(others)
        note("leader_report", len(others))
        found.add("report_bytes", sum(map(len, ends)) / len(ends), "bytes")
        await _lobby(bench, found, clock, [room.id for room, _ in lives])
        # What follows from the rooms counts by itself.
        quick_us = await _quick_matches(bench, clock, numbers) - opened_us
        found.add("leader_quick_match_us", quick_us, "us")
        late_us = await _late_matches(bench, clock, numbers) - opened_us
        found.add("leader_seek_us", late_us - quick_us, "us")
        with clock.running():
            for number in numbers:
                bench.gone(number)
            await bench.settle()
        note("leader_gone", people)
        with clock.running():
            await bench.come_back(introductions)
        note("leader_back", people)
    await bench.stop()


async def _quick_matches(bench: LeaderBench, clock: Clock, numbers: list[int]) -> float:
    """Let people find each other, as many in a commit as in the model; return the time of each."""
    known = bench.leader.authority.lobby.rooms
    before = len(known)
    asked = [_quick_match(number, SETTINGS) for number in numbers]
    with clock.running():
        for done, item in enumerate(asked, 1):
            bench.take(item)
            if done % _IN_COMMIT == 0:
                await asyncio.sleep(_COMMIT_S)
        await bench.until(lambda: len(known) == before + len(numbers) // 2)
        await bench.settle()
    return clock.spent.us / (len(numbers) // 2)


def _quick_match(number: int, settings: MatchSettings) -> bytes:
    key = f"quick-{next(_keys):020d}"
    asked = {"type": "quick_match", "id": 20, "key": key, "settings": settings.model_dump()}
    return said(number, asked)


async def _late_matches(bench: LeaderBench, clock: Clock, numbers: list[int]) -> float:
    """Let people seek different matches, which others take after a sweep, as above."""
    known = bench.leader.authority.lobby.rooms
    before, half = len(known), len(numbers) // 2
    times = [SETTINGS.time.model_copy(update={"base_ms": 1000 + each}) for each in range(half)]
    settings = [SETTINGS.model_copy(update={"time": each}) for each in times] * 2
    asked = [_quick_match(*each) for each in zip(numbers, settings, strict=True)]
    with clock.running():
        for done, item in enumerate(asked, 1):
            bench.take(item)
            if done % _IN_COMMIT == 0:
                bench.leader.authority.offers.expire()
                await asyncio.sleep(_COMMIT_S)
        await bench.until(lambda: len(known) == before + half)
        await bench.settle()
    return clock.spent.us / half


async def _lobby(bench: LeaderBench, found: Found, clock: Clock, rooms: list[str]) -> None:
    """Measure an update of the lobby for few nodes and for many, and the whole lobby at a node."""
    authority = bench.leader.authority
    feed = authority.lobby_feed
    spent: dict[tuple[int, int], float] = {}
    several = min(_LOBBY_ROOMS, len(rooms)) // 2
    # Those of the list, so that each has a line.
    feed.listing.settle()
    shown = [room.id for room in feed.listing.rooms.all()][:several]
    few = NODES // 10
    for nodes in (few, NODES):
        for number in range(nodes):
            bench.leader.connections.take(f"node-{number}", [items.LOBBY, items.OF_NODE])
        for _ in range(_FLUSHES):
            await bench.settle()
            authority.sweep()
        await bench.settle()
        for lines in (1, len(shown)):
            for room_id in shown[:lines]:
                feed.room_changed(authority.lobby.rooms[room_id])
            before = bench.node_link.bytes
            with clock.running():
                feed.flush()
                await bench.settle()
            spent[nodes, lines] = clock.spent.us
            if lines == len(shown) and nodes == few:
                size = (bench.node_link.bytes - before) / lines / nodes
                found.add("lobby_line_bytes", size, "bytes")
    more = spent[NODES, 1] - spent[few, 1]
    found.add("leader_following_node_us", more / (NODES - few), "us")
    found.add("leader_lobby_line_us", (spent[few, several] - spent[few, 1]) / (several - 1), "us")
    await _shown(feed.listing.frame(False), found, clock)


async def _shown(state: bytes, found: Found, clock: Clock) -> None:
    """Measure how a node shows the lobby to those who come."""
    lobby = GatewayLobby(lambda: True, lambda: 0.0)
    peers = [GatewayPeer(Sink(), LIMITS, 0.0, number, {}) for number in range(1, 201)]
    lobby.request(peers[0], FollowLobby(id=1), RUN)
    lobby.take(RUN, state)
    await asyncio.sleep(0)
    change = {"type": "lobby_changed", "ratings": (), **dict.fromkeys(_TOTALS, 0)}
    nothing = {f"{name}{gone}": () for name in _LISTS for gone in ("", "_gone")}
    nobody = MSGPACK_CODEC.encode(change | nothing)
    with clock.running():
        for peer in peers[1:]:
            lobby.request(peer, FollowLobby(id=1), RUN)
    found.add("gateway_lobby_us", clock.spent.us / (len(peers) - 1), "us")
    same = clock.spent.us
    with clock.running():
        for peer in peers[1:]:
            lobby.lost(peer)
            lobby.take(RUN, nobody)
            lobby.request(peer, FollowLobby(id=1), RUN)
    found.add("gateway_lobby_encoded_us", (clock.spent.us - same) / (len(peers) - 1), "us")
    found.add("lobby_state_bytes", len(state), "bytes")


class Sink:
    """A websocket that only counts."""

    subprotocol = MSGPACK
    is_open = True
    ended_with = 0

    def __init__(self) -> None:
        self.bytes = 0

    def write(self, frame: bytes, /) -> None:
        """Take a frame."""
        self.bytes += len(frame)

    def buffered(self) -> int:
        """Return 0."""
        return 0


class Nobody:
    """A network to which nobody listens."""

    def later(self, _: str, __: bytes) -> bool:
        """Drop an item."""
        return True


async def rooms(store: ClusterStore, found: Found, count: int) -> None:
    """Measure the take-over of a log with so many rooms, each in the middle of its match."""
    await store.renew(RUN)
    claim = await store.create_log(RUN)
    for number in range(count):
        terms_events = life(number, (f"first-{number}", f"second-{number}"), claim.log, moves=30)[1]
        frames = b"".join(MSGPACK_CODEC.encode(event) for part in terms_events for event in part)
        entry = JournalEntry(number + 1, T0, frames)
        await store.commit(ClusterBatch([LogWrite(claim, entry)]))
    parts = NodeParts(
        cast("Network", Nobody()),
        store.store_of,
        CONFIG,
        TimeSource.simple(lambda: T0),
        lambda: True,
        Patience(NEVER, NEVER, 1 << 20),
        Random(1),
    )
    own = OwnedLog(claim, store.store_of(claim), lambda: None)
    log = RunningLog(parts, own, Sessions(), AdviceService(None), await own.store.last_entry_id())
    clock = Clock()
    if not tracemalloc.is_tracing():
        reader = LogReader(store.store_of(claim), store.entries, TIMES, lambda: T0)
        with clock.running():
            read = await reader.read(claim.log, list)
        assert len(read.rooms) == count
        found.add("leader_room_read_us", clock.spent.us / count, "us")
    with clock.running():
        restored = await log.start()
    assert restored == count
    if tracemalloc.is_tracing():
        found.add("room_bytes", clock.spent.held / count, "bytes")
    else:
        found.add("room_taken_us", clock.spent.us / count, "us")
    await log.settle()


def gateways(found: Found, count: int) -> None:
    """Measure the memory of what a gateway knows of a connection, beside the websocket itself."""
    clock = Clock()
    held: list[Any] = []
    with clock.running():
        for number in range(count):
            peer = GatewayPeer(FakeWebSocket(MSGPACK), LIMITS, 0.0, number, {})
            peer.introduction = Introduction(
                number,
                PlayerInfo(name=f"person-{number}", kind="human"),
                Rights(f"account of person-{number}"),
                MSGPACK,
                "127.0.0.1",
                "127.0.0.1",
                "the page",
                boards=True,
                takebacks=True,
                exclusive=False,
            )
            held.append(peer)
    websockets = Clock()
    with websockets.running():
        held.extend(FakeWebSocket(MSGPACK) for _ in range(count))
    found.add(
        "gateway_connection_bytes", (clock.spent.held - websockets.spent.held) / count, "bytes"
    )


async def measured(people: int, *, memory: bool) -> Found:
    """Measure everything; print each figure when it is known."""
    # The server of the tests has no fsync, which a host's server has.
    postgres = Postgres.start_new(template(), fsync="on")
    # A pause of a busy machine may not end the measurement.
    store = await ClusterStore.open(await empty_database(postgres), lease_answer_s=60)
    found = Found()
    try:
        await store.join("bench", RUN)
        if memory:
            tracemalloc.start()
            gateways(found, people)
        await leader(store, found, people)
        await rooms(store, found, people // 2)
        if not memory:
            connection = await postgres.connect("cluster")
            try:
                await database(connection, store, found, people)
            finally:
                await connection.close()
    finally:
        await store.close()
        postgres.close()
    return found


def measure(
    people: Annotated[int, typer.Option(min=200, help="Number of people.")] = 2000,
    memory: Annotated[bool, typer.Option(help="Measure memory instead of time.")] = False,
) -> None:
    """Measure the costs of the leader, of rooms and of PostgreSQL; it takes about a minute."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("critical"))
    pauses.keep_short()  # as a server does
    if sys.platform != "linux":
        Console(stderr=True).print("This reads the processor clocks of Linux.")
        raise typer.Exit(2)
    uvloop.run(measured(people, memory=memory))


if __name__ == "__main__":
    typer.run(measure)
