"""Measure what each kind of work costs the leader: processor time of its event loop, and memory.

A real leader runs on a real PostgreSQL, in this process. Its links lead nowhere, so the figures are
those of the leader alone: what nodes send and receive is not in them. The time is that of the
thread of the event loop. Work of others on the machine can raise it, because they share caches.
"""

from __future__ import annotations

import asyncio
import gc
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, NamedTuple, cast

import msgpack

from doublecross.protocol.codec import codec_for
from doublecross.protocol.common import MatchSettings, PlayerInfo, TimeControl
from doublecross.protocol.version import MSGPACK, PROTOCOL_VERSION
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.items import (
    KINDS,
    Ask,
    Happened,
    Open,
    Reporting,
    Settle,
    Settled,
    Stored,
    item_of,
    pack,
)
from doublecross.server.cluster.leader.running import RunningLeader
from doublecross.server.cluster.leader.state import LeaderState
from doublecross.server.cluster.network import Network
from doublecross.server.cluster.parts import NodeParts, OwnedLog
from doublecross.server.core.cards import shadow_after
from doublecross.server.core.cluster_storage import Claim
from doublecross.server.core.events import match_started, rematch_offered
from doublecross.server.core.limits import Patience, ServerLimits
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTerms, RoomTimes
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.authority import AuthorityConfig
from doublecross.server.shell.identity.rights import new_token
from doublecross.server.shell.settings import ServerSettings
from doublecross.server.shell.upkeep.service_time import TimeSource
from doublecross.server.store.cluster.store import ClusterStore

RUN: Final = "gateway"
LOG: Final = "zzzz"
NODES: Final = 100
LOGS: Final = 2
"""How many other nodes there are, and how many logs each of them has."""
T0: Final = 1_700_000_000_000
PATIENCE_S: Final = 30.0
NEVER: Final = 1_000_000_000
TIMES: Final = RoomTimes(NEVER, NEVER, NEVER, NEVER, NEVER)
LIMITS: Final = ServerLimits(messages_per_s=NEVER, burst=NEVER, rooms=NEVER, offers=NEVER)
CONFIG: Final = AuthorityConfig(TIMES, LIMITS, "bench", ServerSettings().addresses)
SETTINGS: Final = MatchSettings(
    game="dots-and-boxes",
    params={"rows": 5, "cols": 5},
    time=TimeControl(base_ms=180_000, increment_ms=2_000),
    rated=True,
)
_CODEC: Final = codec_for(MSGPACK)
Events = list[Any]


class Link:
    """The link to a node that only counts."""

    def __init__(self) -> None:
        self.items = 0
        self.bytes = 0

    def send(self, item: bytes) -> bool:
        """Take an item."""
        self.items += 1
        self.bytes += len(item)
        return True

    later = send


@dataclass
class Found:
    """What was measured: a line is a name in `costs.toml`, a value and its unit."""

    lines: list[tuple[str, float, str]] = field(default_factory=list)

    def add(self, name: str, value: float, unit: str) -> None:
        """Note a figure, and print it."""
        self.lines.append((name, value, unit))
        print(f"{name:28} {value:10.1f} {unit}", flush=True)


class Spent(NamedTuple):
    """Microseconds of the event loop's thread, and bytes that stayed in memory."""

    us: float
    held: int


