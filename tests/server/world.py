"""Run a complete authority without a network: a fake store, fake peers, and a test clock."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import itertools
from random import Random
from typing import Any

from doublecross.protocol.client_messages import (
    CreateRoom,
    GetOpenGames,
    Hello,
    JoinRoom,
    Move,
    Request,
)
from doublecross.protocol.common import EngineInfo, MatchSettings, PlayerInfo
from doublecross.protocol.version import PROTOCOL_VERSION
from doublecross.server.background import BackgroundTasks
from doublecross.server.core.errors import Refused
from doublecross.server.core.limits import ServerLimits
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.analysis.advice import AdviceService, Adviser
from doublecross.server.shell.analysis.reviews import Reviewer
from doublecross.server.shell.authority import Authority, AuthorityConfig
from doublecross.server.shell.handlers.hello import Place, hello
from doublecross.server.shell.handlers.table import handlers_of
from doublecross.server.shell.identity.rights import Rights
from doublecross.server.shell.rooms.recovery import recover
from doublecross.server.shell.traffic import _finish
from doublecross.server.shell.upkeep.service_time import TimeSource
from tests.fakes.peers import FakePeer
from tests.fakes.store import FakeStore
from tests.server.playing import ADDRESSES, T0, TIMES, dots


class World:
    """Handle requests as a connection would; `settle` runs all tasks that are ready."""

    def __init__(
        self,
        store: FakeStore | None = None,
        seed: int = 0,
        adviser: Adviser | None = None,
        reviewer: Reviewer | None = None,
        **limits: int,
    ) -> None:
        self.store = store or FakeStore()
        self.time = T0
        self.lag = 0
        """How far the time for deadlines is behind the date."""
        self.authority = Authority(
            self.store,
            Random(seed),
            AuthorityConfig(TIMES, ServerLimits(**limits), "epoch1", ADDRESSES),  # type: ignore[arg-type]
            TimeSource(lambda: self.time, lambda: self.time + self.lag, lambda: self.time / 1000),
            self.store.highest,
            AdviceService(adviser),
            reviewer,
        )
        self.tasks = BackgroundTasks()
        """The requests that wait for the database."""
        self.ids = itertools.count(1)
        self.keys = itertools.count(1)
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> World:
        """Recover from the store and start the committer."""
        await recover(self.authority.rooms, self.store, TIMES)
        self._task = asyncio.get_running_loop().create_task(self.authority.committer.run())
        return self

    async def stop(self) -> None:
        assert self._task is not None
        self.store.release()
        await self.authority.committer.close()
        async with asyncio.timeout(5):
            await self._task

    def crash(self) -> None:
        """End the server like a killed process: it stores and sends nothing more."""
        assert self._task is not None
        self._task.cancel()

    async def settle(self) -> None:
        for _ in range(12):
            await asyncio.sleep(0)

    # -- peers ---------------------------------------------------------------------------------

    def arrive(self, name: str, *, text: bool = False, bot: bool = False) -> FakePeer:
        """Return a connected player without sending a hello."""
        peer = FakePeer(text=text)
        peer.rights = Rights(f"account of {name}")
        engine = EngineInfo(name="rules", version="1") if bot else None
        player = PlayerInfo(name=name, kind="bot" if bot else "human", engine=engine)
        peer.exclusive = bot
        self.authority.arrive(peer, player)
        return peer

    async def hello(self, peer: FakePeer, name: str | None = None, **fields: Any) -> Any:
        """Send the hello of `peer`, which may replace another connection."""
        given = {"kind": "human", **fields}
        message = Hello(id=next(self.ids), protocol=PROTOCOL_VERSION, name=name, **given)
        return await hello(self.authority, peer, message, Place(None, None, 1000), lambda: None)

    def ask(self, peer: FakePeer, kind: type[Request], **fields: Any) -> int:
        """Send a request and return its id."""
        message = kind(id=next(self.ids), **fields)
        try:
            waiting = handlers_of(self.authority)[type(message)](peer, message)
            if waiting is None:
                return message.id
            assert inspect.iscoroutine(waiting)
            if self._waits(message):
                peer.waiting += 1
                self.tasks.start(_finish(peer, message, waiting))
            else:
                # The fake store answers at once, so a handler that only reads never waits.
                with contextlib.suppress(StopIteration):
                    waiting.send(None)
                    raise AssertionError("the handler waits")
        except Refused as refused:
            peer.refuse(message.id, refused.code, refused.sentence)
        return message.id

    def _waits(self, message: Request) -> bool:
        """Return whether a request may wait: it lists open games, or its room may sleep.

        The first request about a room that was restored reads its plans.
        """
        room = getattr(message, "room", None)
        channel = self.authority.rooms.registry.channels.get(room)
        awake = room is None or (channel is not None and channel.plans is not None)
        return not awake or isinstance(message, GetOpenGames)

    async def answer(self, peer: FakePeer, kind: type[Request], **fields: Any) -> dict[str, Any]:
        """Send a request and return its only answer; drop all other messages."""
        request_id = self.ask(peer, kind, **fields)
        await self.settle()
        (answer,) = [m for m in peer.take() if m.get("id") == request_id]
        return answer

    # -- rooms ---------------------------------------------------------------------------------

    def key(self) -> str:
        return f"key-{next(self.keys)}"

    async def play_room(
        self, first: FakePeer, second: FakePeer, settings: MatchSettings | None = None
    ) -> Room:
        """Return a room in play with `first` in seat 0; both players have received all events."""
        made = await self.answer(
            first, CreateRoom, key=self.key(), settings=settings or dots(), seat=0
        )
        await self.answer(second, JoinRoom, room=made["room"])
        first.take()
        return self.room(made["room"])

    async def table(
        self, settings: MatchSettings | None = None, *, bots: bool = False
    ) -> tuple[FakePeer, FakePeer, Room]:
        """Return Ann (seat 0), Bob and their room in play. The clocks of `bots` run at once."""
        ann, bob = self.arrive("Ann", bot=bots), self.arrive("Bob", bot=bots)
        return ann, bob, await self.play_room(ann, bob, settings)

    def room(self, room_id: str) -> Room:
        return self.authority.lobby.rooms[room_id]

    def move(
        self,
        peer: FakePeer,
        room: Room | str,
        action: int,
        ply: int | None = None,
        takebacks: int | None = None,
    ) -> int:
        room_id = room if isinstance(room, str) else room.id
        current = self.room(room_id)
        assert current.match is not None
        return self.ask(
            peer,
            Move,
            room=room_id,
            match=current.match_number,
            ply=current.match.ply if ply is None else ply,
            action=action,
            takebacks=takebacks,
        )
