"""Tell the players of correspondence games that it is their turn."""

from __future__ import annotations

from collections.abc import Callable

from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.sessions import Sessions


class TurnNotices:
    """Send `your_turn` to those connections of a player that do not follow the room."""

    def __init__(self, sessions: Sessions, now: Callable[[], int]) -> None:
        self._sessions = sessions
        self._now = now

    def came(self, room: Room) -> None:
        """Tell the player to move, after everything is stored."""
        match = room.match
        seat = None if match is None else match.to_move
        if match is None or seat is None:
            return
        player, opponent = room.players[seat], room.players[1 - seat]
        deadline = match.clock.deadline()
        if player is None or opponent is None or deadline is None:
            return
        for peer in self._sessions.of(player.name):
            if room.id not in peer.followed:
                peer.send(
                    {
                        "type": "your_turn",
                        "room": room.id,
                        "match": room.match_number,
                        "ply": match.ply,
                        "opponent": opponent.name,
                        "left_ms": max(0, deadline - self._now()),
                    }
                )
