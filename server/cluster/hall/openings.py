"""Hold the rooms that the hall has opened until their owners have stored and shown them.

Theory of operation
-------------------
The hall makes the first events of a room and sends them to the owner of the room's log. Until the
owner reports the first event, the room is *unconfirmed*: its keys and seats count, but no client
hears of it. The owner answers the requests that opened the room, and then sends `Opened`.

If the owner dies in between, the log that its successor reads decides whether the room exists. The
same holds after the link to the owner was reset. The hall reads a log only after its owner has
tried to store all rooms that it was asked to open before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.answers import refuse_unstored
from doublecross.server.shell.peer import Peer


@dataclass(slots=True)
class Opening:
    """A room that was sent to its owner, and the requests that wait for it.

    The owner answers those of `players`. `late` are others, which came before the room was known to
    be stored. `undo` is called if it could not be stored. `is_stored` is true once its owner has
    reported its first event.
    """

    room: Room
    players: list[tuple[Peer, int | None]]
    undo: Callable[[], None] | None
    is_stored: bool = False
    late: list[tuple[Peer, int | None]] = field(default_factory=list)


class Openings:
    """Hold the rooms that are being opened, by id. `index` has the hall's rooms."""

    def __init__(self, index: RoomIndex) -> None:
        self._index = index
        self._openings: dict[str, Opening] = {}

    def __len__(self) -> int:
        return len(self._openings)

    def __contains__(self, room_id: str) -> bool:
        return room_id in self._openings

    def __iter__(self) -> Iterator[Opening]:
        return iter(list(self._openings.values()))

    def get(self, room_id: str) -> Opening | None:
        """Return the opening of a room, or None."""
        return self._openings.get(room_id)

    def is_unconfirmed(self, room_id: str) -> bool:
        """Return whether a room is not stored yet, as far as is known."""
        opening = self._openings.get(room_id)
        return opening is not None and not opening.is_stored

    def add(self, opening: Opening) -> None:
        """Add a room that is sent to its owner now."""
        self._openings[opening.room.id] = opening
        self._index.hide(opening.room)
        for peer, request_id in opening.players:
            peer.waiting += request_id is not None

    def wait(self, room_id: str, peer: Peer, request_id: int | None) -> None:
        """Add a request, or only its peer if the id is None, to those that wait for the room."""
        self._openings[room_id].late.append((peer, request_id))
        peer.waiting += request_id is not None

    def confirm(self, room_id: str) -> list[tuple[Peer, int | None]]:
        """Note that a room is stored; return the late requests, which wait no more."""
        opening = self._openings.get(room_id)
        if opening is None or opening.is_stored:
            return []
        opening.is_stored = True
        self._index.reveal(opening.room)
        late, opening.late = opening.late, []
        _release(late)
        return late

    def remove(self, room_id: str) -> Opening | None:
        """Forget an opening whose requests need no more answers from here, and return it."""
        opening = self._openings.pop(room_id, None)
        if opening is not None:
            _release(opening.players)
            _release(opening.late)
        return opening

    def fail(self, room_id: str, *, answered: bool) -> None:
        """Undo an opening, and refuse its requests unless they are `answered`."""
        opening = self.remove(room_id)
        assert opening is not None
        self._index.drop(opening.room)
        if not answered:
            for peer, request_id in opening.players + opening.late:
                if request_id is not None:
                    refuse_unstored(peer, request_id)
        if opening.undo is not None:
            opening.undo()

    def depart(self, peer: Peer) -> None:
        """Forget the requests of a peer whose connection is gone."""
        for opening in self._openings.values():
            for waiting in (opening.players, opening.late):
                gone = [each for each in waiting if each[0] is peer]
                waiting[:] = [each for each in waiting if each[0] is not peer]
                _release(gone)


def _release(waiting: list[tuple[Peer, int | None]]) -> None:
    """Note that these requests do not wait any more."""
    for peer, request_id in waiting:
        peer.waiting -= request_id is not None
