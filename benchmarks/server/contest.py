"""Play the same games in plain rooms and in a tournament, to measure what a tournament costs.

The players answer at once. Every game has a room of its own, which both players leave after it, as
bots do in a tournament. Each game starts from one of the same openings and continues with random
moves. In plain rooms one player of each two opens a room, and the other joins it.
"""

from __future__ import annotations

from collections import deque
from itertools import count
from random import Random
from typing import Any, Final

import msgpack

from benchmarks.server.play import CLOCK, GAME, MOVE, expect, hello, move_frame, pack
from benchmarks.server.wire import Client, LoadError, Loop, frame
from doublecross.games.registry import make_game
from doublecross.protocol.version import MSGPACK

_SILENT: Final = frozenset(("presence", "seated", "room_closed", "tournament_state", "done"))
_ANSWERS: Final = frozenset(("done", "tournament_state"))
_OPENINGS: Final = 50


def settings(size: int, opening: tuple[int, ...] = ()) -> dict[str, Any]:
    """Return the settings of a match on `size` x `size` boxes."""
    params = {"rows": size, "cols": size}
    return {"game": GAME, "params": params, "opening": opening, "time": CLOCK, "rated": True}


class Games:
    """Players who play one game after another.

    `done` counts games, and `waiting` the requests without an answer. While paused, the players'
    next requests wait in `ready`.
    """

    def __init__(self, loop: Loop, url: str, pid: int, players: int, size: int, tag: str) -> None:
        self.loop = loop
        self.pid = pid
        self.size = size
        self.waiting = 0
        self.ends_seen = 0
        self.paused = True
        self.ready: deque[tuple[GamePlayer, bytes]] = deque()
        self.scripts: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        self.players = [GamePlayer(self, url, f"{tag}{i}") for i in range(players)]

    @property
    def done(self) -> int:
        """The number of games whose end both players have received."""
        return self.ends_seen // 2

    def start(self) -> None:
        """Let all players play; send what waited."""
        self.paused = False
        ready, self.ready = self.ready, deque()
        for player, data in ready:
            player.send_request(data)

    def pause(self) -> None:
        """Stop sending new requests."""
        self.paused = True

    def close(self) -> None:
        """Drop all connections."""
        for player in self.players:
            self.loop.remove(player)
            player.close()

    def script(self, opening: tuple[int, ...]) -> list[tuple[int, int]]:
        """Return a random game from an opening, always the same: its actions and their seats."""
        found = self.scripts.get(opening)
        if found is None:
            game = make_game(GAME, {"rows": self.size, "cols": self.size})
            state = game.replay(opening, ())
            actions = state.legal_actions()
            Random(repr(opening)).shuffle(actions)
            found = self.scripts[opening] = []
            for action in actions:
                found.append((action, state.current_player()))
                state.apply(action)
        return found

    def free(self, player: GamePlayer) -> None:
        """Handle a player that has left its room; a tournament needs nothing here."""


