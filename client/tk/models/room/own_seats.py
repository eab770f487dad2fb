"""Track which seats of a room belong to this window, and which connection plays each."""

from __future__ import annotations

from doublecross.client.tk.models.snapshots import OWN, RoomSnapshot


class OwnSeats:
    """The seats that people at this window have in the current match of a room.

    `connections` maps seats to connections. It has one entry for a player, none for a spectator,
    and two when two people share the window. Snapshots from the second connection only show its
    seat.
    """

    def __init__(self) -> None:
        self.connections: dict[int, str] = {}
        self._snapshots: dict[str, RoomSnapshot] = {}

    def take(self, snapshot: RoomSnapshot) -> None:
        """Apply a snapshot from either connection; that of `OWN` says which match is current."""
        self._snapshots[snapshot.who] = snapshot
        self._update()

    def forget(self, who: str) -> None:
        """Drop the seat of the second connection, `who`, which has left the room."""
        self._snapshots.pop(who, None)
        self._update()

    def __contains__(self, seat: int | None) -> bool:
        """Return whether `seat` belongs to this window."""
        return seat in self.connections

    @property
    def watching(self) -> bool:
        """Return whether this window has no seat."""
        return not self.connections

    @property
    def shared(self) -> bool:
        """Return whether both players share this window."""
        return len(self.connections) == 2

    @property
    def opponent(self) -> int | None:
        """The opponent's seat from the view of `OWN`, or None for a spectator.

        When two people share the window, that is the second person's seat.
        """
        mine = next((seat for seat, who in self.connections.items() if who == OWN), None)
        return None if mine is None else 1 - mine

    def _update(self) -> None:
        own = self._snapshots.get(OWN)
        if own is None:
            return
        others = (snapshot for who, snapshot in self._snapshots.items() if who != OWN)
        self.connections = {
            snapshot.seat: snapshot.who
            for snapshot in (own, *others)
            if snapshot.seat is not None and snapshot.match == own.match
        }
