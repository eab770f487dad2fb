"""An authority with tournaments, on a storage that fails on demand."""

from __future__ import annotations

import asyncio
import inspect
from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from doublecross.protocol.client_messages import (
    CreateTournament,
    JoinTournament,
    Request,
    StartTournament,
)
from doublecross.protocol.common import EngineInfo, PlayerInfo, TournamentTerms
from doublecross.server.core.errors import Refused
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.handlers.table import handlers_of
from doublecross.server.shell.peer import Peer
from doublecross.server.tournaments.loading import RETRY_MS
from doublecross.server.tournaments.running import RunningTournament
from tests.fakes.peers import FakePeer
from tests.server.playing import dots
from tests.server.world import World


def terms(**more: Any) -> TournamentTerms:
    given = {"name": "Spring", "format": "round-robin", "settings": dots(), "seed": 5, **more}
    return TournamentTerms(**given)


class TournamentWorld(World):
    """A world with tournaments; `tick` advances the time, `play` plays games to their end."""

    async def start(self) -> TournamentWorld:
        # With a single thread, a job is done when the next one is, however busy the machine is.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        await super().start()
        await self.authority.director.load()
        return self

    async def settle(self) -> None:
        for _ in range(30):
            await asyncio.sleep(0)

    async def until(self) -> None:
        """Wait until no task or thread has anything left to do."""
        for _ in range(4):
            await asyncio.to_thread(int)
            await self.settle()

    def bot(self, name: str, version: str = "1") -> FakePeer:
        peer = FakePeer()
        engine = EngineInfo(name="rules", version=version)
        self.authority.arrive(peer, PlayerInfo(name=name, kind="bot", engine=engine))
        return peer

    async def call(self, peer: Peer, kind: type[Request], **fields: Any) -> dict[str, Any]:
        """Send a request and return its answer, even if the handler is a coroutine."""
        assert isinstance(peer, FakePeer)
        request_id = await self.send(peer, kind, **fields)
        await self.until()
        (answer,) = [m for m in peer.take() if m.get("id") == request_id]
        return answer

    async def send(self, peer: Peer, kind: type[Request], **fields: Any) -> int:
        message = kind(id=next(self.ids), **fields)
        try:
            waiting = handlers_of(self.authority)[type(message)](peer, message)
            if inspect.isawaitable(waiting):
                await waiting
        except Refused as refused:
            peer.refuse(message.id, refused.code, refused.sentence)
        return message.id

    async def create(self, *names: str, started: bool = True, **more: Any) -> str:
        """Create a tournament of Ann's with these bots in it; return its id."""
        ann = self.peer("Ann") or self.arrive("Ann")
        made = await self.call(ann, CreateTournament, key=self.key(), terms=terms(**more))
        assert made["type"] == "tournament_state", made
        tournament: str = made["tournament"]
        for name in names:
            peer = self.peer(name) or self.bot(name)
            joined = await self.call(peer, JoinTournament, tournament=tournament)
            assert joined["type"] == "tournament_state", joined
        if started:
            state = await self.call(ann, StartTournament, tournament=tournament)
            assert state["status"] == "running", state
        return tournament

    def peer(self, name: str) -> FakePeer | None:
        for peer in self.authority.peers.of(name):
            assert isinstance(peer, FakePeer)
            return peer
        return None

    def running(self, tournament: str) -> RunningTournament:
        return self.authority.director.registry.running[tournament]

    def games(self) -> list[Room]:
        """Return the tournament games that are being played."""
        rooms = self.authority.lobby.rooms.values()
        return [r for r in rooms if r.terms.tag is not None and r.status == "playing"]

    def finish(self, room: Room) -> None:
        """Play a game to its end."""
        while room.status == "playing":
            assert room.match is not None
            mover = room.players[room.match.state.current_player()]
            assert mover is not None
            peer = self.peer(mover.name)
            assert peer is not None
            self.move(peer, room, room.match.state.legal_actions()[0])

    async def play(self, most: int = 1000) -> int:
        """Play games until none is left or `most` are over; return how many were played."""
        count = 0
        while count < most and (games := self.games()):
            self.finish(games[0])
            count += 1
            await self.until()
        return count

    async def tick(self, ms: int = RETRY_MS) -> None:
        self.time += ms
        self.authority.tick()
        await self.until()

    async def again(self, **fields: Any) -> TournamentWorld:
        """Kill this server and return another one on the same storage."""
        self.crash()
        world = TournamentWorld(self.store, seed=1)  # or new rooms would get the ids of old ones
        world.time = self.time + 1000
        return await world.start()

    def tags(self, tournament: str) -> Counter[tuple[int, int, int]]:
        """Count the stored games of a tournament by pairing, game and attempt."""
        return Counter(
            (row.tag.pairing, row.tag.game, row.tag.attempt)
            for row in self.store.games_by_id.values()
            if row.tag is not None and row.tag.tournament == tournament
        )

    async def stored_games(self) -> None:
        await self.authority.committer.settled(games=True)


@pytest.fixture
async def world() -> AsyncIterator[TournamentWorld]:
    world = await TournamentWorld().start()
    yield world
    await world.authority.director.close()
    world.crash()


def whole(pairs: int, attempt: int = 1) -> Counter[tuple[int, int, int]]:
    return Counter((pairing, game, attempt) for pairing in range(pairs) for game in (0, 1))