class GamePlayer(Client):
    """One player, in a game or waiting for one."""

    __slots__ = ("asked", "frames", "games", "partner", "ply", "room", "seat")

    def __init__(self, games: Games, url: str, name: str) -> None:
        super().__init__(url, MSGPACK)
        self.games = games
        self.partner: GamePlayer | None = None
        self.room = ""
        self.seat = 0
        self.ply = 0
        self.asked = False
        self.frames: list[bytes | None] = []
        hello(self, name)
        self.on_frame = self.handle_frame
        games.loop.add(self)

    def ask(self, **request: Any) -> None:
        """Send a request, or keep it while paused."""
        self.offer(frame(pack(request)))

    def offer(self, data: bytes) -> None:
        """Send a frame, or keep it while paused."""
        if self.games.paused:
            self.games.ready.append((self, data))
        else:
            self.send_request(data)

    def send_request(self, data: bytes) -> None:
        """Send a frame with a request and count it as waiting."""
        self.games.waiting += 1
        self.send_frame(data)

    def handle_frame(self, payload: bytes) -> None:
        """Handle a message of the server."""
        if not payload.startswith(MOVE, 1):
            self.other(msgpack.unpackb(payload, use_list=False))
            return
        if self.asked:
            self.asked = False
            self.games.waiting -= 1
        self.ply += 1
        self.turn()

    def turn(self) -> None:
        """Send the next move if it is this player's turn."""
        data = self.frames[self.ply] if self.ply < len(self.frames) else None
        if data is not None:
            self.asked = True
            self.offer(data)

    def other(self, message: dict[str, Any]) -> None:
        """Handle a message that is not a move."""
        kind = message["type"]
        if kind == "room_state":
            if "id" in message:
                self.games.waiting -= 1
            self.room, self.seat = message["room"], message["seat"]
            snapshot = message["snapshot"]
            self.prepare(tuple(snapshot["settings"].get("opening", ())))
            if snapshot["status"] == "playing":
                self.turn()
            elif self.partner is not None:
                self.partner.ask(type="join_room", id=2, room=self.room)
        elif kind == "match_started":
            self.turn()
        elif kind == "match_finished":
            if message["termination"] != "completed":
                raise LoadError(f"The match did not end on the board: {message}")
            self.games.ends_seen += 1
            self.ask(type="leave", id=3, room=message["room"])
        elif kind not in _SILENT:
            raise LoadError(f"Unexpected {kind}: {message}")
        elif kind in _ANSWERS and "id" in message:
            self.games.waiting -= 1
            if kind == "done":
                self.games.free(self)

    def prepare(self, opening: tuple[int, ...]) -> None:
        """Pack the move requests of a game in advance, so that packing takes no time later."""
        self.ply = 0
        self.frames = [
            move_frame(self.room, 1, ply, action) if seat == self.seat else None
            for ply, (action, seat) in enumerate(self.games.script(opening))
        ]


class PlainGames(Games):
    """Games in plain rooms: of each two players one opens a room, and the other joins it."""

    def __init__(self, loop: Loop, url: str, pid: int, players: int, size: int, tag: str) -> None:
        super().__init__(loop, url, pid, players, size, tag)
        game = make_game(GAME, {"rows": size, "cols": size})
        self._openings = game.openings(Random(1), _OPENINGS).found
        self._keys = count()
        self._left: set[GamePlayer] = set()
        for first, second in zip(self.players[::2], self.players[1::2], strict=True):
            first.partner, second.partner = second, first
            self._create(first)

    def free(self, player: GamePlayer) -> None:
        """Open the next room once both players have left theirs."""
        assert player.partner is not None
        if player.partner in self._left:
            self._left.discard(player.partner)
            self._create(player)
        else:
            self._left.add(player)

    def _create(self, player: GamePlayer) -> None:
        key = next(self._keys)
        player.ask(
            type="create_room",
            id=1,
            key=f"plain-{key}",
            seat=key % 2,
            settings=settings(self.size, self._openings[key // 2 % len(self._openings)]),
        )


class TournamentGames(Games):
    """Games in one tournament, in which each player plays one game at a time."""

    def __init__(
        self, loop: Loop, url: str, pid: int, players: int, size: int, tag: str, kind: str
    ) -> None:
        super().__init__(loop, url, pid, players, size, tag)
        terms = {"name": tag, "format": kind, "settings": settings(size), "seed": 1}
        owner = Client(url, MSGPACK)
        hello(owner, f"{tag}-owner")
        try:
            state = self._request(owner, type="create_tournament", key="1", terms=terms)
            join = {"type": "join_tournament", "id": 5, "tournament": state["tournament"]}
            for player in self.players:
                player.send_request(frame(pack(join)))
            while self.waiting:
                loop.turn(10)
            self._request(owner, type="start_tournament", tournament=state["tournament"])
        finally:
            owner.close()

    def _request(self, owner: Client, **request: Any) -> dict[str, Any]:
        owner.send_frame(frame(pack({"id": 1, **request})))
        while True:
            payload = owner.next()
            if msgpack.unpackb(payload).get("id") == 1:
                return expect(payload, "tournament_state")
