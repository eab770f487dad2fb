"""What the lobby's followers are told: everything at first, then what has changed.

Both are bounded, so that a full server neither stalls over one request nor outgrows the frames
that clients accept: of each kind the newest are listed, and changes come a batch at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final, TypeVar

from protocol.common import PlayerInfo
from server.core.events import player_dict, settings_dict
from server.core.lobby.lobby import Lobby
from server.core.lobby.offers import Offer
from server.core.rating_book import PlayerRating, RatingBook
from server.core.records import engine_text
from server.core.room import Room
from server.core.snapshot import LobbyRoomDict, lobby_room
from server.shell.journal.committer import Committer
from server.shell.peer import Peer, tell_all

_K = TypeVar("_K")
_V = TypeVar("_V")

MAX_PLAYERS: Final = 1000
MAX_SEEKS: Final = 200
MAX_ROOMS: Final = 200
MAX_TOURNAMENTS: Final = 100
MAX_RATINGS: Final = 2000
MAX_RATINGS_EACH: Final = 10
"""How many of each are listed at most; the totals are told besides."""


def listed(room: Room) -> bool:
    """Whether the room is shown to everybody."""
    return not room.terms.private and room.status != "closed"


def lobby_seek(offer: Offer) -> dict[str, Any]:
    """The seek's line in the lobby."""
    return {
        "seek": offer.offer_id,
        "player": player_dict(offer.owner),
        "settings": settings_dict(offer.settings),
        "seat": offer.seat,
    }


def lobby_rating(rated: PlayerRating) -> dict[str, Any]:
    """A rating's line in the lobby."""
    return {
        "player": rated.player,
        "game": rated.game,
        "size": rated.size,
        "rating": round(rated.glicko.rating, 1),
        "deviation": round(rated.glicko.deviation, 1),
        "games": rated.games,
    }


class LobbyFeed:
    """Collect changes; `flush` sends them to the followers once they are stored.

    `newest_tournaments` gives the lines of so many tournaments at most, `tournament_line` that of
    one, None where there is none.
    """

    def __init__(
        self,
        lobby: Lobby,
        committer: Committer,
        ratings: RatingBook,
        newest_tournaments: Callable[[int], list[dict[str, Any]]],
        tournament_line: Callable[[str], dict[str, Any] | None],
    ) -> None:
        self._lobby = lobby
        self._committer = committer
        self._ratings = ratings
        self._newest_tournaments = newest_tournaments
        self._tournament_line = tournament_line
        self._followers: dict[Peer, None] = {}
        self._players: dict[str, PlayerInfo | None] = {}
        self._rooms: dict[str, None] = {}
        self._seeks: dict[str, Offer | None] = {}
        self._tournaments: dict[str, None] = {}
        self._rated: dict[tuple[str, str, str, str], None] = {}

    def follow(self, peer: Peer, on: bool) -> None:
        """Whether `peer` hears of changes."""
        if on:
            self._followers[peer] = None
        else:
            self._followers.pop(peer, None)

    def player(self, name: str, info: PlayerInfo | None) -> None:
        """A player has come, or (None) is gone."""
        self._players[name] = info

    def seek(self, offer: Offer, is_open: bool) -> None:
        """A seek is open, or is not any more; challenges concern only their two players."""
        if offer.target is None:
            self._seeks[offer.offer_id] = offer if is_open else None

    def room(self, room: Room) -> None:
        """A room has changed."""
        if not room.terms.private:
            self._rooms[room.id] = None

    def tournament(self, tournament_id: str) -> None:
        """A tournament has changed."""
        self._tournaments[tournament_id] = None

    def rating(self, player: str, engine: str, game: str, size: str) -> None:
        """A player's rating has changed."""
        self._rated[player, engine, game, size] = None

    def _ratings_of(self, player: PlayerInfo) -> Iterator[dict[str, Any]]:
        """Those of the program that the player runs now."""
        engine = engine_text(player)
        found = (r for r in self._ratings.of(player.name) if r.engine == engine)
        return map(lobby_rating, islice(found, MAX_RATINGS_EACH))

    def rooms(self, most: int) -> tuple[list[LobbyRoomDict], int]:
        """The newest listed rooms, `most` at most, and how many rooms there are."""
        newest = (r for r in self._lobby.rooms.newest() if listed(r))
        return [lobby_room(r) for r in islice(newest, most)], len(self._lobby.rooms)

    def state(self) -> dict[str, Any]:
        """The lobby as of now."""
        lobby = self._lobby
        seeks = lobby.offers.seeks()
        rooms, total = self.rooms(MAX_ROOMS)
        return {
            "type": "lobby_state",
            "players": tuple(
                player_dict(p) for p in islice(reversed(lobby.online.values()), MAX_PLAYERS)
            ),
            "seeks": tuple(lobby_seek(o) for o in seeks[:MAX_SEEKS]),
            "rooms": tuple(rooms),
            "tournaments": tuple(self._newest_tournaments(MAX_TOURNAMENTS)),
            "ratings": tuple(
                islice(
                    (r for p in reversed(lobby.online.values()) for r in self._ratings_of(p)),
                    MAX_RATINGS,
                )
            ),
            "players_total": len(lobby.online),
            "seeks_total": len(seeks),
            "rooms_total": total,
        }

    def flush(self) -> None:
        """Tell what has changed since the last time; what is too much waits for the next."""
        changes = self._players, self._rooms, self._seeks, self._tournaments, self._rated
        if not any(changes):
            return
        if not self._followers and self._committer.idle:
            for change in changes:
                change.clear()
            return  # nobody follows, and nobody waits to
        players = _take(self._players, MAX_PLAYERS)
        seeks = _take(self._seeks, MAX_SEEKS)
        rooms = _take(self._rooms, MAX_ROOMS)
        tournaments = _take(self._tournaments, MAX_TOURNAMENTS)
        lines = {i: self._tournament_line(i) for i in tournaments}
        rated = _take(self._rated, MAX_RATINGS)
        found = (self._ratings.rating(*key) for key in rated)
        ratings = [lobby_rating(r) for r in found if r is not None]
        for info in players.values():
            if info is not None:
                ratings += self._ratings_of(info)
        shown = [r for i in rooms if (r := self._lobby.rooms.get(i)) is not None and listed(r)]
        shown_ids = {room.id for room in shown}
        message = {
            "type": "lobby_changed",
            "players": tuple(player_dict(p) for p in players.values() if p is not None),
            "players_gone": tuple(name for name, p in players.items() if p is None),
            "seeks": tuple(lobby_seek(o) for o in seeks.values() if o is not None),
            "seeks_gone": tuple(i for i, o in seeks.items() if o is None),
            "rooms": tuple(lobby_room(room) for room in shown),
            "rooms_gone": tuple(i for i in rooms if i not in shown_ids),
            "tournaments": tuple(line for line in lines.values() if line is not None),
            "tournaments_gone": tuple(i for i, line in lines.items() if line is None),
            "ratings": tuple(ratings[:MAX_RATINGS]),
        }

        def deliver() -> None:
            tell_all(self._followers, message)

        def fail() -> None:
            self._rooms = rooms | self._rooms
            self._players = players | self._players
            self._seeks = seeks | self._seeks
            self._tournaments = tournaments | self._tournaments
            self._rated = rated | self._rated

        self._committer.after(deliver, fail)


def _take(changes: dict[_K, _V], most: int) -> dict[_K, _V]:
    """The oldest changes, taken out."""
    taken = dict(islice(changes.items(), most))
    for key in taken:
        del changes[key]
    return taken
