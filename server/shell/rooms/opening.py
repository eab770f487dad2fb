"""Open rooms, for offers and for tournaments alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from doublecross.server.core.events import Event
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTerms, RoomTimes
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.following import RoomFollowing
from doublecross.server.shell.rooms.publisher import RoomPublisher
from doublecross.server.shell.rooms.registry import RoomRegistry


class RoomOpener:
    """Open rooms: register them, publish their first events, show them to their players."""

    def __init__(
        self,
        index: RoomIndex,
        registry: RoomRegistry,
        publisher: RoomPublisher,
        following: RoomFollowing,
        times: RoomTimes,
        now: Callable[[], int],
    ) -> None:
        self._index = index
        self._registry = registry
        self._publisher = publisher
        self._following = following
        self._times = times
        self._now = now

    def open(
        self, room: Room, events: list[Event], players: Sequence[tuple[Peer, int | None]]
    ) -> None:
        """Open a room that is in the index already.

        `players` are the peers to show it to, each with the id of the request that this answers,
        or None.
        """
        self._registry.add(room)
        self._publisher.publish(room, events)
        for peer, request_id in players:
            self._following.show(peer, room, request_id, origin=room.terms.origin)

    def open_with(self, terms: RoomTerms, players: tuple[Peer, Peer]) -> None:
        """Open a room and seat both players; `players` is by seat.

        Raises:
            Refused: the settings are not allowed.
        """
        room, events = room_for_two(terms, players, self._times, self._now())
        self._index.add(room)
        self.open(room, events, [(peer, None) for peer in players])


def room_for_two(
    terms: RoomTerms, players: tuple[Peer, Peer], times: RoomTimes, now: int
) -> tuple[Room, list[Event]]:
    """Return a new room with both players, who are by seat, and its events.

    Raises:
        Refused: the settings are not allowed.
    """
    room, events = Room.open(terms, times, now)
    for seat, peer in enumerate(players):
        assert peer.player is not None
        events += room.sit(peer.player, seat, now)
    return room, events
