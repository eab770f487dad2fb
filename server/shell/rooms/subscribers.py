"""Tell other parts of the server what was committed in rooms.

The publisher stores each event, then sends it to the room's followers. Then the subscribers hear of
it, in the order in which whoever builds the server has added them. Moves are too many for that:
no subscriber hears of one.
"""

from __future__ import annotations

from doublecross.server.core.events import Event
from doublecross.server.core.rating_book import RatedGame
from doublecross.server.core.rooms.room import Room


class RoomSubscriber:
    """Hear of rooms; override what matters."""

    def happened(self, room: Room, event: Event) -> None:
        """Handle an event, other than a move, that was stored and sent."""
        self.room_changed(room)
        if event["type"] == "match_finished":
            self.match_ended(room)

    def room_changed(self, room: Room) -> None:
        """Handle that a room has changed or is gone, perhaps without an event."""

    def match_ended(self, room: Room) -> None:
        """Handle the end of the match that was played last in a room."""

    def match_found(self, played: RatedGame) -> None:
        """Handle a rated match whose end nobody has reported; it may be known already."""

    def room_lost(self, room: Room) -> None:
        """Handle that a room is gone, and perhaps its match in play."""
        self.room_changed(room)

    def player_left(self, room: Room) -> None:
        """Handle that a player has left a room by choice, or is back; see `Attendance.left`."""


class RoomSubscribers(RoomSubscriber):
    """Pass everything on to a list of subscribers."""

    def __init__(self) -> None:
        self._all: list[RoomSubscriber] = []

    def add(self, subscriber: RoomSubscriber) -> None:
        """Let one more subscriber hear of rooms, after those before."""
        self._all.append(subscriber)

    def happened(self, room: Room, event: Event) -> None:
        """Pass on an event."""
        for each in self._all:
            each.happened(room, event)

    def room_changed(self, room: Room) -> None:
        """Pass on a change."""
        for each in self._all:
            each.room_changed(room)

    def match_ended(self, room: Room) -> None:
        """Pass on the end of a match."""
        for each in self._all:
            each.match_ended(room)

    def match_found(self, played: RatedGame) -> None:
        """Pass on a match."""
        for each in self._all:
            each.match_found(played)

    def room_lost(self, room: Room) -> None:
        """Pass on the loss of a room."""
        for each in self._all:
            each.room_lost(room)

    def player_left(self, room: Room) -> None:
        """Pass on that a player has left, or is back."""
        for each in self._all:
            each.player_left(room)
