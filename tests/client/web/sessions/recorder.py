"""Record what one client sends to a real server and receives from it, step by step."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Sequence
from typing import Any

from doublecross.protocol.client_messages import Move, Request
from doublecross.protocol.codec import JsonCodec
from doublecross.server.core.errors import Refused
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.handlers.table import handlers_of
from doublecross.server.shell.peer import Peer
from tests.client.web.sessions.dump import Flat, asked
from tests.client.web.sessions.replay import Replay
from tests.fakes.peers import FakePeer
from tests.server.playing import T0
from tests.server.world import World

Frames = Callable[[Flat], Sequence[Flat | str]]
"""Returns the frames that arrive in place of one that the server sent."""


class RawPeer(FakePeer):
    """A peer that speaks JSON and keeps the frames as they are on the wire."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name, text=True)
        self.frames: list[Flat] = []
        keep = self.socket._keep

        def keep_raw(data: bytes | str) -> None:
            keep(data)
            self.frames.append(json.loads(data))

        self.socket._keep = keep_raw  # type: ignore[method-assign]

    def take_frames(self) -> list[Flat]:
        """Return and forget the frames since the last call."""
        frames, self.frames = self.frames, []
        return frames


class Recorder:
    """A client of `world` without rules; `lines` are the steps of its session.

    `arriving` may change or drop what the server sends. While `mute` is true, nothing that the
    client sends arrives.
    """

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.peer = RawPeer()
        self.lines: list[Flat] = []
        self.arriving: Frames = lambda frame: (frame,)
        self.mute = False
        self._replay = Replay()
        self._codec = JsonCodec()
        self._dump: Flat = {}
        self._sent: dict[int, Request] = {}

    # -- connections -----------------------------------------------------------------------------

    async def connect(self) -> None:
        """Connect, say hello, and exchange messages until nothing more comes."""
        self.peer = RawPeer()
        await self.world.hello(
            self.peer,
            self.name,
            key=f"key-of-{self.name}-0123456789",
            boards=True,
            takebacks=True,
        )
        welcome, *rest = self.peer.take_frames()
        self.step("welcome", message=welcome)
        self.peer.frames = rest + self.peer.frames
        await self.sync()

    def lose(self) -> None:
        """Lose the connection."""
        self.world.authority.depart(self.peer)
        self.peer.take_frames()
        self.step("lost")

    # -- messages --------------------------------------------------------------------------------

    async def ask(self, kind: str, **fields: Any) -> None:
        """Make a request, and exchange messages until nothing more comes."""
        self.step("request", request={"type": kind, **fields})
        await self.sync()

    async def sync(self) -> None:
        """Exchange messages until nothing more comes."""
        while True:
            sent = [self._sent[request["id"]] for request in self._due()]
            for request in sent:
                if not self.mute:
                    await deliver(self.world, self.peer, request)
            await self.world.settle()
            frames = self.peer.take_frames()
            for frame in frames:
                self.take(frame)
            if not frames and not sent:
                return

    def take(self, frame: Flat) -> None:
        """Receive a frame as it arrives."""
        for arrived in self.arriving(frame):
            self.step("receive", frame=arrived)

    def later(self, ms: int) -> None:
        """Let time pass, on the server too."""
        self.world.time += ms
        self.world.authority.tick()
        self.world.authority.sweep()

    def step(self, do: str, **fields: Any) -> Flat:
        """Make and record one step; return what it did."""
        line: Flat = {"now": 100 + (self.world.time - T0) / 1000, "do": do, **fields}
        did = self._replay.step(line)
        self._dump = did["dump"]
        self.lines.append({**line, **did})
        return did

    def dumped(self, name: str) -> Any:
        """Return an entry of the latest dump."""
        return self._dump[name]

    def _due(self) -> list[Flat]:
        if self._replay.queue.wait_s(100 + (self.world.time - T0) / 1000) != 0:
            return []
        for pending in self._replay.queue.pending.values():
            self._sent[pending.request.id] = pending.request
        sent: list[Flat] = self.step("send")["sent"]
        for request in sent:
            # A repeated request may become another one under the same id.
            if request != asked(self._sent[request["id"]]):
                self._sent[request["id"]] = self._codec.decode_request(json.dumps(request))
        return sent


async def deliver(world: World, peer: Peer, request: Request) -> None:
    """Let the server handle a request of `peer`."""
    try:
        waiting = handlers_of(world.authority)[type(request)](peer, request)
        if inspect.isawaitable(waiting):
            await waiting
    except Refused as refused:
        peer.refuse(request.id, refused.code, refused.sentence)


class Other:
    """Another player of the world, whose session nobody records."""

    def __init__(self, world: World, name: str, *, bot: bool = False) -> None:
        self.world = world
        self.peer = world.arrive(name, bot=bot)
        self.peer.takebacks = True

    async def ask(self, kind: type[Request], **fields: Any) -> dict[str, Any]:
        """Send a request and return its answer."""
        request = kind(id=next(self.world.ids), **fields)
        await deliver(self.world, self.peer, request)
        await self.world.settle()
        (answer,) = [m for m in self.peer.take() if m.get("id") == request.id]
        return answer

    async def move(self, room: Room, action: int) -> None:
        """Play `action` in the current position."""
        assert room.match is not None
        answer = await self.ask(
            Move, room=room.id, match=room.match_number, ply=room.match.ply, action=action
        )
        assert answer["type"] in ("move", "match_finished"), answer

    def leave(self) -> None:
        """Lose the connection."""
        self.world.authority.depart(self.peer)
