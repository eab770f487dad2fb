"""Run the rooms of `play` on Colyseus or on `ws`, to compare what a move costs there.

Theory of operation
-------------------
Colyseus' clients reserve a seat by HTTP and then open a websocket. Each binary message begins with
a code. The server says `JOIN`, the client answers with the same code, and the server sends the
whole state. A client's message is `MESSAGE`, the packed name of its type, and a packed value.
After a move the server sends either a patch of the state or a message.

The games are those of `play`, and the board after each move is known beforehand. The first time
that an answer arrives, it is decoded and compared with that board. Later it must only be the same
bytes, so the load needs little CPU. An answer with other bytes is decoded again.

The plain `ws` server sends the same messages, so that one load serves both.
"""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

import msgpack

from benchmarks.server.play import GAME, pack, script
from benchmarks.server.rooms import Pair, Rooms
from benchmarks.server.wire import Client, LoadError, Loop, frame
from doublecross.games.registry import make_game

JOIN: Final = 10
MESSAGE: Final = 13
STATE: Final = 14
PATCH: Final = 15
_JOINED: Final = frame(bytes([JOIN]))
_SWITCH: Final = 0xFF
"""In a patch: the number of another part of the state follows, and then its changes."""
_ROOT: Final = 0
_FIELDS: Final = ("ply", "turn", "scores", "edges", "owners")
_HTTP_S: Final = 30


def request(kind: str, value: Any = None) -> bytes:
    """Return the frame of a client's message."""
    return frame(bytes([MESSAGE]) + pack(kind) + (b"" if value is None else pack(value)))


@dataclass(frozen=True, slots=True)
class Board:
    """A position as Colyseus' clients know it; `owners` has 0 for nobody, else the seat plus 1."""

    ply: int
    turn: int
    scores: tuple[int, ...]
    edges: tuple[int, ...]
    owners: tuple[int, ...]


def boards(size: int, actions: list[int], first: int) -> list[Board]:
    """Return the positions of a game whose first player has seat `first`."""
    state = make_game(GAME, {"rows": size, "cols": size}).initial_state()
    edges = [0] * len(actions)
    owners = (0,) * (size * size)
    found = [Board(0, first, (0, 0), tuple(edges), owners)]
    for ply, action in enumerate(actions, 1):
        turn = state.current_player() ^ first
        state.apply(action)
        edges[action] = 1
        owners = tuple(0 if owner < 0 else (owner ^ first) + 1 for owner in state.owners())
        if not state.is_terminal():  # the last move closes a box, so it keeps the turn
            turn = state.current_player() ^ first
        scores = owners.count(1), owners.count(2)
        found.append(Board(ply, turn, scores, tuple(edges), owners))
    return found


class Colyseus(Rooms):
    """All rooms on one server, which sends patches of its state or messages after a move."""

    def __init__(
        self, loop: Loop, url: str, http: str, pid: int, rooms: int, size: int, patches: bool
    ) -> None:
        super().__init__(loop, pid)
        self.url = url
        self.http = http
        self.patches = patches
        self.matches = 0
        self.pairs = [Match(self, number, size) for number in range(rooms)]
        for pair in self.pairs:
            pair.open()

    def players(self) -> Sequence[Player]:
        """Return the clients of all rooms."""
        return [player for pair in self.pairs for player in pair.players]

    def reserve(self, path: str, options: dict[str, Any]) -> dict[str, str]:
        """Reserve a seat; return the names of the room, its process and the session."""
        asked = urllib.request.Request(
            f"{self.http}/matchmake/{path}",
            json.dumps(options).encode(),
            {"Content-Type": "application/json", "Accept": "application/json"},
        )
        with urllib.request.urlopen(asked, timeout=_HTTP_S) as answer:
            seat: dict[str, str] = json.load(answer)
        return seat