class Clock:
    """Seconds of the thread, and bytes of memory if `tracemalloc` runs."""

    def __init__(self) -> None:
        self.spent = Spent(0.0, 0)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Measure what happens inside."""
        held, began = _held(), time.thread_time()
        yield
        used = time.thread_time() - began
        self.spent = Spent(1e6 * used, _held() - held)


def _held() -> int:
    """Return the bytes in memory that are in use, or 0 if nothing counts them."""
    if not tracemalloc.is_tracing():
        return 0
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


class LeaderBench:
    """A leader, with one node that has all connections and all rooms, and many other nodes."""

    run = RUN

    def __init__(self, store: ClusterStore, claim: Claim) -> None:
        self.node_link = Link()
        self.time = T0
        self._numbers = iter(range(1, NEVER))
        self._claim = claim
        self._store = store
        self.leader: RunningLeader

    async def start(self) -> None:
        """Open the leader on an empty log."""
        store = self._store.store_of(self._claim)
        parts = NodeParts(
            cast("Network", self),
            self._store.store_of,
            CONFIG,
            TimeSource.simple(lambda: self.time),
            lambda: True,
            Patience(NEVER, NEVER, 1 << 20, turn_s=NEVER),
            Random(1),
        )
        own = OwnedLog(self._claim, store, lambda: None)
        self.leader = RunningLeader(
            parts, own, AdviceService(None), LeaderState(0, 0, ""), await store.last_entry_id()
        )
        owners = {LOG: RUN, **{f"a{n:03}": f"node-{n // LOGS}" for n in range(LOGS * NODES)}}
        await self.leader.start(lambda: owners)

    def send(self, run: str, item: bytes) -> bool:
        """Send an item to a node, which answers as one with nothing to do."""
        # Items begin with the length of an array, then their kind. Those for clients have others.
        sent = item_of(msgpack.unpackb(item, use_list=False)) if item[1] in KINDS else None
        if isinstance(sent, Ask):
            self._soon(run, *(pack(Reporting(log)) for log in sent.logs))
        elif isinstance(sent, Settle):
            self._soon(run, pack(Settled(sent.number, True)))
        elif isinstance(sent, Open):
            self._soon(run, pack(Stored(sent.room, T0)))
        return self.node_link.send(item)

    later = send

    def _soon(self, run: str, *answers: bytes) -> None:
        """Let a node answer."""
        for each in answers:
            asyncio.get_running_loop().call_soon(self.report, each, run)

    def report(self, data: bytes, run: str = RUN) -> None:
        """Let the leader have an item of a node."""
        item = item_of(msgpack.unpackb(data, use_list=False))
        self.leader.handlers[type(item)](run, item)

    def take(self, item: bytes) -> None:
        """Let the leader have an item about a connection."""
        self.leader.connections.take(RUN, msgpack.unpackb(item, use_list=False))

    def connect(self) -> int:
        """Open a connection at the node; return its number."""
        number = next(self._numbers)
        self.take(items.pack((items.OPENED, number, MSGPACK, "", "")))
        return number

    async def settle(self) -> None:
        """Wait until everything is stored, and nothing is to be done."""
        authority = self.leader.authority
        for _ in range(3):
            await authority.committer.settled()
            await asyncio.sleep(0)

    # -- what is measured ----------------------------------------------------------------------

    async def hello(self, hellos: list[bytes]) -> list[int]:
        """Let people come; see `hellos`."""
        numbers: list[int] = []
        sessions = self.leader.authority.peers.sessions
        before = len(sessions)
        for hello in hellos:
            number = self.connect()
            numbers.append(number)
            self.take(items.pack((items.SAID, number, hello)))
            if len(numbers) % 100 == 0:
                await self.until(lambda: len(sessions) == before + len(numbers))
        await self.until(lambda: len(sessions) == before + len(numbers))
        return numbers

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait until something is done that takes the leader's database some time."""
        async with asyncio.timeout(PATIENCE_S):
            while not done():  # noqa: ASYNC110 - the leader has no event for it
                await asyncio.sleep(0.001)

    def introductions(self) -> list[tuple[Any, ...]]:
        """Return who all connected people are, as their nodes know it."""
        connections = self.leader.connections
        peers = self.leader.authority.peers.sessions.peers()
        return [connections.introduction_of(peer).fields() for peer in peers]

    async def come_back(self, introductions: list[tuple[Any, ...]]) -> None:
        """Let people come back whom a former leader has admitted."""
        for count, fields in enumerate(introductions):
            self.leader.connections.take(RUN, [items.BACK, next(self._numbers), list(fields)])
            if count % 100 == 0:
                await asyncio.sleep(0)
        await self.settle()

    async def open(self, lives: list[tuple[Room, list[Events]]]) -> None:
        """Let the leader open these rooms, and begin their matches."""
        authority = self.leader.authority
        for count, (_, (opened, begun, _)) in enumerate(lives):
            room = shadow_after([*opened, *begun], TIMES, T0)
            authority.lobby.rooms.add(room)
            authority.all_rooms.open(room, [*opened, *begun], ())
            if count % 100 == 0:
                await asyncio.sleep(0)
        await self.settle()

    async def reports(self, packed: list[bytes]) -> None:
        """Let the leader have these reports."""
        for count, each in enumerate(packed):
            self.report(each)
            if count % 100 == 0:
                await asyncio.sleep(0)
        await self.settle()

    def gone(self, number: int) -> None:
        """Let a connection end."""
        self.leader.connections.take(RUN, [items.GONE, number])

    async def stop(self) -> None:
        """End the leader."""
        await self.leader.close()


def said(number: int, message: dict[str, Any]) -> bytes:
    """Return the item of a message of a client."""
    return items.pack((items.SAID, number, _CODEC.encode(message), ()))


def hellos(names: list[str], *, known: bool = False) -> list[bytes]:
    """Return the hellos of new people, or of those who have come before and have tokens."""
    found = []
    for name in names:
        key = f"key-of-{name:>12}".replace(" ", "-")
        who = {"token": new_token(name, key)} if known else {"name": name, "key": key}
        hello = {"type": "hello", "id": 1, "protocol": PROTOCOL_VERSION, "kind": "human"}
        found.append(_CODEC.encode({**hello, **who}))
    return found


def life(
    number: int, names: tuple[str, str], log: str = LOG, moves: int = 1000
) -> tuple[Room, list[Events]]:
    """Return a room and its events: opened, match begun, and the moves with the match's end."""
    first, second = (PlayerInfo(name=name, kind="human") for name in names)
    terms = RoomTerms(f"{log}{number:08d}", SETTINGS, keys=("k" * 20, "l" * 20))
    room, opened = Room.open(terms, TIMES, T0)
    opened += room.sit(first, 0, T0)
    room.attendance.connect(0)
    begun = room.sit(second, 1, T0)
    room.attendance.connect(1)
    room.start_clock(T0)
    played: Events = []
    for _ in range(moves):
        if room.status != "playing":
            break
        assert room.match is not None
        state = room.match.state
        mover = names[state.current_player()]
        move = state.legal_actions()[0]
        played += room.move(mover, 1, room.match.ply, move, None, False, T0 + 1)
        room.start_clock(T0 + 1)
    return room, [opened, begun, played]


def afterwards(room: Room) -> list[bytes]:
    """Return the reports of a rematch that begins after the match."""
    first, second = (player.name for player in room.players if player is not None)
    begun = match_started(room.id, room.seq + 2, 2, (second, first), 0, None, T0)
    return packed([rematch_offered(room.id, room.seq + 1, 0), begun])


def packed(events: list[Any]) -> list[bytes]:
    """Return reports of these events; moves are not reported."""
    return [pack(Happened(event)) for event in events if event["type"] != "move"]
