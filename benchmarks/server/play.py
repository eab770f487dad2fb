"""Rooms of two clients that answer at once: the load of the benchmark's main figures.

Each room plays a fixed random game of Dots and Boxes, captures included, whose request frames are
packed before its match begins. After a match both offer a rematch; a room that has seen its fifty
matches is left by both and a new one opened, so that everything a move costs in the long run is in.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any, Final

import msgpack

from benchmarks.server.wire import Client, LoadError, Loop, frame
from games.registry import make_game
from protocol.version import MSGPACK, PROTOCOL_VERSION

GAME: Final = "dots-and-boxes"
CLOCK: Final = {"base_ms": 3_600_000, "increment_ms": 2000, "move_ms": None}
MOVE: Final = b"\xa4type\xa4move"
"""How a packed `move` event begins, after the number of its fields."""
_ENGINE: Final = {"name": "load", "version": "1"}

pack: Final[Callable[[Any], bytes]] = msgpack.Packer(autoreset=True).pack


def script(size: int, rng: Random) -> tuple[list[int], list[int]]:
    """A random game on `size` x `size` boxes: its actions, and the seat that plays each."""
    state = make_game(GAME, {"rows": size, "cols": size}).initial_state()
    actions, seats = state.legal_actions(), []
    rng.shuffle(actions)
    for action in actions:
        seats.append(state.current_player())
        state.apply(action)
    return actions, seats


def hello(client: Client, name: str) -> None:
    """Say hello as a new bot and read the welcome."""
    client.say(
        frame(
            pack(
                {
                    "type": "hello",
                    "id": 0,
                    "protocol": PROTOCOL_VERSION,
                    "kind": "bot",
                    "name": name,
                    "engine": _ENGINE,
                }
            )
        )
    )
    expect(client.next(), "welcome")


def move_frame(room: str, match: int, ply: int, action: int) -> bytes:
    """The request of a move."""
    return frame(
        pack(
            {
                "type": "move",
                "id": 100 + ply,
                "room": room,
                "match": match,
                "ply": ply,
                "action": action,
            }
        )
    )


def expect(payload: bytes, kind: str) -> dict[str, Any]:
    """The message, which must be of this type."""
    message: dict[str, Any] = msgpack.unpackb(payload)
    if message["type"] != kind:
        raise LoadError(f"Expected {kind}, got {message}")
    return message


class Play:
    """All rooms on one server. `done` counts moves, `latencies` their seconds while `timing`."""

    def __init__(self, loop: Loop, url: str, pid: int, rooms: int, size: int, tag: str) -> None:
        self.loop = loop
        self.pid = pid
        self.tag = tag
        self.done = 0
        self.waiting = 0
        self.request_bytes = 0
        self.event_bytes = 0
        self.held = True
        self.due: deque[float] = deque()
        """Paced: when moves should have been sent that had no free room yet."""
        self.paced = False
        self.ready: deque[Table] = deque()
        self.latencies: list[float] = []
        self.timing = False
        self.tables = [Table(self, url, i, size) for i in range(rooms)]
        for table in self.tables:
            table.open()

    @property
    def message_bytes(self) -> tuple[float, float]:
        """Mean bytes of a request and of an event's copy, so far."""
        return self.request_bytes / (self.done or 1), self.event_bytes / (2 * self.done or 1)

    def go(self) -> None:
        """Let everybody play."""
        self.held = False
        ready, self.ready = self.ready, deque()
        for table in ready:
            table.act()

    def hold(self) -> None:
        """Let nobody begin anything new; what is under way comes to its end."""
        self.held = True
        self.due.clear()

    def pace(self, now: float) -> None:
        """Paced: a move is due now; the room that has waited longest makes it."""
        if self.ready:
            self.ready.popleft().act(now)
        else:
            self.due.append(now)

    def close(self) -> None:
        """Drop all connections."""
        for table in self.tables:
            for player in table.players:
                self.loop.remove(player)
                player.close()


class Player(Client):
    """One seat of a room, with the number of moves of the match that it has seen."""

    __slots__ = ("asked", "me", "ply", "table")

    def __init__(self, url: str, table: Table, me: int) -> None:
        super().__init__(url, MSGPACK)
        self.table = table
        self.me = me
        self.ply = 0
        self.asked = False
        hello(self, f"{table.play.tag}{table.number}-{me}")
        self.heard = self.hear

    def hear(self, payload: bytes) -> None:
        """An event of the room."""
        table = self.table
        if not payload.startswith(MOVE, 1):
            table.other(self, msgpack.unpackb(payload))
            return
        play = table.play
        play.event_bytes += len(payload)
        if self.asked:
            self.asked = False
            play.done += 1
            play.waiting -= 1
            if play.timing:
                play.latencies.append(time.perf_counter() - table.sent_at)
        self.ply = ply = self.ply + 1
        if ply < len(table.movers) and table.movers[ply] == self.me:
            table.turn(self)


