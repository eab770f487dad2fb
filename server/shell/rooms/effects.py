"""What happens outside a room because of its events."""

from __future__ import annotations

from typing import Protocol

from doublecross.server.core.events import Event
from doublecross.server.core.rooms.room import Room


class RoomEffects(Protocol):
    """Learn of the events of rooms, and answer what rooms must know of the rest of the server."""

    def happened(self, room: Room, event: Event) -> None:
        """Handle an event, other than a move, that was stored and sent."""

    def left(self, room: Room) -> None:
        """Handle that a player has left a room by choice, or is back; see `Attendance.left`."""

    def allows_phrases(self, tournament_id: str) -> bool:
        """Return whether the players of a tournament may say phrases to each other."""
        ...
