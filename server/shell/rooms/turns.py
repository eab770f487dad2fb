"""Tell the players of correspondence games that it is their turn."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from doublecross.server.core.rooms.match import Match
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.sessions import Sessions


class TurnNotices:
    """Send `your_turn` to those connections of a player that do not follow the room."""

    def __init__(self, sessions: Sessions, now: Callable[[], int]) -> None:
        self._sessions = sessions
        self._now = now
        self.wanting: Container[str] | None = frozenset()
        """The players of whose turns `on_turn` hears; None: all."""
        self.on_turn: Callable[[str, dict[str, Any]], None] = lambda _, __: None
        """Called once for each turn, with the player to move and the notice."""

    def came(self, room: Room, kind: str) -> None:
        """Tell the player to move, after everything is stored; `kind` is the type of the event."""
        match = room.match
        seat = None if match is None else match.to_move
        if match is None or seat is None:
            return
        player, opponent = room.players[seat], room.players[1 - seat]
        deadline = match.clock.deadline()
        if player is None or opponent is None or deadline is None:
            return
        peers = self._sessions.of(player.name)
        wanting = self.wanting is None or player.name in self.wanting
        if not peers and not wanting:
            return
        notice = {
            "type": "your_turn",
            "room": room.id,
            "match": room.match_number,
            "ply": match.ply,
            "opponent": opponent.name,
            "left_ms": max(0, deadline - self._now()),
        }
        for peer in peers:
            if room.id not in peer.followed:
                peer.send(notice)
        if wanting and _begins(match, seat, kind):
            self.on_turn(player.name, notice)


def _begins(match: Match, seat: int, kind: str) -> bool:
    """Return whether a turn begins: not when it goes on, nor when a move was only taken back."""
    goes_on = bool(match.movers) and match.movers[-1] == seat
    return kind == "match_started" or (kind == "move" and not goes_on)
