"""Open rooms, for offers and for tournaments alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from doublecross.protocol.common import PlayerInfo
from doublecross.server.core.events import Event
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTerms, RoomTimes
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.following import RoomFollowing
from doublecross.server.shell.rooms.publisher import RoomPublisher
from doublecross.server.shell.rooms.registry import RoomRegistry
from doublecross.server.shell.sessions import Sessions


class RoomOpener:
    """Open rooms: register them, publish their first events, show them to their players."""

    def __init__(
        self,
        index: RoomIndex,
        registry: RoomRegistry,
        publisher: RoomPublisher,
        following: RoomFollowing,
        sessions: Sessions,
        times: RoomTimes,
        now: Callable[[], int],
    ) -> None:
        self._index = index
        self._registry = registry
        self._publisher = publisher
        self._following = following
        self._sessions = sessions
        self._times = times
        self._now = now

    def open(self, room: Room, events: list[Event], asked: Sequence[tuple[Peer, int]]) -> None:
        """Open a room that is in the index already, and show it; see `shown_to`."""
        self._registry.add(room)
        self._publisher.publish(room, events)
        for peer, request_id in shown_to(room, asked, self._sessions):
            self._following.show(peer, room, request_id, origin=room.terms.origin)

    def open_with(self, terms: RoomTerms, players: tuple[PlayerInfo, PlayerInfo]) -> None:
        """Open a room, seat both players, who are by seat, and show it to them.

        Raises:
            Refused: the settings are not allowed.
        """
        room, events = room_for_two(terms, players, self._times, self._now())
        self._index.add(room)
        self.open(room, events, ())


def shown_to(
    room: Room, asked: Sequence[tuple[Peer, int]], sessions: Sessions
) -> list[tuple[Peer, int | None]]:
    """Return the peers to whom a new room is shown, with the ids of their requests, or None.

    These are the peers that have `asked` for it, and all other connections of its players. A player
    who is away finds the room in the welcome. The games of a round by days begin all at once, so
    they are shown to nobody: their players hear that it is their turn.
    """
    if room.by_days and room.terms.tag is not None:
        return list(asked)
    known = {peer for peer, _ in asked}
    players = [player for player in room.players if player is not None]
    others = [peer for player in players for peer in sessions.of(player.name) if peer not in known]
    return [*asked, *((peer, None) for peer in others)]


def room_for_two(
    terms: RoomTerms, players: tuple[PlayerInfo, PlayerInfo], times: RoomTimes, now: int
) -> tuple[Room, list[Event]]:
    """Return a new room with both players, who are by seat, and its events.

    Raises:
        Refused: the settings are not allowed.
    """
    room, events = Room.open(terms, times, now)
    for seat, player in enumerate(players):
        events += room.sit(player, seat, now)
    return room, events
