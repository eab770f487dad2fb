"""Let the rest of the server open rooms, show them, and end the matches in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from doublecross.protocol.common import PlayerInfo
from doublecross.server.core.events import Event
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTerms
from doublecross.server.shell.peer import Peer


class Rooms(Protocol):
    """Run the rooms of a server, here or elsewhere."""

    def prefix(self, players: Sequence[str]) -> str:
        """Return how the id of a new room begins in which these players get seats.

        Raises:
            Refused: no room can be opened now.
        """
        ...

    def open(
        self,
        room: Room,
        events: list[Event],
        asked: Sequence[tuple[Peer, int]],
        undo: Callable[[], None] | None = None,
    ) -> None:
        """Open a room that is in the index already, and show it to all connections of its players.

        This answers the requests in `asked`, which are peers with the ids of their requests. If the
        room cannot be stored, these requests are refused, `undo` is called, and the room leaves the
        index.
        """

    def open_with(
        self, terms: RoomTerms, players: tuple[PlayerInfo, PlayerInfo], undo: Callable[[], None]
    ) -> None:
        """Open a room and seat both players; `players` is by seat, `undo` as in `open`.

        Raises:
            Refused: the settings are not allowed.
        """

    def show(self, peer: Peer, room: Room, request_id: int, *, origin: str | None = None) -> None:
        """Let a peer pay for what it has missed of a room, and follow the room from now on.

        `origin` says where the room comes from.

        Raises:
            Refused: the peer has asked for too much lately.
        """

    def forfeit(self, room: Room, player: str, reason: str) -> None:
        """End the match in play; `player` loses it.

        Raises:
            Refused: no match is in play, or the player has no seat.
        """

    def end_rematch(self, room: Room, player: str) -> None:
        """End the rematch that `player` offers, because the player begins another match."""

    def close(self, room: Room, reason: str) -> None:
        """Close a room; a match in play is called off and counts for nothing."""

    def is_stored(self, room: Room) -> bool:
        """Return whether all events of a room are stored."""
        ...

    def depart(self, peer: Peer) -> None:
        """Stop sending events to a peer whose connection is gone."""

    async def settled(self, *, games: bool = False) -> None:
        """Wait until everything queued so far is stored; with `games`, finished games too.

        Raises:
            StoreError: it could not be stored.
        """

    def finish_soon(self) -> None:
        """Store all finished games in the next commit, not later."""
