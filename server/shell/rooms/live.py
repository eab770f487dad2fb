"""The parts that run rooms, built and connected."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from server.core.lobby.lobby import Lobby
from server.core.rating_book import RatingBook
from server.core.room import Room
from server.core.storage import Store
from server.core.terms import RoomTimes
from server.shell.journal.committer import Committer
from server.shell.lobby_feed import LobbyFeed
from server.shell.peer import Peer
from server.shell.rooms.following import RoomFollowing
from server.shell.rooms.opening import RoomOpener
from server.shell.rooms.publisher import RoomPublisher
from server.shell.rooms.registry import RoomRegistry


class LiveRooms:
    """Build the parts that run rooms; callers use the parts directly.

    `publisher` handles a move, `following` a peer that reconnects, `opener` a new room, and
    `registry.rebuild` a failed commit. `on_game_over` takes the room of a tournament game that has
    ended.
    """

    def __init__(
        self,
        lobby: Lobby,
        store: Store,
        committer: Committer,
        connected: Mapping[str, Peer],
        feed: LobbyFeed,
        ratings: RatingBook,
        times: RoomTimes,
        now: Callable[[], int],
        date: Callable[[], int],
        on_game_over: Callable[[Room], None],
    ) -> None:
        self.registry = RoomRegistry(lobby, store, committer, times, now)
        self.publisher = RoomPublisher(
            self.registry, committer, feed, ratings, on_game_over, now, date
        )
        self.following = RoomFollowing(self.registry, committer, connected, now)
        self.opener = RoomOpener(lobby, self.registry, self.publisher, self.following, times, now)
