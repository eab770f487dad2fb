"""Random runs with many clients, failing commits, cuts and crashes: all clients see the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from pydantic import TypeAdapter

from doublecross.client.core.room import RoomMirror
from doublecross.protocol.client_messages import (
    AcceptSeek,
    AnswerTakeback,
    AskTakeback,
    Claim,
    CreateRoom,
    FollowLobby,
    JoinRoom,
    Leave,
    QuickMatch,
    Rematch,
    Resign,
    Resume,
    Seek,
    Watch,
)
from doublecross.protocol.common import DAY_MS, TimeControl
from doublecross.protocol.server_messages import RoomState, ServerMessage
from doublecross.server.core.rooms.replay import restore
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import snapshot
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.rooms.channel import Channel, read_frame
from tests.fakes.peers import FakePeer
from tests.fakes.store import FakeStore
from tests.server.playing import TIMES, dots
from tests.server.world import World

NAMES = ("Ann", "Bob", "Cat", "Dan")
SETTINGS = (
    *(dots(1, 2), dots(2, 2), dots(1, 1, time=TimeControl(base_ms=3000), rated=True)),
    dots(1, 2, time=TimeControl(move_ms=DAY_MS)),
)
BY_DAYS = SETTINGS[-1:]
MOST_TABS = 3
STEPS = 300
EVENT_TYPES = frozenset(
    {
        "room_created",
        "seated",
        "match_started",
        "move",
        "match_finished",
        "rematch_offered",
        "rematch_ended",
        "takeback_asked",
        "takeback_declined",
        "takeback",
        "room_closed",
    }
)
AGAIN = ("move", "takeback_asked", "takeback_declined", "takeback")
"""The events that also answer a request that is sent again."""
MESSAGES: TypeAdapter[ServerMessage] = TypeAdapter(ServerMessage)


class Client:
    """Record what one player's connection has received and requested."""

    def __init__(self, name: str, peer: FakePeer) -> None:
        self.name = name
        self.peer = peer
        self.asked: set[int] = set()
        self.answers: Counter[int] = Counter()
        self.seen: dict[str, int] = {}
        """The last event of each room that it follows."""
        self.resumes: dict[int, int] = {}
        self.leaves: dict[int, str] = {}
        self.mirrors: dict[str, RoomMirror] = {}
        """What the client in Python makes of the rooms."""


