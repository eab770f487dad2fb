"""Play rooms over several nodes, and rooms whose nodes may die: these check each message."""

from __future__ import annotations

import time
from typing import Any, Final

import msgpack

from benchmarks.server.play import Play, Player, PlayerPair
from benchmarks.server.wire import LoadError

IGNORED: Final = frozenset(("presence", "seated", "closing", "done"))


class CheckedPlayer(Player):
    """A player who knows the moves of the match, and whose room may be shown to it again.

    A lost or doubled move raises `LoadError`, as soon as the client could notice it.
    """

    __slots__ = ("mine", "moves")

    def __init__(self, url: str, pair: PlayerPair, me: int) -> None:
        self.moves: list[int] = []
        self.mine = -1
        """The ply of the own move that has no answer yet; -1: there is none."""
        super().__init__(url, pair, me)

    def handle_frame(self, payload: bytes) -> None:
        """Handle a message of the room."""
        message = msgpack.unpackb(payload)
        kind = message["type"]
        if kind == "move":
            self._moved(message)
        elif kind == "room_state" and self.pair.movers:
            self._shown(message["snapshot"])
        elif kind == "match_started":
            self.moves = []
            self.pair.other(self, message)
        elif kind not in IGNORED:
            self.pair.other(self, message)

    def _moved(self, message: dict[str, Any]) -> None:
        ply, action = message["ply"], message["action"]
        if ply < len(self.moves):
            if self.moves[ply] != action:
                raise LoadError(f"Ply {ply} was {self.moves[ply]} before: {message}")
            if message.get("id") is None:
                raise LoadError(f"A move came twice: {message}")
        elif ply > len(self.moves):
            raise LoadError(f"Move {len(self.moves)} is missing: {message}")
        else:
            self.moves.append(action)
        self._go_on()

    def _shown(self, snapshot: dict[str, Any]) -> None:
        """Compare a snapshot with the moves that are known: it may have more, but not fewer."""
        moves = list(snapshot["moves"])
        if moves[: len(self.moves)] != self.moves or snapshot["match"] != self.pair.match:
            raise LoadError(f"The room lost moves: {len(self.moves)} known, {len(moves)} shown.")
        self.moves = moves
        self._go_on()

    def _go_on(self) -> None:
        """Note the answer to the own move, and move if it is this player's turn."""
        pair, known = self.pair, len(self.moves)
        play = pair.play
        if 0 <= self.mine < known:
            if self.moves[self.mine] != pair.actions[self.mine]:
                raise LoadError(f"Ply {self.mine} is another move.")
            self.mine = -1
            self.asked = False
            play.done += 1
            play.waiting -= 1
            now = time.perf_counter()
            if play.timing:
                play.latencies.append(now - pair.sent_at)
            pair.answered_at = now
        if known == self.ply:
            return
        self.ply = known
        if known < len(pair.movers) and pair.movers[known] == self.me and self.mine < 0:
            pair.turn(self)


class CheckedPair(PlayerPair):
    """Two players whose moves are checked."""

    player_type = CheckedPlayer

    def move(self, player: Player) -> None:
        """Send the next move."""
        assert isinstance(player, CheckedPlayer)
        player.mine = player.ply
        super().move(player)


class CheckedPlay(Play):
    """Rooms whose players are connected to several nodes: room n to `urls[n % len(urls)]`."""

    pair_type = CheckedPair

    def silent(self, since: float) -> int:
        """Return how many rooms have had no answer to a move since then."""
        return sum(pair.answered_at < since for pair in self.pairs)


class SplitPlayer(Player):
    """A player of a room whose other player is connected to the next node."""

    def __init__(self, url: str, pair: PlayerPair, me: int) -> None:
        urls = pair.play.urls
        super().__init__(urls[(pair.number + me) % len(urls)], pair, me)


class SplitPair(PlayerPair):
    """Two players at two nodes."""

    player_type = SplitPlayer


class SplitPlay(Play):
    """Rooms whose players are connected to two nodes next to each other in `urls`."""

    pair_type = SplitPair
