"""Connect the tournaments to the rest of the server, in both directions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.common import MatchSettings, PairTag, PlayerInfo
from doublecross.server.core.errors import Refused
from doublecross.server.core.limits import ServerLimits
from doublecross.server.core.lobby.lobby import Lobby
from doublecross.server.core.records import game_row
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.sleeping import SleepingRoom
from doublecross.server.core.storage import TournamentChange
from doublecross.server.core.terms import RoomTerms, RoomTimes
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.lobby.feed import LobbyFeed
from doublecross.server.shell.peers import ConnectedPeers
from doublecross.server.shell.rooms.api import Rooms
from doublecross.server.shell.rooms.channel import opening_event
from doublecross.server.shell.rooms.subscribers import RoomSubscriber
from doublecross.server.shell.upkeep.service_time import TimeSource
from doublecross.server.tournaments.director import Director


class TournamentGames(RoomSubscriber):
    """Pass the results of the games of tournaments to a director."""

    def __init__(self, director: Director) -> None:
        self._director = director

    def room_changed(self, room: Room) -> None:
        """Let a tournament wait for a player's other match, or go on after it."""
        if room.terms.tag is None and room.settings.time.runs:
            for player in room.players:
                if player is not None:
                    self._director.presence.refresh(player.name)

    def match_ended(self, room: Room) -> None:
        """Record the result of a game."""
        if room.terms.tag is not None:
            self._director.game_over(room)

    def room_lost(self, room: Room) -> None:
        """Let a game be played again if its room is gone before its end."""
        self.room_changed(room)
        if room.terms.tag is not None and (room.match is None or room.match.result is None):
            self._director.game_lost(room.terms.tag)


class TournamentHost:
    """The server as tournaments use it; `RoomHost` documents each method."""

    def __init__(
        self,
        lobby: Lobby,
        committer: Committer,
        peers: ConnectedPeers,
        rooms: Rooms,
        feed: LobbyFeed,
        limits: ServerLimits,
        time: TimeSource,
    ) -> None:
        self._lobby = lobby
        self._committer = committer
        self._feed = feed
        self._rooms = rooms
        self._peers = peers
        self._limits = limits
        self.now = time.now
        self.date = time.date
        self.show = feed.tournament_changed
        self.games_of = lobby.rooms.of_tournaments
        self.plays_elsewhere = lobby.rooms.in_timed_match
        self.notify = peers.notify
        self.notify_all = peers.notify_all
        self.commit_games = rooms.finish_soon

    @property
    def players(self) -> Mapping[str, PlayerInfo]:
        """The connected players by name."""
        return self._lobby.online

    def games(self) -> Iterable[Room]:
        """Return the rooms for games of tournaments."""
        return [room for room in self._lobby.rooms.values() if room.terms.tag is not None]

    async def asleep(
        self, tournament: str, players: Collection[str]
    ) -> Sequence[tuple[SleepingRoom, PairTag]]:
        """Return the games in play of a tournament whose rooms sleep, and their tags."""
        rows = await self._committer.store.sleeping.of_tournament(tournament, players)
        in_play = [row for row in rows if row.to_move]
        # Use a thread, because there may be thousands.
        return await asyncio.to_thread(
            lambda: [(r, PairTag.model_validate(opening_event(r.packed)["tag"])) for r in in_play]
        )

    def is_stored(self, room: Room) -> bool:
        """Return whether all events of a room are stored."""
        return self._rooms.is_stored(room)

    def open_game(
        self,
        players: tuple[PlayerInfo, PlayerInfo],
        settings: MatchSettings,
        tag: PairTag,
        lost: Callable[[PairTag], None],
    ) -> bool:
        """Open a room for a game of a tournament; see `RoomHost.open_game`."""
        if len(self._lobby.rooms) >= self._limits.rooms:
            return False
        first, second = players
        try:
            room = self._lobby.new_room_id((first.name, second.name))
        except Refused:
            return False
        terms = RoomTerms(room, settings, origin=tag.tournament, tag=tag)
        self._rooms.open_with(terms, players, partial(lost, tag))
        return True

    def lose_unplayed(
        self,
        players: tuple[PlayerInfo, PlayerInfo],
        absent: int,
        settings: MatchSettings,
        tag: PairTag,
    ) -> Room:
        """Store a game that nobody plays, because a player did not come."""
        first, second = players
        room_id = self._lobby.new_room_id((first.name, second.name))
        now = self.date()
        terms = RoomTerms(room_id, settings, origin=tag.tournament, tag=tag)
        room, _ = Room.open(terms, RoomTimes(), now)
        room.sit(first, 0, now)
        room.sit(second, 1, now)
        reason = Sentence("{who} did not come.", players[absent].name)
        room.finish("disconnect", 1 - absent, reason, now)
        self._committer.queue_game(game_row(room))
        # In one commit with the rows of the tournament that count it.
        self._committer.games_due()
        return room

    def forfeit(self, room: Room, player: str, reason: str) -> None:
        """End the match of a room; `player` loses it."""
        self._rooms.forfeit(room, player, reason)

    def commit(
        self, change: TournamentChange, deliver: Callable[[], None], fail: Callable[[], None]
    ) -> None:
        """Store the rows of a change, then call `deliver`, or `fail`; see `RoomHost.commit`."""

        def stored() -> None:
            # Kept answers about the tournament are out of date now.
            self._feed.listing.changed()
            deliver()

        self._committer.queue_tournament(change, stored, fail)

    async def settled(self) -> None:
        """Wait until everything queued so far is stored, finished games included."""
        await self._rooms.settled(games=True)
