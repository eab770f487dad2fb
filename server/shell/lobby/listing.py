"""The listing of the lobby for peers that begin to follow it, encoded once for all who ask.

Thousands of players may log in within seconds, and each asks for the whole lobby. So every part of
the listing is encoded once and kept until it changes, and a listing is joined from its parts at
most once for each codec and each state of the lobby.

A large server has more players and rooms than a person can read. Its lists show as many as they
have places for (`server/core/lobby/shown.py`), and only their lines are kept up to date: bots and
rooms that wait for a player come first. The totals count everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, Final
from weakref import WeakKeyDictionary

from doublecross.protocol.codec import Codec
from doublecross.protocol.common import PlayerInfo
from doublecross.server.core.events import player_dict, settings_dict
from doublecross.server.core.lobby.lobby import Lobby
from doublecross.server.core.lobby.offers import Offer
from doublecross.server.core.lobby.shown import Shown
from doublecross.server.core.rating_book import PlayerRating, RatingBook
from doublecross.server.core.records import engine_text
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import lobby_room
from doublecross.server.shell.peer import JSON_CODEC, MSGPACK_CODEC

MAX_PLAYERS: Final = 1000
MAX_SEEKS: Final = 200
MAX_ROOMS: Final = 200
MAX_TOURNAMENTS: Final = 100
MAX_RATINGS: Final = 2000
MAX_RATINGS_EACH: Final = 10
"""The most ratings of one player in a message. The constants above bound the other lists.

