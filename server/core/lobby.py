"""The lobby: who is online, which rooms there are, and the offers that lead to rooms.

Theory of operation
-------------------
An *offer* is a seek (for anybody) or a challenge (for one player). Accepting one opens a room
with both players in it. Offers live in memory: after a restart the clients post them again with
the same idempotency key. A key leads to what it created: to an open offer, or to the room that
the offer became, which is written in the room's first event and so outlives a restart.

`now` is milliseconds, as everywhere in the core; the source of chance is a parameter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from protocol.common import MatchSettings, PlayerInfo
from protocol.errors import ErrorCode
from server.core.errors import Refused
from server.core.events import Event
from server.core.limits import Limits
from server.core.room import Room
from server.core.terms import RoomTerms, RoomTimes, check_settings

ID_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
"""What ids are made of; no letters that are mistaken for each other."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A seek (`target` None) or a challenge to the player named `target`.

    `seat` is the one that its owner wants, None for chance.
    """

    offer_id: str
    owner: PlayerInfo
    key: str
    settings: MatchSettings
    seat: int | None
    target: str | None


@dataclass(frozen=True, slots=True)
class Opened:
    """A room that was just opened, with the events that say so."""

    room: Room
    events: list[Event]
    offer: Offer | None = None


def complete(settings: MatchSettings) -> MatchSettings:
    """The settings with all parameters of their game, so that those who want the same say the
    same.

    Raises:
        Refused: an unknown game, or a size or opening that it does not allow.
    """
    return settings.model_copy(update={"params": dict(check_settings(settings).params)})


class Lobby:
    """Everything that is not inside one room. Names are compared as given by `PlayerInfo.name`,
    of which the shell makes sure that no two differ only in case."""

    def __init__(self, rng: Random, times: RoomTimes, limits: Limits) -> None:
        self._rng = rng
        self.times = times
        self.limits = limits
        self.online: dict[str, PlayerInfo] = {}
        self.rooms: dict[str, Room] = {}
        self.offers: dict[str, Offer] = {}
        self._away: dict[str, int] = {}
        """Owners of offers who are disconnected, since when."""
        self._keys: dict[tuple[str, str], str] = {}
        """(player, idempotency key) to the room or offer that it created."""
        self._rooms_of: dict[str, set[str]] = {}

    # -- ids and keys --------------------------------------------------------------------------

    def new_id(self) -> str:
        """An id that no room and no offer has."""
        while True:
            new = "".join(self._rng.choices(ID_LETTERS, k=10))
            if new not in self.rooms and new not in self.offers:
                return new

    def created_by(self, player: str, key: str) -> Room | Offer | None:
        """What this player's idempotency key has created and is still there."""
        found = self._keys.get((player, key))
        if found is None:
            return None
        return self.rooms.get(found) or self.offers.get(found)

    # -- players -------------------------------------------------------------------------------

    def arrive(self, player: PlayerInfo) -> None:
        """The player is connected."""
        self.online[player.name] = player
        self._away.pop(player.name, None)

    def depart(self, player: str, now: int) -> None:
        """The player's connection is gone; its offers stay for a while."""
        self.online.pop(player, None)
        if any(o.owner.name == player for o in self.offers.values()):
            self._away[player] = now

    def rooms_of(self, player: str) -> Iterator[Room]:
        """The rooms in which the player has a seat."""
        return (self.rooms[room_id] for room_id in sorted(self._rooms_of.get(player, ())))

    def challenges_to(self, player: str) -> list[Offer]:
        """The open challenges to the player."""
        return [o for o in self.offers.values() if o.target == player]

    # -- rooms ---------------------------------------------------------------------------------

    def room(self, room_id: str) -> Room:
        """A room by its id.

        Raises:
            Refused: there is none.
        """
        room = self.rooms.get(room_id)
        if room is None:
            raise Refused(ErrorCode.UNKNOWN_ROOM, f"There is no room {room_id}.")
        return room

    def add_room(self, room: Room) -> None:
        """Enter a room: a new one, or one built again from its events."""
        self.rooms[room.id] = room
        # The keys are by the seats of the first match; every rematch swaps them.
        keys = (
            room.terms.keys
            if room.match_number % 2 or not room.match_number
            else (room.terms.keys[1], room.terms.keys[0])
        )
        for player, key in zip(room.players, keys, strict=True):
            if player is not None:
                self._enter(room, player.name, key)

    def _enter(self, room: Room, player: str, key: str | None) -> None:
        self._rooms_of.setdefault(player, set()).add(room.id)
        if key is not None:
            self._keys[player, key] = room.id

    def drop_room(self, room: Room) -> None:
        """Forget a closed room."""
        self.rooms.pop(room.id, None)
        for player in room.players:
            if player is not None:
                ids = self._rooms_of.get(player.name)
                if ids is not None:
                    ids.discard(room.id)
                    if not ids:
                        del self._rooms_of[player.name]
                for key in room.terms.keys:
                    if key is not None and self._keys.get((player.name, key)) == room.id:
                        del self._keys[player.name, key]

    def create_room(
        self,
        player: PlayerInfo,
        key: str,
        settings: MatchSettings,
        seat: int | None,
        private: bool,
        now: int,
    ) -> Opened:
        """A waiting room with `player` in `seat` (None: by chance).

        Raises:
            Refused: the settings are not allowed, or too many rooms.
        """
        self._check_room_count(player.name)
        if seat is None:
            seat = self._rng.randrange(2)
        code = "".join(self._rng.choices(ID_LETTERS, k=6)) if private else None
        keys = (key, None) if seat == 0 else (None, key)
        terms = RoomTerms(self.new_id(), settings, private, code, None, keys)
        room, said = Room.open(terms, self.times, now)
        said += room.sit(player, seat, now)
        self.add_room(room)
        return Opened(room, said)

    def join_room(self, player: PlayerInfo, room: Room, now: int) -> list[Event]:
        """`player` takes the free seat.

        Raises:
            Refused: there is none, or too many rooms.
        """
        self._check_rooms_of(player.name)
        said = room.sit(player, None, now)
        self._enter(room, player.name, None)
        return said

    def _check_room_count(self, player: str) -> None:
        if len(self.rooms) >= self.limits.rooms:
            raise Refused(ErrorCode.TOO_MANY, "The server is full; try again later.")
        self._check_rooms_of(player)

    def _has_enough(self, player: str) -> bool:
        return len(self._rooms_of.get(player, ())) >= self.limits.rooms_per_player

    def _check_rooms_of(self, player: str) -> None:
        if self._has_enough(player):
            raise Refused(
                ErrorCode.TOO_MANY,
                f"{player} has {self.limits.rooms_per_player} open rooms, which is the limit.",
            )

    def _open_for_two(self, offer: Offer, other: PlayerInfo, key: str, now: int) -> Opened:
        """The room that an accepted offer becomes."""
        self._check_room_count(offer.owner.name)
        self._check_room_count(other.name)
        seat = self._rng.randrange(2) if offer.seat is None else offer.seat
        keys = (offer.key, key) if seat == 0 else (key, offer.key)
        terms = RoomTerms(self.new_id(), offer.settings, False, None, offer.offer_id, keys)
        room, said = Room.open(terms, self.times, now)
        said += room.sit(offer.owner, seat, now)
        said += room.sit(other, 1 - seat, now)
        self._forget_offer(offer)
        self.add_room(room)
        return Opened(room, said, offer)

    def take_back(self, offer: Offer, now: int) -> None:
        """The room that the offer became could not be stored: the offer is open again."""
        self.offers[offer.offer_id] = offer
        self._keys[offer.owner.name, offer.key] = offer.offer_id
        if offer.owner.name not in self.online:
            self._away.setdefault(offer.owner.name, now)

    # -- offers --------------------------------------------------------------------------------

    def _post(self, offer: Offer) -> Offer:
        settings = complete(offer.settings)
        mine = sum(o.owner.name == offer.owner.name for o in self.offers.values())
        if mine >= self.limits.offers_per_player:
            raise Refused(ErrorCode.TOO_MANY, f"You have {mine} open offers, which is the limit.")
        offer = replace(offer, offer_id=self.new_id(), settings=settings)
        self.offers[offer.offer_id] = offer
        self._keys[offer.owner.name, offer.key] = offer.offer_id
        return offer

    def _forget_offer(self, offer: Offer) -> None:
        del self.offers[offer.offer_id]
        if self._keys.get((offer.owner.name, offer.key)) == offer.offer_id:
            del self._keys[offer.owner.name, offer.key]

    def seek(
        self, player: PlayerInfo, key: str, settings: MatchSettings, seat: int | None
    ) -> Offer:
        """Post a seek.

        Raises:
            Refused: the settings are not allowed, or too many offers.
        """
        return self._post(Offer("", player, key, settings, seat, None))

    def quick_match(
        self, player: PlayerInfo, key: str, settings: MatchSettings, now: int
    ) -> Opened | Offer:
        """Accept the oldest fitting seek of another player, or post one.

        Raises:
            Refused: the settings are not allowed, or too many rooms or offers.
        """
        settings = complete(settings)
        for offer in self.offers.values():
            if (
                offer.target is None
                and offer.settings == settings
                and offer.owner.name != player.name
                and offer.owner.name in self.online
                and not self._has_enough(offer.owner.name)
            ):
                return self._open_for_two(offer, player, key, now)
        return self._post(Offer("", player, key, settings, None, None))

    def challenge(
        self,
        player: PlayerInfo,
        key: str,
        target: str,
        settings: MatchSettings,
        seat: int | None,
    ) -> Offer:
        """Challenge a connected player.

        Raises:
            Refused: nobody of that name is there, the settings are not allowed, too many offers.
        """
        folded = target.casefold()
        names = [name for name in self.online if name.casefold() == folded]
        if not names:
            raise Refused(ErrorCode.UNKNOWN_PLAYER, f"No player named {target} is connected.")
        if names[0] == player.name:
            raise Refused(ErrorCode.UNKNOWN_PLAYER, "You cannot challenge yourself.")
        return self._post(Offer("", player, key, settings, seat, names[0]))

    def _offer(self, offer_id: str, challenge: bool) -> Offer:
        offer = self.offers.get(offer_id)
        if offer is None or (offer.target is not None) != challenge:
            what, code = (
                ("challenge", ErrorCode.UNKNOWN_CHALLENGE)
                if challenge
                else ("seek", ErrorCode.UNKNOWN_SEEK)
            )
            raise Refused(code, f"This {what} is not open any more.")
        return offer

    def accept(
        self, player: PlayerInfo, key: str, offer_id: str, challenge: bool, now: int
    ) -> Opened:
        """Accept a seek or a challenge.

        Raises:
            Refused: it is gone, one's own, meant for somebody else, or too many rooms.
        """
        offer = self._offer(offer_id, challenge)
        if challenge and offer.target != player.name:
            raise Refused(ErrorCode.NOT_YOURS, "This challenge is for somebody else.")
        if offer.owner.name == player.name:
            raise Refused(ErrorCode.NOT_YOURS, "You cannot accept your own seek.")
        return self._open_for_two(offer, player, key, now)

    def cancel(self, player: PlayerInfo, offer_id: str, challenge: bool) -> Offer:
        """Take one's own offer back.

        Raises:
            Refused: it is gone, or somebody else's.
        """
        offer = self._offer(offer_id, challenge)
        if offer.owner.name != player.name:
            raise Refused(ErrorCode.NOT_YOURS, "Only its owner can take that back.")
        self._forget_offer(offer)
        return offer

    def decline(self, player: PlayerInfo, offer_id: str) -> Offer:
        """Decline a challenge to oneself.

        Raises:
            Refused: it is gone, or meant for somebody else.
        """
        offer = self._offer(offer_id, True)
        if offer.target != player.name:
            raise Refused(ErrorCode.NOT_YOURS, "This challenge is for somebody else.")
        self._forget_offer(offer)
        return offer

    def expire(self, now: int) -> list[Offer]:
        """Withdraw the offers of players who have been gone longer than the grace."""
        gone = {p for p, since in self._away.items() if now >= since + self.times.grace_ms}
        expired = [o for o in self.offers.values() if o.owner.name in gone]
        for offer in expired:
            self._forget_offer(offer)
        for player in gone:
            del self._away[player]
        return expired