class Storm:
    """Run one seeded scenario. `facts` has every received event, by room and number."""

    def __init__(self, seed: int, *, by_days: bool = False) -> None:
        self.rng = Random(seed)
        self.by_days = by_days
        self.seed = seed
        self.world = World(FakeStore(), seed)
        self.clients: list[Client] = []
        """The open connections; a player may have several."""
        self.facts: dict[tuple[str, int], dict[str, Any]] = {}
        self.known: dict[str, int] = {}
        """The rooms that any client has seen, with the number of the last event received."""
        self.keys = 0
        self.counts: Counter[str] = Counter()

    async def start(self) -> None:
        await self.world.start()
        for name in NAMES:
            self.arrive(name)

    # -- receiving -----------------------------------------------------------------------------

    def receive(self, client: Client) -> None:
        for message in client.peer.take():
            self.counts[message["type"]] += 1
            if message.get("id") is not None:
                client.answers[message["id"]] += 1
                assert message["id"] in client.asked
            if message["type"] == "done" and message["id"] in client.leaves:
                client.seen.pop(client.leaves[message["id"]], None)
            if message["type"] == "error":
                self.counts[message["code"]] += 1
                assert message["code"] != "internal"
            elif message["type"] == "room_state":
                self.shown(client, message)
            elif message["type"] in EVENT_TYPES:
                self.event(client, message)

    def event(self, client: Client, message: dict[str, Any]) -> None:
        is_answer = "id" in message
        message = {k: v for k, v in message.items() if k != "id"}
        room, seq = message["room"], message["seq"]
        if is_answer and seq <= client.seen.get(room, 0):
            self.counts["again"] += 1  # a move that was sent twice
            assert message["type"] in AGAIN
            assert self.facts[room, seq] == message
            return
        assert self.facts.setdefault((room, seq), message) == message
        self.known[room] = max(seq, self.known.get(room, 0))
        if room in client.seen:
            assert seq == client.seen[room] + 1
            client.seen[room] = seq
            if room in client.mirrors:
                assert client.mirrors[room].apply(MESSAGES.validate_python(message), 0.0)
            if message["type"] == "room_closed":
                del client.seen[room]

    def shown(self, client: Client, message: dict[str, Any]) -> None:
        room = message["room"]
        self.mirror(client, MESSAGES.validate_python(message))
        if "events" in message:
            for event in message["events"]:
                key = (room, event["seq"])
                assert self.facts.setdefault(key, event) == event
            seq = client.resumes[message["id"]]
            numbers = [event["seq"] for event in message["events"]]
            assert numbers == list(range(seq + 1, seq + 1 + len(numbers)))
            client.seen[room] = seq + len(numbers)
            return
        client.seen[room] = message["snapshot"]["seq"]
        self.known.setdefault(room, message["snapshot"]["seq"])
        channel = self.world.authority.rooms.registry.channels.get(room)
        if channel is None or channel.first > 1:
            return  # it has slept, and has forgotten some events
        if channel.last_seq >= message["snapshot"]["seq"]:
            events = [read_frame(frame) for frame in channel.frames]
            then = restore(events[: message["snapshot"]["seq"]], TIMES, 0)
            clocks = {k: message["snapshot"][k] for k in ("clock_ms", "clock_runs")}
            assert {**snapshot(then, 0), **clocks} == message["snapshot"]

    def mirror(self, client: Client, message: ServerMessage) -> None:
        """Let the mirror of a room follow a `room_state`, as `FollowedRooms` does."""
        assert isinstance(message, RoomState)
        known = client.mirrors.get(message.room)
        events = message.events or ()
        if message.snapshot is not None or (events and events[0].seq == 1):
            client.mirrors[message.room] = RoomMirror(message, 0.0)
        elif known is not None and client.resumes.get(message.id or 0, 0) <= known.seq:
            known.catch_up(message, 0.0)
        else:  # it asked for the events after one that it has not seen
            client.mirrors.pop(message.room, None)

    async def settle(self) -> None:
        await self.world.settle()
        for client in self.clients:
            self.receive(client)

    # -- acting --------------------------------------------------------------------------------

    def arrive(self, name: str) -> None:
        """Connect a player, once more or for the first time; a bot has one connection."""
        if len(self.of(name)) >= MOST_TABS:
            self.depart(self.of(name)[0])
        peer = self.world.arrive(name, bot=name == "Dan")
        peer.takebacks = name != "Cat" or self.rng.random() < 0.5
        for old in self.of(name):
            if old.peer.replaced:
                self.receive(old)
                self.clients.remove(old)
        self.clients.append(Client(name, peer))

    def of(self, name: str) -> list[Client]:
        """Return the connections of a player."""
        return [client for client in self.clients if client.name == name]

    def depart(self, client: Client) -> None:
        self.receive(client)
        self.clients.remove(client)
        self.world.authority.depart(client.peer)

    def depart_one(self) -> None:
        if self.clients:
            self.depart(self.rng.choice(self.clients))

    def ask(self, kind: Any, **fields: Any) -> None:
        if self.clients:
            client = self.rng.choice(self.clients)
            client.asked.add(self.world.ask(client.peer, kind, **fields))

    def key(self) -> str:
        if self.rng.random() < 0.8:
            self.keys += 1
        return f"{self.seed}-{self.keys}"

    def some_room(self) -> str:
        rooms = list(self.known)[-6:]
        return self.rng.choice(rooms) if rooms else "none"

    def move(self) -> None:
        rooms = [r for r in self.world.authority.lobby.rooms.values() if r.status == "playing"]
        if not rooms:
            return
        room = self.rng.choice(rooms)
        assert room.match is not None
        mover = room.players[room.match.state.current_player()]
        assert mover is not None
        name = mover.name if self.rng.random() < 0.9 else self.rng.choice(NAMES)
        if tabs := self.of(name):
            client = self.rng.choice(tabs)
            action = self.rng.choice(room.match.state.legal_actions())
            ply = room.match.ply - (self.rng.random() < 0.1)
            count = room.match.takebacks.count
            takebacks = self.rng.choice((None, count, count, max(0, count - 1)))
            for _ in range(2 if self.rng.random() < 0.2 else 1):  # sometimes sent twice
                asked = self.world.move(client.peer, room, action, max(0, ply), takebacks)
                client.asked.add(asked)

    def takeback(self) -> None:
        """Answer a request for a takeback, or ask for one; sometimes twice, sometimes too late."""
        known = self.world.authority.lobby.rooms.values()
        rooms = [r for r in known if r.status == "playing" and not r.settings.rated]
        if not rooms:
            return
        waiting = [r for r in rooms if r.match is not None and r.match.takebacks.request]
        room, rng = self.rng.choice(waiting or rooms), self.rng
        match = room.match
        assert match is not None
        asks = match.takebacks.request
        seat = rng.randrange(2) if asks is None or rng.random() < 0.1 else 1 - asks.seat
        player = room.players[seat]
        assert player is not None
        tabs = self.of(player.name)
        if not tabs or not match.moves:
            return
        client = rng.choice(tabs)
        request = match.takebacks.request
        own = [ply for ply, seat in enumerate(match.movers) if seat == room.seat_of(client.name)]
        ply = rng.choice(own or [0]) if request is None else request.ply
        count = max(0, match.takebacks.count - (rng.random() < 0.1))
        key = {"room": room.id, "match": room.match_number, "ply": ply, "takebacks": count}
        for _ in range(2 if rng.random() < 0.3 else 1):
            if request is None or rng.random() < 0.1:
                asked = self.world.ask(client.peer, AskTakeback, **key)
            else:
                accept = rng.random() < 0.5
                asked = self.world.ask(client.peer, AnswerTakeback, accept=accept, **key)
            client.asked.add(asked)

    def rematch(self) -> None:
        over = [r for r in self.world.authority.lobby.rooms.values() if r.status == "finished"]
        for room in over[-2:]:
            for player in room.players:
                tabs = self.of("" if player is None else player.name)
                if tabs and self.rng.random() < 0.7:
                    client = self.rng.choice(tabs)
                    client.asked.add(self.world.ask(client.peer, Rematch, room=room.id))

    def resume(self) -> None:
        """Resume a room from a random event number."""
        room = self.some_room()
        if self.clients:
            client = self.rng.choice(self.clients)
            seq = self.rng.randint(0, self.known.get(room, 0))
            request = self.world.ask(client.peer, Resume, room=room, seq=seq)
            client.asked.add(request)
            client.resumes[request] = seq

    def leave(self) -> None:
        room = self.some_room()
        if self.clients:
            client = self.rng.choice(self.clients)
            request = self.world.ask(client.peer, Leave, room=room)
            client.asked.add(request)
            client.leaves[request] = room

    async def restart(self) -> None:
        """Kill the server; events that were not stored are lost, and no client has seen them."""
        await self.settle()
        for client in self.clients:
            self.receive(client)
        self.clients.clear()
        self.world.crash()
        store = self.world.store
        await self.world.settle()
        store.waiting = 0
        time, ids = self.world.time, self.world.ids
        self.world = World(store, self.rng.randrange(10**6))
        self.world.time, self.world.ids = time + 1000, ids
        store.troubles.clear()
        store.release()
        await self.world.start()
        for (room, seq), fact in self.facts.items():
            channel = self.world.authority.rooms.registry.channels.get(room)
            if channel is not None:
                check_fact(channel, seq, fact)

    async def step(self) -> None:
        rng, world = self.rng, self.world
        settings = BY_DAYS if self.by_days else SETTINGS
        acts: list[tuple[int, Callable[[], Any]]] = [
            (5, lambda: self.arrive(rng.choice(NAMES))),
            (
                12 if self.by_days else 2,
                lambda: self.clients and self.depart(rng.choice(self.clients)),
            ),
            (4, lambda: self.ask(QuickMatch, key=self.key(), settings=rng.choice(settings))),
            (2, lambda: self.ask(Seek, key=self.key(), settings=rng.choice(settings))),
            (
                2,
                lambda: self.ask(
                    AcceptSeek,
                    key=self.key(),
                    seek=rng.choice([*world.authority.lobby.offers, "none"]),
                ),
            ),
            (
                3,
                lambda: self.ask(
                    CreateRoom,
                    key=self.key(),
                    settings=rng.choice(settings),
                    private=rng.random() < 0.3,
                ),
            ),
            (5, lambda: self.ask(JoinRoom, room=self.some_room())),
            (4, lambda: self.ask(Watch, room=self.some_room())),
            (45, self.move),
            (35, self.takeback),
            (1, lambda: self.ask(Resign, room=self.some_room())),
            (2, lambda: self.ask(Claim, room=self.some_room())),
            (1, lambda: self.ask(Rematch, room=self.some_room())),
            (6, self.rematch),
            (2, self.leave),
            (8, self.resume),
            (1, lambda: self.ask(FollowLobby, on=rng.random() < 0.7)),
            (5, world.store.hold),
            (10, world.store.release),
            (5, lambda: world.store.fail_next(stored=rng.random() < 0.4)),
        ]
        weights, choices = zip(*acts, strict=True)
        rng.choices(choices, weights)[0]()
        chance = rng.random()
        if chance < 0.1:
            world.time += rng.choice((10, 1000, 6000 if self.by_days else 3000))
            world.authority.tick()
            world.authority.sweep()
        elif chance < 0.16:
            world.store.release()
            world.store.troubles.clear()
            await world.settle()
            await world.authority.rooms.registry.retention.clean()
        elif chance < 0.17:
            await self.restart()
        if rng.random() < 0.6:
            await self.settle()