The messages also give the total numbers of players, seeks and rooms.
"""


def listed(room: Room) -> bool:
    """Return whether the lobby shows the room."""
    return not room.terms.private and room.status != "closed"


def lobby_seek(offer: Offer) -> dict[str, Any]:
    """Return a seek as the lobby shows it."""
    return {
        "seek": offer.offer_id,
        "player": player_dict(offer.owner),
        "settings": settings_dict(offer.settings),
        "seat": offer.seat,
    }


def lobby_rating(rated: PlayerRating) -> dict[str, Any]:
    """Return a rating as the lobby shows it."""
    return {
        "player": rated.player,
        "game": rated.game,
        "size": rated.size,
        "rating": round(rated.glicko.rating, 1),
        "deviation": round(rated.glicko.deviation, 1),
        "games": rated.games,
    }


class _Parts:
    """The encoded parts of the lobby for one codec."""

    def __init__(self, codec: Codec) -> None:
        self._encode = codec.encode
        self._players: dict[str, tuple[PlayerInfo, bytes]] = {}
        self._ratings: dict[str, tuple[bytes, ...]] = {}
        self._seeks: dict[str, bytes] = {}
        # Weak, because nobody says here that a room is gone.
        self._rooms: WeakKeyDictionary[Room, tuple[tuple[object, ...], bytes]] = WeakKeyDictionary()
        """The encoding of each room, with the status and the players that it shows."""

    def player(self, info: PlayerInfo) -> bytes:
        """Return an encoded player."""
        found = self._players.get(info.name)
        # A player who comes back may have another engine, and so another object.
        if found is None or found[0] is not info:
            found = self._players[info.name] = (info, self._encode(player_dict(info)))
        return found[1]

    def ratings(
        self, info: PlayerInfo, find: Callable[[PlayerInfo], Iterator[Mapping[str, Any]]]
    ) -> tuple[bytes, ...]:
        """Return the encoded ratings of a player; `find` returns the ratings themselves."""
        found = self._ratings.get(info.name)
        if found is None:
            found = self._ratings[info.name] = tuple(map(self._encode, find(info)))
        return found

    def seek(self, offer: Offer) -> bytes:
        """Return an encoded seek."""
        found = self._seeks.get(offer.offer_id)
        if found is None:
            found = self._seeks[offer.offer_id] = self._encode(lobby_seek(offer))
        return found

    def room(self, room: Room) -> bytes:
        """Return an encoded room."""
        # The lobby shows nothing else that changes, so moves do not encode a room anew.
        shows = (room.status, *room.players)
        found = self._rooms.get(room)
        if found is None or found[0] != shows:
            found = self._rooms[room] = (shows, self._encode(lobby_room(room)))
        return found[1]

    def forget_player(self, name: str) -> None:
        """Forget a player who has connected or disconnected."""
        self._players.pop(name, None)
        self._ratings.pop(name, None)

    def forget_ratings(self, name: str) -> None:
        """Forget the ratings of a player."""
        self._ratings.pop(name, None)

    def forget_seek(self, offer_id: str) -> bool:
        """Forget a seek that is not open any more; return whether it was ever encoded."""
        return self._seeks.pop(offer_id, None) is not None


class LobbyListing:
    """The whole lobby as an encoded `lobby_state` message without an id.

    Code that changes the lobby must call `changed` or one of the other methods for changes.
    """

    def __init__(
        self,
        lobby: Lobby,
        ratings: RatingBook,
        newest_tournaments: Callable[[int], list[dict[str, Any]]],
    ) -> None:
        self._lobby = lobby
        self._ratings = ratings
        self._newest_tournaments = newest_tournaments
        self._parts = {False: _Parts(MSGPACK_CODEC), True: _Parts(JSON_CODEC)}
        rooms, online = lobby.rooms, lobby.online
        self.players = Shown[PlayerInfo](
            MAX_PLAYERS,
            online.get,
            lambda player: player.kind == "bot",
            online.__len__,
            lambda: reversed(online),
        )
        self.rooms = Shown[Room](
            MAX_ROOMS,
            lambda room_id: room if (room := rooms.public(room_id)) and listed(room) else None,
            lambda room: room.status == "waiting",
            lambda: rooms.public_count,
            lambda: (room.id for room in rooms.newest_public() if listed(room)),
        )
        self._frames: dict[bool, bytes] = {}
        """The encoded listing of the present state, by codec (true is JSON)."""
        self.version = 0
        """Grows with every change, also of private rooms."""

    def ratings_of(self, player: PlayerInfo) -> Iterator[dict[str, Any]]:
        """Yield a player's ratings with the engine that the player runs now."""
        engine = engine_text(player)
        found = (r for r in self._ratings.of(player.name) if r.engine == engine)
        return map(lobby_rating, islice(found, MAX_RATINGS_EACH))

    def settle(self) -> None:
        """Choose anew what the lists show."""
        self.players.settle()
        self.rooms.settle()

    def others(self, rooms: Iterable[Room], seeks: Iterable[Offer]) -> Iterator[PlayerInfo]:
        """Return those in these rooms and seeks who are here, but not in the list of players."""
        seated = (player for room in rooms for player in room.players)
        names = {each.name for each in (*seated, *(seek.owner for seek in seeks)) if each}
        online = self._lobby.online
        return (
            online[name] for name in sorted(names) if name in online and name not in self.players
        )

    def shows(self, player: str) -> bool:
        """Return whether a player is in one of the lists."""
        seated = self._lobby.rooms.seated(player)
        return (
            player in self.players
            or any(room.id in self.rooms for room in seated)
            or any(offer.target is None for offer in self._lobby.offers.owned_by(player))
        )

    def totals(self) -> dict[str, int]:
        """Return how many there are of all, as messages say it."""
        lobby = self._lobby
        return {
            "players_total": len(lobby.online),
            "seeks_total": lobby.offers.seek_count,
            "rooms_total": len(lobby.rooms),
        }

    def changed(self) -> None:
        """Note that the lobby has changed."""
        self.version += 1
        self._frames.clear()

    def player_changed(self, name: str) -> None:
        """Note that a player has connected or disconnected."""
        self.players.note(name)
        self.changed()
        for parts in self._parts.values():
            parts.forget_player(name)

    def rating_changed(self, name: str) -> None:
        """Note that a rating of a player has changed."""
        self.changed()
        for parts in self._parts.values():
            parts.forget_ratings(name)

    def seek_closed(self, offer_id: str) -> bool:
        """Note that a seek is not open any more; return whether any listing has shown it."""
        self.changed()
        # A list, because `any` alone would stop at the first codec.
        encoded = [parts.forget_seek(offer_id) for parts in self._parts.values()]
        return any(encoded)

    def frame(self, text: bool) -> bytes:
        """Return the encoded `lobby_state`; `text` means JSON."""
        found = self._frames.get(text)
        if found is None:
            found = self._frames[text] = self._joined(text)
        return found

    def _joined(self, text: bool) -> bytes:
        """Join a listing from its parts."""
        lobby, parts = self._lobby, self._parts[text]
        codec = JSON_CODEC if text else MSGPACK_CODEC
        self.settle()
        players, rooms = self.players.all(), self.rooms.all()
        seeks = list(islice(lobby.offers.seeks(), MAX_SEEKS))
        rated = chain(players, self.others(rooms, seeks))
        ratings = (parts.ratings(each, self.ratings_of) for each in rated)
        frame = codec.encode(
            {
                "type": "lobby_state",
                "tournaments": tuple(self._newest_tournaments(MAX_TOURNAMENTS)),
                **self.totals(),
            }
        )
        lists = {
            "players": map(parts.player, players),
            "seeks": map(parts.seek, seeks),
            "rooms": map(parts.room, rooms),
            "ratings": islice(chain.from_iterable(ratings), MAX_RATINGS),
        }
        for key, items in lists.items():
            frame = codec.with_list(frame, key, list(items))
        return frame
