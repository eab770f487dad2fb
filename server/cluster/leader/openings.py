"""Hold the rooms that the leader has opened until their owners have stored them.

Theory of operation
-------------------
The leader makes the first events of a room and sends them to the owner of the room's log. Until the
owner says that they are stored, the room is *unconfirmed*: its keys and seats count, but no client
hears of it. Then the leader lets the nodes of those who wait for the room show it to them.

If the owner dies in between, the log that its successor reads decides whether the room exists. The
same holds after the link to the owner was reset. The leader reads a log only after its owner has
tried to store all rooms that it was asked to open before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from doublecross.server.core.events import Event
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.answers import refuse_unstored
from doublecross.server.shell.peer import Peer


@dataclass(slots=True)
class Opening:
    """A room that was sent to its owner, with its first events.

    `waiting` are peers with the ids of their requests, which the room answers. `undo` is called if
    it could not be stored.
    """

    room: Room
    events: list[Event]
    waiting: list[tuple[Peer, int]]
    undo: Callable[[], None] | None


class Openings(dict[str, Opening]):
    """The rooms that are being opened, by id: those that are not stored, as far as is known.

    `index` has the leader's rooms.
    """

    def __init__(self, index: RoomIndex) -> None:
        super().__init__()
        self._index = index

    def add(self, opening: Opening) -> None:
        """Add a room that is sent to its owner now."""
        self[opening.room.id] = opening
        self._index.hide(opening.room)
        for peer, _ in opening.waiting:
            peer.waiting += 1

    def wait(self, room_id: str, peer: Peer, request_id: int) -> None:
        """Add a request to those that wait for the room."""
        self[room_id].waiting.append((peer, request_id))
        peer.waiting += 1

    def confirm(self, room_id: str) -> list[tuple[Peer, int]] | None:
        """Note that a room is stored; return the requests, which wait no more.

        Return None if that was known.
        """
        opening = self.pop(room_id, None)
        if opening is None:
            return None
        self._index.reveal(opening.room)
        return _release(opening)

    def fail(self, room_id: str) -> None:
        """Undo an opening, and refuse its requests."""
        opening = self.pop(room_id)
        self._index.drop(opening.room)
        for peer, request_id in _release(opening):
            refuse_unstored(peer, request_id)
        if opening.undo is not None:
            opening.undo()

    def depart(self, peer: Peer) -> None:
        """Forget the requests of a peer whose connection is gone."""
        for opening in self.values():
            opening.waiting = [each for each in opening.waiting if each[0] is not peer]


def _release(opening: Opening) -> list[tuple[Peer, int]]:
    """Return the requests that have waited for an opening, and let them wait no more."""
    waiting, opening.waiting = opening.waiting, []
    for peer, _ in waiting:
        peer.waiting -= 1
    return waiting
