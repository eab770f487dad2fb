"""Rate the players of games that have ended, and show their ratings in the lobby."""

from __future__ import annotations

from doublecross.server.core.rating_book import RatedGame, RatingBook
from doublecross.server.core.records import rated_game
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.lobby.feed import LobbyFeed
from doublecross.server.shell.rooms.subscribers import RoomSubscriber


class RatingService(RoomSubscriber):
    """Change the ratings when a rated match ends."""

    def __init__(self, ratings: RatingBook, feed: LobbyFeed) -> None:
        self._ratings = ratings
        self._feed = feed

    def match_ended(self, room: Room) -> None:
        """Rate the players of a match that has ended, if it counts."""
        played = rated_game(room)
        if played is not None:
            self.match_found(played)

    def match_found(self, played: RatedGame) -> None:
        """Rate the players of a finished game; nothing happens if that was done before."""
        if self._ratings.add(played):
            for player, engine in zip(played.players, played.engines, strict=True):
                self._feed.rating_changed(player, engine, played.game, played.size)
