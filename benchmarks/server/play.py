"""Run rooms of two clients that answer at once: the load of the benchmark's main figures.

Each room plays a fixed random game of Dots and Boxes, captures included. Its request frames are
packed before the match begins. After a match both players offer a rematch. After fifty matches they
leave the room and open a new one. So the figures include everything that a move costs in the long
run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

import msgpack

from benchmarks.server.rooms import Pair, Rooms
from benchmarks.server.wire import Client, LoadError, Loop, frame
from doublecross.games.registry import make_game
from doublecross.protocol.version import MSGPACK, PROTOCOL_VERSION

GAME: Final = "dots-and-boxes"
CLOCK: Final = {"base_ms": 3_600_000, "increment_ms": 2000, "move_ms": None}
MOVE: Final = b"\xa4type\xa4move"
"""The start of a packed `move` event, after the byte with the number of its fields."""
_ENGINE: Final = {"name": "load", "version": "1"}

pack: Final[Callable[[Any], bytes]] = msgpack.Packer(autoreset=True).pack


def script(size: int, rng: Random) -> tuple[list[int], list[int]]:
    """Return a random game on `size` x `size` boxes: its actions, and the seat that plays each."""
    state = make_game(GAME, {"rows": size, "cols": size}).initial_state()
    actions, seats = state.legal_actions(), []
    rng.shuffle(actions)
    for action in actions:
        seats.append(state.current_player())
        state.apply(action)
    return actions, seats


def hello(client: Client, name: str) -> None:
    """Say hello as a new bot and read the welcome."""
    client.send_frame(
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
    """Return the frame with the request of a move."""
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
    """Return the message, which must have this type."""
    message: dict[str, Any] = msgpack.unpackb(payload)
    if message["type"] != kind:
        raise LoadError(f"Expected {kind}, got {message}")
    return message


class Play(Rooms):
    """All rooms on one server; the players of room n connect to `urls[n % len(urls)]`."""

    pair_type: type[PlayerPair]

    def __init__(
        self, loop: Loop, urls: str | Sequence[str], pid: int, rooms: int, size: int, tag: str
    ) -> None:
        super().__init__(loop, pid)
        self.urls = urls = (urls,) if isinstance(urls, str) else urls
        self.tag = tag
        self.pairs = [self.pair_type(self, urls[i % len(urls)], i, size) for i in range(rooms)]
        for pair in self.pairs:
            pair.open()

    def players(self) -> Sequence[Player]:
        """Return the clients of all rooms."""
        return [player for pair in self.pairs for player in pair.players]


class Player(Client):
    """One player of a room; `ply` counts the moves of the match that it has received."""

    __slots__ = ("asked", "me", "pair", "ply")

    def __init__(self, url: str, pair: PlayerPair, me: int) -> None:
        super().__init__(url, MSGPACK)
        self.pair = pair
        self.me = me
        self.ply = 0
        self.asked = False
        hello(self, f"{pair.play.tag}{pair.number}-{me}")
        self.on_frame = self.handle_frame

    def handle_frame(self, payload: bytes) -> None:
        """Handle an event of the room."""
        pair = self.pair
        if not payload.startswith(MOVE, 1):
            pair.other(self, msgpack.unpackb(payload))
            return
        play = pair.play
        play.event_bytes += len(payload)
        if self.asked:
            self.asked = False
            play.answered(pair.sent_at)
        self.ply = ply = self.ply + 1
        if ply < len(pair.movers) and pair.movers[ply] == self.me:
            pair.turn(self)


class PlayerPair(Pair):
    """Two players who play in one room after another; `movers` has the player of each ply."""

    player_type: type[Player] = Player
    answered_at = 0.0
    """When the last move was answered, where that is noted."""

    def __init__(self, play: Play, url: str, number: int, size: int) -> None:
        super().__init__(play)
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
        self.next = self.create
        self.players = [self.player_type(url, self, me) for me in (0, 1)]
        for player in self.players:
            play.loop.add(player)

    def open(self) -> None:
        """Open the first room and wait until its match begins."""
        self.create()
        while not self.movers or self.play.waiting:
            self.play.loop.turn(10)

    def ask(self, player: Player, **request: Any) -> None:
        """Send a request that is not a move."""
        player.send_frame(frame(pack(request)))

    def create(self) -> None:
        """Let the first player open a room; the second joins when it is open."""
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
        """Let this player move, at once or when a move is due."""
        self.next = lambda: self.move(player)
        self.offer()

    def move(self, player: Player) -> None:
        """Send the next move."""
        data = self.frames[player.ply]
        play = self.play
        play.waiting += 1
        play.request_bytes += len(data) - 6
        player.asked = True
        player.send_frame(data)

    def begin(self, event: dict[str, Any]) -> None:
        """Pack the requests of a match that begins."""
        self.match = event["match"]
        shift = (self.match - 1) % 2
        self.movers = [seat ^ shift for seat in self.seats]
        self.frames = [
            move_frame(self.room, self.match, ply, action)
            for ply, action in enumerate(self.actions)
        ]

    def other(self, player: Player, message: dict[str, Any]) -> None:
        """Handle a message that is not a move."""
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
        """Start the next match once both players have received the end of this one."""
        if message["termination"] != "completed":
            raise LoadError(f"The match did not end on the board: {message}")
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


Play.pair_type = PlayerPair
