"""Send the lobby to peers that follow it: its whole state first, then the changes.

Both messages are bounded. Only the newest players, seeks, rooms and tournaments are listed, and
changes are sent in batches. So one request never stalls a full server, and no message outgrows the
frames that clients accept.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, TypeVar

import msgpack

from doublecross.server.core.events import player_dict
from doublecross.server.core.lobby.lobby import Lobby
from doublecross.server.core.lobby.offers import Offer
from doublecross.server.core.rating_book import RatingBook
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import LobbyRoomDict, lobby_room
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.lobby.listing import (
    MAX_PLAYERS,
    MAX_RATINGS,
    MAX_ROOMS,
    MAX_SEEKS,
    MAX_TOURNAMENTS,
    LobbyListing,
    listed,
    lobby_rating,
    lobby_seek,
)
from doublecross.server.shell.peer import Peer, send_to_all
from doublecross.server.shell.rooms.subscribers import RoomSubscriber

_K = TypeVar("_K")
_V = TypeVar("_V")


class LobbyFeed(RoomSubscriber):
    """Collect changes of the lobby, and send them to its followers once they are stored.

    `newest_tournaments(limit)` returns the lobby entries of the newest tournaments.
    `tournament_entry(tournament_id)` returns the entry of one, or None where there is none.
    """

    def __init__(
        self,
        lobby: Lobby,
        committer: Committer,
        ratings: RatingBook,
        newest_tournaments: Callable[[int], list[dict[str, Any]]],
        tournament_entry: Callable[[str], dict[str, Any] | None],
    ) -> None:
        self._lobby = lobby
        self._committer = committer
        self._ratings = ratings
        self.listing = LobbyListing(lobby, ratings, newest_tournaments)
        self._tournament_entry = tournament_entry
        self._followers: dict[Peer, None] = {}
        self._seeks: dict[str, Offer | None] = {}
        self._reopened: set[str] = set()
        """The seeks that clients have seen, although `_seeks` has them as new."""
        self._tournaments: dict[str, None] = {}
        self._rated: dict[tuple[str, str, str, str], None] = {}

    def follow(self, peer: Peer, on: bool) -> None:
        """Start or stop sending changes to `peer`."""
        if on:
            self._followers[peer] = None
        else:
            self._followers.pop(peer, None)

    def player_changed(self, name: str) -> None:
        """Note that a player has connected or disconnected."""
        self.listing.player_changed(name)

    def seek_changed(self, offer: Offer, is_open: bool) -> None:
        """Note that a seek has opened or closed. Ignore challenges: only two players see them."""
        if offer.target is not None:
            return
        offer_id = offer.offer_id
        if is_open:
            if self._seeks.get(offer_id, offer) is None:
                self._reopened.add(offer_id)
            self._seeks[offer_id] = offer
            self.listing.changed()
            return
        seen = self.listing.seek_closed(offer_id) or self._seeks.get(offer_id) is None
        if seen or offer_id in self._reopened:
            self._seeks[offer_id] = None
        else:
            del self._seeks[offer_id]  # no client has seen it

    def room_changed(self, room: Room) -> None:
        """Note that a room has changed."""
        self.listing.changed()
        if not room.terms.private:
            self.listing.rooms.note(room.id)

    def tournament_changed(self, tournament_id: str) -> None:
        """Note that a tournament has changed."""
        self._tournaments[tournament_id] = None
        self.listing.changed()

    def rating_changed(self, player: str, engine: str, game: str, size: str) -> None:
        """Note that a player's rating has changed."""
        self.listing.rating_changed(player)
        if self.listing.shows(player):
            self._rated[player, engine, game, size] = None

    def rooms(self, most: int) -> tuple[list[LobbyRoomDict], int]:
        """Return the newest listed rooms, `most` at most, and how many rooms there are."""
        newest = (r for r in self._lobby.rooms.newest_public() if listed(r))
        return [lobby_room(r) for r in islice(newest, most)], len(self._lobby.rooms)

    def state(self) -> dict[str, Any]:
        """Return the `lobby_state` message for the lobby as it is now."""
        state: dict[str, Any] = msgpack.unpackb(self.listing.frame(False), use_list=False)
        return state

    def flush_unread(self) -> None:
        """Drop the changes so far if nobody follows, because the next follower gets all.

        With followers, the next update may repeat changes that the listing has already. An update
        to all of them each time that somebody asks would be too expensive.
        """
        if not self._followers:
            self.flush()

    def flush(self) -> None:
        """Send the changes since the last flush; changes over the limits wait for the next.

        The message is delivered after the commit. If that fails, its changes are noted again.
        """
        listing = self.listing
        listing.settle()
        changes = (
            *(listing.players.due, listing.rooms.due),
            *(self._seeks, self._tournaments, self._rated),
        )
        if not any(changes):
            return
        self._reopened &= self._seeks.keys()
        if not self._followers and self._committer.idle:
            for change in changes:
                change.clear()
            # Nobody follows. While a commit runs, a peer may be waiting for its first state, so
            # the changes are dropped only when the committer is idle.
            return
        players = _take_oldest(listing.players.due, MAX_PLAYERS)
        seeks = _take_oldest(self._seeks, MAX_SEEKS)
        rooms = _take_oldest(listing.rooms.due, MAX_ROOMS)
        tournaments = _take_oldest(self._tournaments, MAX_TOURNAMENTS)
        entries = {i: self._tournament_entry(i) for i in tournaments}
        rated = _take_oldest(self._rated, MAX_RATINGS)
        found = (self._ratings.rating(*key) for key in rated)
        ratings = [lobby_rating(r) for r in found if r is not None]
        here = {name: listing.players.find(name) for name in players}
        shown = {room_id: listing.rooms.find(room_id) for room_id in rooms}
        others = listing.others(
            [room for room in shown.values() if room is not None],
            [offer for offer in seeks.values() if offer is not None],
        )
        for info in (*here.values(), *others):
            if info is not None:
                # Followers know only the ratings of players who are in the lists.
                ratings += listing.ratings_of(info)
        # Made now, although it is sent later: by then there may be changes that are not stored.
        message = {
            "type": "lobby_changed",
            "players": tuple(player_dict(p) for p in here.values() if p is not None),
            "players_gone": tuple(name for name, p in here.items() if p is None),
            "seeks": tuple(lobby_seek(o) for o in seeks.values() if o is not None),
            "seeks_gone": tuple(i for i, o in seeks.items() if o is None),
            "rooms": tuple(lobby_room(room) for room in shown.values() if room is not None),
            "rooms_gone": tuple(i for i, room in shown.items() if room is None),
            "tournaments": tuple(entry for entry in entries.values() if entry is not None),
            "tournaments_gone": tuple(i for i, entry in entries.items() if entry is None),
            "ratings": tuple(ratings[:MAX_RATINGS]),
            **listing.totals(),
        }

        def deliver() -> None:
            send_to_all(self._followers, message)

        def fail() -> None:
            # The later change of each wins.
            listing.rooms.due = rooms | listing.rooms.due
            listing.players.due = players | listing.players.due
            self._seeks = seeks | self._seeks
            self._tournaments = tournaments | self._tournaments
            self._rated = rated | self._rated

        self._committer.after(deliver, fail)


def _take_oldest(changes: dict[_K, _V], most: int) -> dict[_K, _V]:
    """Remove the oldest `most` changes from `changes` and return them."""
    taken = dict(islice(changes.items(), most))
    for key in taken:
        del changes[key]
    return taken
