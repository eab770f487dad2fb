"""Random players in a cluster in which everything breaks, and what must hold when it is over."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.protocol.client_messages import (
    CancelSeek,
    CreateRoom,
    FollowLobby,
    JoinRoom,
    Leave,
    Move,
    QuickMatch,
    Rematch,
    Request,
    Resign,
)
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.rating_book import RatingBook
from tests.cluster.hosts import Client
from tests.cluster.leader.test_tournaments import BOTS, begin, check_all_played, games, play_all
from tests.cluster.world import World
from tests.server.playing import dots

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")
STEPS = 60


class Chaos:
    """Act as players and as bad luck, in a random order."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.rng = Random(seed)
        self.cut: set[tuple[str, str]] = set()
        self.held: set[tuple[str, str]] = set()
        self.asked: list[tuple[Client, int]] = []

    def connect(self, name: str) -> None:
        self.world.connect(name, self.rng.choice(sorted(self.world.nodes)), bot=name in BOTS)

    def reconnect(self) -> None:
        """Connect those whose connections a node has ended."""
        for client in [each for each in self.world.clients if each.websocket.ended_with]:
            self.world.drop(client)
            self.connect(client.name)

    def ask(self, client: Client, kind: type[Request], **fields: object) -> None:
        self.asked.append((client, self.world.ask(client, kind, **fields)))

    def player_acts(self) -> None:
        world, rng = self.world, self.rng
        self.reconnect()
        client = rng.choice(world.clients)
        rooms = [r for r in world.rooms() if r.seat_of(client.name) is not None]
        if not rooms or rng.random() < 0.3:
            settings = dots(1, rng.choice((1, 2)), rated=True)
            if rng.random() < 0.1:  # each leader answers it once more
                world.ask(client, FollowLobby)
                return
            waiting = [r for r in world.rooms() if r.status == "waiting"]
            seeks = [
                o for o in world.authority.lobby.offers.seeks() if o.owner == client.peer.player
            ]
            if waiting and rng.random() < 0.5:
                self.ask(client, JoinRoom, room=rng.choice(waiting).id)
            elif seeks and rng.random() < 0.3:
                self.ask(client, CancelSeek, seek=rng.choice(seeks).offer_id)
            else:
                kind = rng.choice((QuickMatch, QuickMatch, CreateRoom))
                self.ask(client, kind, key=world.key(), settings=settings)
            return
        room = rng.choice(rooms)
        if room.status == "finished":
            self.ask(client, rng.choice((Rematch, Rematch, Leave)), room=room.id)
        elif room.status == "playing" and rng.random() < 0.2:
            self.ask(client, Resign, room=room.id)
        elif room.status == "playing" and rng.random() < 0.5:
            world.play(room.id, rng.randrange(1, 9))
        elif room.match is not None and room.match.state.legal_actions():
            where = {"room": room.id, "match": room.match_number, "ply": room.match.ply}
            action = rng.choice(room.match.state.legal_actions())
            self.ask(client, Move, action=action, **where)  # it may be the opponent's turn

    async def luck_acts(self) -> None:
        world, rng = self.world, self.rng
        await world.regain()
        lucks = "cut cut hold store fail lease log leader kill go tick"
        what = rng.choice(lucks.split())
        one, other = rng.choice(sorted(world.nodes)), rng.choice(sorted(world.nodes))
        pair = (min(one, other), max(one, other))
        if what == "cut" and one != other:
            if pair in self.cut:
                self.heal(pair)
            else:
                self.cut.add(pair)
                self.held -= {pair, pair[::-1]}
                world.network.cut(*pair)
        elif what == "hold" and pair not in self.cut:
            self.held.add((one, other))
            world.network.hold(one, other)
        elif what == "store":
            world.stores[rng.choice(sorted(world.stores))].hold()
        elif what == "fail":
            world.stores[rng.choice(sorted(world.stores))].fail_next()
        elif what == "go":
            self.release()
        elif what == "tick":
            world.tick(rng.randrange(400))
        elif what == "lease":
            world.nodes[one].holds = False
        elif what == "log":
            self.release()
            await world.give(rng.choice(sorted(world.owners.keys() - {LEADER})), one)
            world.tell()
        elif what == "leader":
            await self.move_leader()
        elif what == "kill" and len(world.nodes) > 2:
            await self.kill(one)

    def heal(self, pair: tuple[str, str]) -> None:
        self.cut.discard(pair)
        self.world.network.link(*pair)

    def release(self, *runs: str) -> None:
        """Let everything go on, but what others than these runs hold back for each other."""
        for host in self.world.nodes.values():
            host.holds = True
            host.node.resumed()
        for store in self.world.stores.values():
            store.troubles.clear()
            store.release()
        for pair in [pair for pair in self.held if not runs or {*runs} & {*pair}]:
            self.world.network.release(*pair)
            self.held.discard(pair)

    async def move_leader(self) -> None:
        """Let another node lead; the former leader notices nothing, and can store nothing."""
        world = self.world
        for pair in sorted(self.cut):
            self.heal(pair)
        others = [run for run in sorted(world.nodes) if run != world.owners[LEADER]]
        new = self.rng.choice(others)
        self.release(new)
        if self.rng.random() < 0.5:
            await world.settle()
        await world.move_leader(new, *others)

    async def kill(self, run: str) -> None:
        world = self.world
        new = self.rng.choice(sorted(world.nodes.keys() - {run}))
        for pair in sorted(pair for pair in self.cut if new in pair):
            self.heal(pair)
        self.release(new)  # the successor must store something
        names = [client.name for client in world.clients if client.run == run]
        world.kill(run)
        self.cut = {pair for pair in self.cut if run not in pair}
        self.held = {pair for pair in self.held if run not in pair}
        if self.rng.random() < 0.5:
            await world.settle()
        await world.take_over(run, new)
        for name in names:
            self.connect(name)

    async def finish(self) -> None:
        """Heal everything, and wait until nothing is left to do."""
        for pair in sorted(self.cut):
            self.heal(pair)
        self.release()
        self.world.tell()
        await self.world.settle()
        await self.world.regain()
        self.reconnect()
        for _ in range(3):
            self.world.tick(300)
            await self.world.until()
        leader = self.world.leader
        assert leader is not None
        await self.world.authority.all_rooms.settled(games=True)
        await leader.missed.ended()

    def check(self) -> None:
        world = self.world
        world.check_agreement()
        open_offers = set(world.authority.lobby.offers)
        origins = [room.terms.origin for room in world.rooms() if room.terms.origin]
        assert len(set(origins)) == len(origins)  # no offer has led to two rooms
        assert not open_offers & set(origins)
        for peer in world.leader.connections.peers:
            assert peer.waiting == 0
        for client, request_id in self.asked:
            answers = len(client.answers(request_id))
            assert answers == 1 or (answers == 0 and client not in world.clients)
        for client in world.clients:
            assert (client.peer.asked, client.peer.waiting) == ({}, 0)
            self.check_view(client)

    def check_view(self, client: Client) -> None:
        """Check that a client has seen the rooms that it follows as they are, without a gap."""
        seen: dict[str, int] = {}
        for message in client.messages:
            room, seq = message.get("room", ""), message.get("seq", 0)
            if message["type"] == "room_state":
                seen[room] = message["snapshot"]["seq"]
            elif room in seen and seq > seen[room]:
                if seq == seen[room] + 1:
                    seen[room] = seq
                else:  # an answer to who has left the room
                    assert "id" in message
                    del seen[room]
            elif room in seen and seq:
                assert "id" in message  # an answer that is repeated
        for room in {*client.peer.followed, *client.peer.elsewhere}:
            assert seen[room] == self.world.real(room).seq