class Player(Client):
    """One player of a room; `ply` counts the moves of the match that it has received."""

    __slots__ = ("asked", "me", "pair", "parts", "ply", "turns")

    def __init__(self, pair: Match, me: int, seat: dict[str, str]) -> None:
        room = f"{seat['processId']}/{seat['roomId']}?sessionId={seat['sessionId']}"
        super().__init__(f"{pair.work.url}/{room}")
        self.pair = pair
        self.me = me
        self.ply = 0
        self.turns = 0
        """Which of the two games this is: 0 if seat 0 began, else 1."""
        self.asked = False
        self.parts: dict[int, str] = {}
        """The arrays of the state by their numbers."""
        if self.next()[0] != JOIN:
            raise LoadError("The server did not say that the client joined.")
        self.send_frame(_JOINED)
        state = self.next()
        if state[0] != STATE:
            raise LoadError(f"Expected the state, got {state[:80]!r}")
        expected = pair.boards[0][0]
        empty = Board(-1, -1, (-1, -1), (-1,) * len(expected.edges), (-1,) * len(expected.owners))
        self.compare(patched(empty, state, self.parts), expected)
        self.on_frame = self.handle_frame

    def handle_frame(self, payload: bytes) -> None:
        """Handle an answer: the next move of the game, or the start of the next one."""
        pair = self.pair
        work = pair.work
        self.ply = ply = self.ply + 1
        if ply > len(pair.actions):
            self.ply = ply = 0
            self.turns ^= 1
        known = pair.known[self.turns]
        if known[ply] != payload:
            self.check(payload)
            known[ply] = payload
        if ply == 0:
            if self.me == 0:
                work.waiting -= 1
                work.matches += 1
        else:
            work.event_bytes += len(payload)
        if self.asked:
            self.asked = False
            work.answered(pair.sent_at)
        if ply == len(pair.actions):
            if self.me == 0:
                work.waiting += 1
            self.send_frame(REMATCH)
        elif pair.boards[self.turns][ply].turn == self.me:
            pair.turn(self)

    def check(self, payload: bytes) -> None:
        """Decode an answer and compare it with the position that the game must have."""
        pair, ply = self.pair, self.ply
        now = pair.boards[self.turns][ply]
        if payload[0] == PATCH and pair.work.patches:
            before = pair.boards[self.turns][ply - 1] if ply else pair.boards[self.turns ^ 1][-1]
            self.compare(patched(before, payload, self.parts), now)
        elif payload[0] == MESSAGE and not pair.work.patches:
            self.compare(list(_unpack(payload)), pair.message(self.turns, ply))
        else:
            raise LoadError(f"Unexpected answer: {payload[:80]!r}")

    def compare(self, found: object, expected: object) -> None:
        """Raise an error if a position or a message is not the expected one."""
        if found != expected:
            raise LoadError(f"Expected {expected}, got {found}")


class Match(Pair):
    """Two players who play match after match in one room; they take turns to begin."""

    def __init__(self, work: Colyseus, number: int, size: int) -> None:
        super().__init__(work)
        self.work = work
        self.size = size
        self.actions, _ = script(size, Random(number))
        self.frames = [request("move", action) for action in self.actions]
        self.boards = [boards(size, self.actions, first) for first in (0, 1)]
        self.known = [[b""] * (len(self.actions) + 1) for _ in (0, 1)]
        self.players: list[Player] = []
        self.mover: Player | None = None

    def open(self) -> None:
        """Open the room and let both join."""
        options = {"rows": self.size, "cols": self.size}
        seat = self.work.reserve("create/game", options)
        self.players.append(Player(self, 0, seat))
        self.players.append(Player(self, 1, self.work.reserve(f"joinById/{seat['roomId']}", {})))
        for player in self.players:
            self.work.loop.add(player)
        self.turn(self.players[0])

    def turn(self, player: Player) -> None:
        """Let this player move, at once or when a move is due."""
        self.mover = player
        self.next = self.move
        self.offer()

    def move(self) -> None:
        """Send the next move."""
        player = self.mover
        assert player is not None
        data = self.frames[player.ply]
        self.work.waiting += 1
        self.work.request_bytes += len(data) - 6
        player.asked = True
        player.send_frame(data)

    def message(self, turns: int, ply: int) -> list[Any]:
        """Return the message that tells of this move, or of the start of the game."""
        after = self.boards[turns][ply]
        if ply == 0:
            return ["begin", after.turn]
        before = self.boards[turns][ply - 1]
        closed = [box for box, owner in enumerate(after.owners) if owner != before.owners[box]]
        return ["move", [ply, self.actions[ply - 1], before.turn, closed, after.turn]]


REMATCH: Final = request("rematch")


def patched(board: Board, payload: bytes, parts: dict[int, str]) -> Board:
    """Return the board after the changes of a state or a patch; `parts` learns its arrays.

    Raises:
        LoadError: the payload has something else than this state's numbers and arrays of numbers.
    """
    changed: dict[str, Any] = {}
    at, end, part = 1, len(payload), _ROOT
    while at < end:
        if payload[at] == _SWITCH:
            part, at = payload[at + 1], at + 2
        elif part == _ROOT:
            field, value = payload[at] & 0x3F, payload[at + 1]
            if field >= len(_FIELDS):
                raise LoadError(f"The state has no field {field}: {payload[:80]!r}")
            if field < 2:
                changed[_FIELDS[field]] = value
            else:
                parts[value] = _FIELDS[field]
            at += 2
        else:
            name = parts.get(part)
            if name is None or payload[at] & 0x7F or payload[at + 1] > 0x7F:
                raise LoadError(f"This patch cannot be read: {payload[:80]!r}")
            cells = changed.setdefault(name, list(getattr(board, name)))
            cells[payload[at + 1]] = payload[at + 2]
            at += 3
    fields: dict[str, Any] = {
        name: tuple(new) if isinstance(new, list) else new for name, new in changed.items()
    }
    return replace(board, **fields)


def _unpack(payload: bytes) -> Iterator[Any]:
    unpacker = msgpack.Unpacker()
    unpacker.feed(payload[1:])
    yield from unpacker