class Table:
    """One room after another, of the same two players; `movers` are the players of each ply."""

    def __init__(self, play: Play, url: str, number: int, size: int) -> None:
        self.play = play
        self.number = number
        self.size = size
        self.actions, self.seats = script(size, Random(number))
        self.movers: list[int] = []
        self.frames: list[bytes] = []
        self.room = ""
        self.rooms = 0
        self.match = 0
        self.finished = 0
        self.left = 0
        self.sent_at = 0.0
        self.next: Callable[[], None] = self.create
        self.players = [Player(url, self, me) for me in (0, 1)]
        for player in self.players:
            play.loop.add(player)

    def open(self) -> None:
        """Open the first room and wait until its match begins."""
        self.create()
        while not self.movers or self.play.waiting:
            self.play.loop.turn(10)

    def ask(self, player: Player, **request: Any) -> None:
        """Send a request that is no move."""
        player.say(frame(pack(request)))

    def create(self) -> None:
        """The first player opens a room; the second joins it when it is there."""
        self.movers = []
        self.rooms += 1
        self.play.waiting += 1
        self.ask(
            self.players[0],
            type="create_room",
            id=1,
            key=f"{self.number}-{self.rooms}",
            seat=0,
            settings={
                "game": GAME,
                "params": {"rows": self.size, "cols": self.size},
                "time": CLOCK,
            },
        )

    def turn(self, player: Player) -> None:
        """It is this player's turn: move at once, or when the time has come."""
        self.next = lambda: self.move(player)
        self.offer()

    def offer(self) -> None:
        """Something can be done here."""
        play = self.play
        if play.held:
            play.ready.append(self)
        elif not play.paced:
            self.next()
        elif play.due:
            self.act(play.due.popleft())
        else:
            play.ready.append(self)

    def act(self, at: float | None = None) -> None:
        """Do it; `at` is when it should have been done."""
        self.sent_at = time.perf_counter() if at is None else at
        self.next()

    def move(self, player: Player) -> None:
        """Send the next move."""
        data = self.frames[player.ply]
        play = self.play
        play.waiting += 1
        play.request_bytes += len(data) - 6
        player.asked = True
        if not play.paced:
            self.sent_at = time.perf_counter() if play.timing else 0.0
        player.say(data)

    def begin(self, event: dict[str, Any]) -> None:
        """A match begins: pack its requests."""
        self.match = event["match"]
        shift = (self.match - 1) % 2
        self.movers = [seat ^ shift for seat in self.seats]
        self.frames = [
            move_frame(self.room, self.match, ply, action)
            for ply, action in enumerate(self.actions)
        ]

    def other(self, player: Player, message: dict[str, Any]) -> None:
        """Everything but moves."""
        kind, me = message["type"], player.me
        if kind == "room_state":
            self._entered(player, message)
        elif kind == "match_started":
            if self.match != message["match"] or not self.movers:
                self.begin(message)
            self._started(player)
        elif kind == "match_finished":
            self._finished(message)
        elif kind == "rematch_offered":
            if me == 1:
                self.ask(player, type="rematch", id=3, room=self.room)
        elif kind == "done":
            self.left += 1
            if self.left == 2:
                self.create()
                self.play.waiting -= 1
        elif kind not in ("presence", "seated", "room_closed"):
            raise LoadError(f"Unexpected {kind}: {message}")

    def _entered(self, player: Player, message: dict[str, Any]) -> None:
        if player.me == 0:
            self.room = message["room"]
            self.ask(self.players[1], type="join_room", id=2, room=self.room)
        else:
            self.begin({"match": message["snapshot"]["match"]})
            self._started(player)

    def _started(self, player: Player) -> None:
        player.ply = 0
        if player.me == 0:
            self.play.waiting -= 1
        if self.movers[0] == player.me:
            self.turn(player)

    def _finished(self, message: dict[str, Any]) -> None:
        """Both have heard that the match is over: on to the next one."""
        if message["termination"] != "completed":
            raise LoadError(f"The match ended otherwise: {message}")
        self.finished += 1
        if self.finished < 2:
            return
        self.finished = self.left = 0
        self.play.waiting += 1
        if self.match < 50:
            self.ask(self.players[0], type="rematch", id=3, room=self.room)
        else:
            for player in self.players:
                self.ask(player, type="leave", id=4, room=self.room)
