"""What follows outside rooms from their events: the lobby's lines, ratings and tournaments."""

from __future__ import annotations

from doublecross.server.core.events import Event
from doublecross.server.core.rating_book import RatedGame, RatingBook
from doublecross.server.core.records import rated_game
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.lobby.feed import LobbyFeed
from doublecross.server.tournaments.director import Director


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
            self.ended(room)

    def left(self, room: Room) -> None:
        """See `RoomEffects.left`. The index has the room itself, so nothing follows."""

    def changed(self, room: Room) -> None:
        """Show what may have changed in a room, or that it is gone, without an event."""
        self._feed.room_changed(room)

    def ended(self, room: Room) -> None:
        """Carry out what follows from the end of the match that was played last in a room."""
        played = rated_game(room)
        if played is not None:
            self.rate(played)
        if room.terms.tag is not None:
            self.director.game_over(room)

    def rate(self, played: RatedGame) -> None:
        """Rate the players of a finished game; nothing happens if that was done before."""
        if self._ratings.add(played):
            for player, engine in zip(played.players, played.engines, strict=True):
                self._feed.rating_changed(player, engine, played.game, played.size)

    def lost(self, room: Room) -> None:
        """Handle that a room is gone, and perhaps its match in play."""
        self._feed.room_changed(room)
        if room.terms.tag is not None and (room.match is None or room.match.result is None):
            self.director.game_lost(room.terms.tag)

    def allows_phrases(self, tournament_id: str) -> bool:
        """See `RoomEffects.allows_phrases`."""
        running = self.director.registry.running.get(tournament_id)
        return running is None or running.wire.phrases