@pytest.mark.parametrize("by_days", [False, True])
@pytest.mark.parametrize("seed", range(7))
async def test_everybody_is_answered_once_and_sees_the_same(seed: int, by_days: bool) -> None:
    storm = Storm(seed, by_days=by_days)
    await storm.start()
    for _ in range(STEPS):
        await storm.step()
    world = storm.world
    world.store.troubles.clear()
    world.store.release()
    # A commit that has failed may wait for a moment of real time.
    with suppress(StoreError):
        await world.authority.committer.settled()
    await storm.settle()
    for client in storm.clients:
        assert set(client.answers) == client.asked
        assert set(client.answers.values()) <= {1}
    # Clients have received exactly the stored events, and each room equals its replayed log.
    for (room, seq), fact in storm.facts.items():
        channel = world.authority.rooms.registry.channels.get(room)
        if channel is not None:
            check_fact(channel, seq, fact)
    for client in storm.clients:
        for room_id in client.seen.keys() & client.mirrors.keys():
            check_mirror(client.mirrors[room_id], world.room(room_id))
    for channel in world.authority.rooms.registry.channels.values():
        events = [read_frame(frame) for frame in channel.essential_frames()]
        assert channel.last_seq == channel.room.seq
        replayed = restore(events, TIMES, 0, latest_match=True)
        shown, again = snapshot(channel.room, 0), snapshot(replayed, 0)
        for name in ("clock_ms", "clock_runs"):
            shown.pop(name), again.pop(name)
        assert shown == again
    # All players leave, and the server keeps nothing.
    for channel in world.authority.rooms.registry.channels.values():
        check_attendance(channel, storm.clients)
    for client in list(storm.clients):
        storm.depart(client)
    for _ in range(8):
        world.time += 5 * DAY_MS
        world.authority.sweep()
        await world.settle()
        world.authority.tick()
        with suppress(StoreError):
            await world.authority.committer.settled()
        await world.settle()
    await world.authority.committer.writer.check()  # the server does that every second
    await world.authority.rooms.registry.retention.clean()
    lobby = world.authority.lobby
    assert world.authority.rooms.registry.channels == {}
    assert (lobby.rooms, lobby.offers, lobby.online) == ({}, {}, {})
    assert (world.store.sleeping.rows, lobby.rooms.sleeping) == ({}, {})
    assert (lobby.rooms._keys, lobby.rooms._of_player) == ({}, {})
    assert (lobby.offers._keys, lobby.offers._away) == ({}, {})
    assert world.store.entries == {}
    await world.stop()


