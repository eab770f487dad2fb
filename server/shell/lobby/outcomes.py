"""What follows outside rooms from their events: the lobby's lines, ratings and tournaments."""

from __future__ import annotations

from server.core.events import Event
from server.core.rating_book import RatingBook
from server.core.records import rated_game
from server.core.room import Room
from server.shell.lobby.feed import LobbyFeed
from server.tournaments.director import Director


class RoomOutcomes:
    """Pass the events of rooms on to the lobby, the ratings and the tournaments of this server.

    `RoomEffects` documents the methods. Set `director` before the first event.
    """

    director: Director

    def __init__(self, feed: LobbyFeed, ratings: RatingBook) -> None:
        self._feed = feed
        self._ratings = ratings

    def happened(self, room: Room, event: Event) -> None:
        """See `RoomEffects.happened`."""
        self._feed.room_changed(room)
        if event["type"] == "match_finished":
            self._count_rating(room)
            if room.terms.tag is not None:
                self.director.game_over(room)

    def _count_rating(self, room: Room) -> None:
        """Rate the players of a match that has ended."""
        played = rated_game(room)
        if played is not None and self._ratings.add(played):
            for player, engine in zip(played.players, played.engines, strict=True):
                self._feed.rating_changed(player, engine, played.game, played.size)

    def allows_phrases(self, tournament_id: str) -> bool:
        """See `RoomEffects.allows_phrases`."""
        running = self.director.registry.running.get(tournament_id)
        return running is None or running.wire.phrases
