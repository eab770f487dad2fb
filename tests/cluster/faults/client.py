"""A player who speaks the protocol over a bare websocket, and comes back whatever breaks.

It shares no code with the product's client, and tells the book everything that it hears.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException
from websockets.typing import Subprotocol

from doublecross.protocol.common import DAY_MS
from tests.cluster.faults.book import Book, Message

SILENCE_S: Final = 2.0
"""How long a node may say nothing before the player tries the next one."""
PING_S: Final = 0.5
CONNECT_S: Final = 2.0
RETRY_S: Final = 0.2
AGAIN: Final = frozenset(("storage_failed", "closing", "draining", "rate_limited"))
"""Codes after which a request is sent again."""
EVENTS: Final = frozenset(
    ("room_created", "seated", "match_started", "move", "match_finished", "room_closed")
)


class RefusedError(Exception):
    """The server has refused a request; `code` says why."""

    def __init__(self, request: Message, answer: Message) -> None:
        super().__init__(f"{request} was answered {answer}")
        self.code: str = answer["code"]


@dataclass
class View:
    """What the player knows of a room."""

    room: str
    seq: int = 0
    seat: int | None = None
    origin: str | None = None
    size: tuple[int, int] = (0, 0)
    opening: list[int] = field(default_factory=list)
    status: str = "waiting"
    match: int = 0
    moves: list[int] = field(default_factory=list)
    to_move: int | None = None
    tag: Message | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    resumes: bool = False
    by_days: bool = False
    away: bool = False
    """Whether the player does not follow the room now."""


@dataclass
class _Pending:
    """A request until it is answered."""

    message: Message
    answer: asyncio.Future[Message]


class Client:
    """One player. Run `run` as a task; `played` is called with each new room of the player."""

    def __init__(
        self,
        name: str,
        urls: list[str],
        book: Book,
        rng: Random,
        played: Callable[[Client, View], None],
        *,
        bot: bool = True,
    ) -> None:
        self.name = name
        self.views: dict[str, View] = {}
        self.connected = asyncio.Event()
        self.connections = 0
        self.gaps = 0
        self.url = ""
        """The address of the current connection, or of the last attempt."""
        self._urls = urls
        self._next = 0
        self._book = book
        self._rng = rng
        self._played = played
        self._key = secrets.token_urlsafe(24)
        self._token: str | None = None
        self._bot = bot
        self._ids = 0
        self._ws: ClientConnection | None = None
        self._pending: dict[int, _Pending] = {}
        """The requests of this connection, by their ids."""
        self._waiting: list[_Pending] = []
        """The requests without an answer that the next connection sends."""
        self._heard = 0.0
        self.notes: asyncio.Queue[Message] = asyncio.Queue()
        """States of tournaments that nobody has asked for."""

    @property
    def asked(self) -> str:
        """The requests that have no answer yet."""
        return str([pending.message for pending in (*self._pending.values(), *self._waiting)])

    # -- the connection ------------------------------------------------------------------------

    async def run(self) -> None:
        """Stay connected to one of the addresses."""
        while True:
            self.url = self._urls[self._next % len(self._urls)]
            self._next += 1
            try:
                async with asyncio.timeout(CONNECT_S):
                    ws = await connect(
                        self.url,
                        subprotocols=[Subprotocol("doublecross.v1.msgpack")],
                        compression=None,
                        ping_interval=None,
                        close_timeout=0.2,
                        max_queue=None,
                        proxy=None,
                    )
            except (OSError, TimeoutError, InvalidHandshake):
                await asyncio.sleep(RETRY_S * (0.5 + self._rng.random()))
                continue
            try:
                await self._serve(ws)
            except (WebSocketException, OSError, TimeoutError):
                pass
            finally:
                self.connected.clear()
                self._ws = None
                self._waiting = [*self._pending.values(), *self._waiting]
                self._pending = {}
                ws.transport.abort()
            await asyncio.sleep(RETRY_S * (0.5 + self._rng.random()))

    async def _serve(self, ws: ClientConnection) -> None:
        """Log in, follow all rooms again, send what has no answer, and read until the end."""
        self._ws = ws
        hello: Message = {"type": "hello", "protocol": 2, "kind": "bot" if self._bot else "human"}
        if self._bot:
            hello["engine"] = {"name": "faults", "version": "1"}
        hello |= {"token": self._token} if self._token else {"name": self.name, "key": self._key}
        # The answer must come on this connection, so it is no request that is repeated.
        self._heard = time.monotonic()
        await ws.send(msgpack.packb({**hello, "id": 0}))
        while True:
            async with asyncio.timeout(SILENCE_S):
                message = msgpack.unpackb(await ws.recv(decode=False))
            if message.get("id") == 0:
                break
            self._book.blame(f"{self.name} was told this before the welcome: {message}")
        if message["type"] != "welcome":
            if message["code"] not in AGAIN:
                self._book.blame(f"{self.name} cannot log in: {message}")
            return
        self._token = message["token"]
        self.connections += 1
        self.connected.set()
        waiting, self._waiting = self._waiting, []
        known = [i for i, view in self.views.items() if view.status != "closed" and not view.away]
        for room in dict.fromkeys([*message["rooms"], *known]):
            self._resume(room)
        for pending in waiting:
            self._send(pending)
        pinging = asyncio.create_task(self._ping(ws))
        try:
            while True:
                message = msgpack.unpackb(await ws.recv(decode=False))
                self._heard = time.monotonic()
                self._take(message)
        finally:
            pinging.cancel()

    async def _ping(self, ws: ClientConnection) -> None:
        while True:
            await asyncio.sleep(PING_S)
            if time.monotonic() - self._heard > SILENCE_S:
                ws.transport.abort()
                return
            self._write({"type": "ping"})

    def _write(self, message: Message) -> int:
        """Send a message, and return its id. The transport takes it at once."""
        self._ids += 1
        if self._ws is not None:
            data = msgpack.packb({**message, "id": self._ids})
            # It may be closing; then the next connection sends the request.
            with contextlib.suppress(WebSocketException, OSError):
                self._ws.protocol.send_binary(data)
                self._ws.send_data()
        return self._ids

    def _send(self, pending: _Pending) -> None:
        if not pending.answer.done():
            self._pending[self._write(pending.message)] = pending

    def _resume(self, room: str) -> None:
        view = self.views.get(room)
        seq = 0 if view is None else view.seq
        if view is not None:
            view.resumes = True
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        message = {"type": "resume", "room": room, "seq": seq}
        self._pending[self._write(message)] = _Pending(message, future)

    def _resume_again(self, room: str) -> None:
        if self.connected.is_set():
            self._resume(room)

    def come_home(self) -> None:
        """Connect to the first address again; one that is a proxy may lead to another node."""
        if self._ws is not None and (self.url != self._urls[0] or len(self._urls) == 1):
            self._next = 0
            self._ws.transport.abort()

    async def look_away(self, view: View, pause_s: float) -> None:
        """Leave a room, and look at it again after a while."""
        await self.ask({"type": "leave", "room": view.room})
        view.away = True
        await asyncio.sleep(pause_s)
        view.away = False
        await self.connected.wait()
        if view.status != "closed":
            self._resume(view.room)

    async def ask(self, message: Message) -> Message:
        """Send a request, on each new connection again, and return its answer.

        Raises:
            RefusedError: the server has refused it, for good.
        """
        while True:
            pending = _Pending(message, asyncio.get_running_loop().create_future())
            if self.connected.is_set():
                self._send(pending)
            else:
                self._waiting.append(pending)
            answer = await pending.answer
            if answer["type"] != "error":
                return answer
            if answer["code"] not in AGAIN:
                raise RefusedError(message, answer)
            await asyncio.sleep(RETRY_S)

    # -- what arrives --------------------------------------------------------------------------

    def _take(self, message: Message) -> None:
        kind = message["type"]
        if kind in EVENTS:
            self._event(message)
        elif kind == "room_state":
            self._state(message)
        elif kind == "tournament_state" and message.get("id") is None:
            self.notes.put_nowait(message)
        number = message.get("id")
        pending = None if number is None else self._pending.pop(number, None)
        if pending is None:
            return
        if pending.message["type"] == "resume":
            self._resumed(pending.message, message)
        if not pending.answer.done():
            pending.answer.set_result(message)

    def _resumed(self, request: Message, answer: Message) -> None:
        """Note the answer to `resume`. A room that has closed meanwhile is unknown."""
        if answer["type"] != "error":
            return
        view = self.views.get(request["room"])
        if answer["code"] in AGAIN:
            asyncio.get_running_loop().call_later(RETRY_S, self._resume_again, request["room"])
        elif view is None or view.status in ("finished", "closed"):
            if view is not None:
                view.status = "closed"
                view.changed.set()
        else:
            self._book.blame(
                f"{self.name} cannot resume {view.room}, in play at {view.seq}: {answer}"
            )

    def _event(self, event: Message) -> None:
        view = self.views.get(event["room"])
        if view is None:
            self._book.blame(f"{self.name} got an event of a room that it does not follow: {event}")
            return
        if event["seq"] > view.seq + 1:
            self.gaps += 1
            if not view.resumes:
                self._resume(view.room)
            return
        self._book.told(self.name, event)
        if event["seq"] <= view.seq:
            if event.get("id") is None and not view.resumes:
                self._book.blame(f"{self.name} knows {view.seq} events and got again: {event}")
            return
        view.seq = event["seq"]
        self._apply(view, event)
        view.changed.set()

    def _apply(self, view: View, event: Message) -> None:
        kind = event["type"]
        if kind == "match_started":
            view.status, view.match, view.moves = "playing", event["match"], []
            view.to_move = event["to_move"]
            view.seat = event["players"].index(self.name) if self.name in event["players"] else None
        elif kind == "move":
            if event["ply"] != len(view.moves):
                self._book.blame(f"{self.name} knows {len(view.moves)} moves and got {event}")
            view.moves.append(event["action"])
            view.to_move = event["to_move"]
        elif kind == "match_finished":
            view.status, view.to_move = "finished", None
        elif kind == "room_closed":
            view.status, view.to_move = "closed", None

    def _state(self, message: Message) -> None:
        room = message["room"]
        view = self.views.get(room)
        new = view is None
        if view is None:
            view = self.views[room] = View(room)
        view.resumes = False
        view.seat = message["seat"]
        view.origin = message.get("origin") or view.origin
        snapshot = message.get("snapshot")
        if snapshot is not None:
            players = [player and player["name"] for player in snapshot["players"]]
            if (self.name in players) != (view.seat is not None):
                self._book.blame(f"{self.name} is shown a room of {players}: {message}")
            self._snapshot(view, snapshot)
        for event in message.get("events") or ():
            self._book.told(self.name, event)
            if event["seq"] > view.seq + 1:
                self._book.blame(f"{self.name} resumed {room} at {view.seq} and got {event}")
            elif event["seq"] == view.seq + 1:  # others came while the answer was on its way
                view.seq = event["seq"]
                self._apply(view, event)
        view.changed.set()
        if new and view.seat is not None:
            self._played(self, view)

    def _snapshot(self, view: View, snapshot: Message) -> None:
        moves = list(snapshot["moves"])
        lost = snapshot["seq"] < view.seq or snapshot["match"] < view.match
        if snapshot["match"] == view.match:
            lost = lost or moves[: len(view.moves)] != view.moves
        if lost:
            self._book.blame(
                f"{self.name} knew event {view.seq} of {view.room} with the moves {view.moves}, and"
                f" was shown event {snapshot['seq']} with {moves}."
            )
            return
        self._book.shown(snapshot, view.room)
        settings = snapshot["settings"]
        view.size = (settings["params"]["rows"], settings["params"]["cols"])
        view.opening = list(settings.get("opening", ()))
        view.by_days = (settings["time"].get("move_ms") or 0) >= DAY_MS
        view.seq, view.status, view.match = snapshot["seq"], snapshot["status"], snapshot["match"]
        view.moves, view.to_move, view.tag = moves, snapshot["to_move"], snapshot.get("tag")
