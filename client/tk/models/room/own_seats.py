"""Which seats of a room belong to this window, and which connection plays each of them."""

from __future__ import annotations

from typing import Final

from client.tk.models.pictures import RoomPicture

OWN: Final = "me"
"""The connection of the person whose window this is."""


class OwnSeats:
    """The seats that people at this window have in the current match of a room.

    `connections` has the connection by seat: one for a player, none for a spectator, two where two
    people share the window. Pictures of the second connection say nothing else of interest.
    """

    def __init__(self) -> None:
        self.connections: dict[int, str] = {}
        self._pictures: dict[str, RoomPicture] = {}

    def take(self, picture: RoomPicture) -> None:
        """Apply a picture of either connection; the own one decides which match is current."""
        self._pictures[picture.who] = picture
        self._update()

    def forget(self, who: str) -> None:
        """Drop the seat of `who`, a connection other than `OWN` that has left the room."""
        self._pictures.pop(who, None)
        self._update()

    def __contains__(self, seat: int | None) -> bool:
        """Return whether somebody at this window has `seat`."""
        return seat in self.connections

    @property
    def watching(self) -> bool:
        """Whether this window has no seat."""
        return not self.connections

    @property
    def shared(self) -> bool:
        """Whether both players share this window."""
        return len(self.connections) == 2

    @property
    def opponent(self) -> int | None:
        """The seat against the own connection, also when it belongs to the second person here;
        None for a spectator."""
        mine = next((seat for seat, who in self.connections.items() if who == OWN), None)
        return None if mine is None else 1 - mine

    def _update(self) -> None:
        own = self._pictures.get(OWN)
        if own is None:
            return
        others = (picture for who, picture in self._pictures.items() if who != OWN)
        self.connections = {
            picture.seat: picture.who
            for picture in (own, *others)
            if picture.seat is not None and picture.match == own.match
        }
