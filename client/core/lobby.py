"""Mirror the lobby: players online, open seeks, public rooms, tournaments and ratings."""

from __future__ import annotations

from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.server_messages import (
    LobbyChanged,
    LobbyRating,
    LobbyRoom,
    LobbySeek,
    LobbyState,
    LobbyTournament,
)


class LobbyMirror:
    """The lobby as the server last described it; callers only read it.

    `players` is keyed by name, `seeks`, `rooms` and `tournaments` by id, and `ratings` by player,
    game and size. `stale` is true from a reconnect until the next full lobby message.
    """

    __slots__ = ("players", "ratings", "rooms", "seeks", "stale", "tournaments")

    def __init__(self) -> None:
        self.players: dict[str, PlayerInfo] = {}
        self.seeks: dict[str, LobbySeek] = {}
        self.rooms: dict[str, LobbyRoom] = {}
        self.tournaments: dict[str, LobbyTournament] = {}
        self.ratings: dict[tuple[str, str, str], LobbyRating] = {}
        self.stale = True

    def replace(self, state: LobbyState) -> None:
        """Replace everything by a full lobby message."""
        self.players = {player.name: player for player in state.players}
        self.seeks = {seek.seek: seek for seek in state.seeks}
        self.rooms = {room.room: room for room in state.rooms}
        self.tournaments = {each.tournament: each for each in state.tournaments}
        self.ratings = {(each.player, each.game, each.size): each for each in state.ratings}
        self.stale = False

    def change(self, change: LobbyChanged) -> None:
        """Apply additions, changes and removals."""
        # Removals come first, so an entry that was removed and added again stays.
        for name in change.players_gone:
            self.players.pop(name, None)
        for seek_id in change.seeks_gone:
            self.seeks.pop(seek_id, None)
        for room_id in change.rooms_gone:
            self.rooms.pop(room_id, None)
        for tournament_id in change.tournaments_gone:
            self.tournaments.pop(tournament_id, None)
        self.players.update((player.name, player) for player in change.players)
        self.seeks.update((seek.seek, seek) for seek in change.seeks)
        self.rooms.update((room.room, room) for room in change.rooms)
        self.tournaments.update((each.tournament, each) for each in change.tournaments)
        self.ratings.update(((r.player, r.game, r.size), r) for r in change.ratings)