def check_fact(channel: Channel, seq: int, fact: dict[str, Any]) -> None:
    """Check that a room has an event that a client has seen, unless it was compacted."""
    forgotten = channel.room.by_days and seq < channel.first
    assert forgotten or channel.event(seq) == fact


def check_attendance(channel: Channel, clients: list[Client]) -> None:
    """Compare who is here, as the room counts it, with the connections that follow it."""
    followers = Counter(client.name for client in clients if client.peer in channel.peers)
    seats = [player.name if player else "" for player in channel.room.players]
    assert channel.room.attendance.connections == [followers[name] for name in seats]
    assert channel.spectators == sum(followers[name] for name in followers if name not in seats)


def check_mirror(mirror: RoomMirror, room: Room) -> None:
    """Compare what a client shows with the server's room."""
    shown = snapshot(room, 0)
    assert (mirror.seq, mirror.status, mirror.match) == (room.seq, room.status, room.match_number)
    assert mirror.state.history() == shown["moves"]
    assert mirror.to_move == shown["to_move"]
    assert mirror.takebacks == shown.get("takebacks", 0)
    asked = None if mirror.takeback is None else mirror.takeback.model_dump()
    assert asked == shown.get("takeback")


async def test_the_random_runs_include_every_kind_of_fault() -> None:
    counts: Counter[str] = Counter()
    for seed in range(103, 123):
        storm = Storm(seed)
        await storm.start()
        for _ in range(STEPS):
            await storm.step()
        counts += storm.counts
        await storm.world.stop()
    for what in (
        "move",
        "match_finished",
        "storage_failed",
        "stale_ply",
        "room_closed",
        "seek_posted",
        "room_state",
        "rematch_offered",
        "unknown_room",
        "again",
        "takeback_asked",
        "takeback_declined",
        "takeback",
    ):
        assert counts[what] > 0, what