@pytest.mark.parametrize("seed", range(16))
async def test_whatever_happens_the_leader_agrees_with_the_rooms(world: World, seed: int) -> None:
    chaos = Chaos(world, seed)
    for name in NAMES:
        chaos.connect(name)
    for _ in range(STEPS):
        if chaos.rng.random() < 0.75:
            chaos.player_acts()
        else:
            await chaos.luck_acts()
        if chaos.rng.random() < 0.5:
            await world.settle()
    await chaos.finish()
    chaos.check()

    stored = RatingBook()
    async for played in world.tables.rated_games():
        stored.add(played)
    for name in NAMES:
        counted = [
            sum(r.games for r in book.of(name)) for book in (stored, world.authority.ratings)
        ]
        assert counted[0] == counted[1], name


@pytest.mark.parametrize("seed", range(8))
async def test_whatever_happens_each_game_of_a_tournament_is_played_once(
    world: World, seed: int
) -> None:
    tournament = await begin(world)
    chaos = Chaos(world, seed)
    for _ in range(STEPS // 2):
        chaos.reconnect()
        playing = games(world)
        connected = {client.name for client in world.clients}
        if playing and connected >= set(BOTS) and chaos.rng.random() < 0.6:
            world.play(chaos.rng.choice(playing).id, chaos.rng.randrange(1, 9))
        else:
            await chaos.luck_acts()
        if chaos.rng.random() < 0.5:
            await world.until()
    await chaos.finish()
    for _ in range(4):
        await play_all(world)
        world.tick(1500)
        await world.until()
    check_all_played(world, tournament)
    world.check_agreement()
