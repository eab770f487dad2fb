"""Tell the players of correspondence games that it is their turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.sessions import Sessions


class Turn(NamedTuple):
    """Whose turn it is in a correspondence game, and the fields of the notice."""

    player: str
    room: str
    match: int
    ply: int
    opponent: str
    left_ms: int


def turn_in(room: Room, now: int) -> Turn | None:
    """Return whose turn it is in a room, or None if nobody is to move."""
    match = room.match
    seat = None if match is None else match.to_move
    if match is None or seat is None:
        return None
    player, opponent = room.players[seat], room.players[1 - seat]
    deadline = match.clock.deadline()
    if player is None or opponent is None or deadline is None:
        return None
    left_ms = max(0, deadline - now)
    return Turn(player.name, room.id, room.match_number, match.ply, opponent.name, left_ms)


class TurnNotices:
    """Send `your_turn` to those connections of a player that do not follow the room."""

    def __init__(self, sessions: Sessions, now: Callable[[], int]) -> None:
        self._sessions = sessions
        self._now = now

    def came(self, room: Room) -> None:
        """Tell the player to move, after everything is stored."""
        turn = turn_in(room, self._now())
        if turn is not None:
            self.tell(turn)

    def tell(self, turn: Turn) -> None:
        """Tell the player of a turn."""
        notice = {"type": "your_turn", **turn._asdict()}
        del notice["player"]
        for peer in self._sessions.of(turn.player):
            if turn.room not in peer.followed:
                peer.send(notice)
