"""Open rooms for players who are online, by themselves or by the offers that they make.

Theory of operation
-------------------
An *offer* is a seek (for anybody) or a challenge (for one player). Accepting one opens a room
with both players in it. A key leads to what it created: to an open offer, or to the room that
the offer became, which is written in the room's first event and so outlives a restart.

`now` is milliseconds, as everywhere in the core; the source of chance is a parameter.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from protocol.common import MatchSettings, PlayerInfo
from protocol.errors import ErrorCode
from server.core.errors import Refused
from server.core.events import Event
from server.core.limits import ServerLimits
from server.core.lobby.offers import Offer, OfferBook
from server.core.lobby.room_index import RoomIndex
from server.core.room import Room
from server.core.terms import RoomTerms, RoomTimes, check_settings

ID_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
"""What ids are made of; no letters that are mistaken for each other."""


@dataclass(frozen=True, slots=True)
class OpenedRoom:
    """A room that was just opened, with the events that say so.

    `offer` is the one that it came from, None where a player opened it.
    """

    room: Room
    events: list[Event]
    offer: Offer | None = None


def complete(settings: MatchSettings) -> MatchSettings:
    """Return the settings with all parameters of their game, so that equal wishes look equal.

    Raises:
        Refused: an unknown game, or a size or opening that it does not allow.
    """
    return settings.model_copy(update={"params": dict(check_settings(settings).params)})


class Lobby:
    """Know who is online, and open rooms for them.

    `rooms` has all rooms, `offers` those that are open. Names are compared as given by
    `PlayerInfo.name`, of which the shell makes sure that no two differ only in case.
    """

    def __init__(self, rng: Random, times: RoomTimes, limits: ServerLimits) -> None:
        self._rng = rng
        self._times = times
        self.online: dict[str, PlayerInfo] = {}
        self.rooms = RoomIndex(limits)
        self.offers = OfferBook(limits, times.grace_ms)

    def new_id(self) -> str:
        """Return an id that no room and no offer has."""
        while True:
            new = "".join(self._rng.choices(ID_LETTERS, k=10))
            if new not in self.rooms and new not in self.offers:
                return new

    def created_by(self, player: str, key: str) -> Room | Offer | None:
        """Return what this player's idempotency key has created, if it is still there."""
        return self.offers.created_by(player, key) or self.rooms.created_by(player, key)

    # -- players -------------------------------------------------------------------------------

    def arrive(self, player: PlayerInfo) -> None:
        """Note that the player is connected."""
        self.online[player.name] = player
        self.offers.owner_came(player.name)

    def depart(self, player: str, now: int) -> None:
        """Note that the player's connection is gone; its offers stay for a while."""
        self.online.pop(player, None)
        self.offers.owner_left(player, now)

    # -- rooms ---------------------------------------------------------------------------------

    def create_room(
        self,
        player: PlayerInfo,
        key: str,
        settings: MatchSettings,
        seat: int | None,
        private: bool,
        now: int,
    ) -> OpenedRoom:
        """Open a waiting room with `player` in `seat` (None: by chance).

        Raises:
            Refused: the settings are not allowed, or too many rooms.
        """
        self.rooms.check_space(player.name)
        if seat is None:
            seat = self._rng.randrange(2)
        code = "".join(self._rng.choices(ID_LETTERS, k=6)) if private else None
        keys = (key, None) if seat == 0 else (None, key)
        terms = RoomTerms(self.new_id(), settings, private, code, None, keys)
        room, said = Room.open(terms, self._times, now)
        said += room.sit(player, seat, now)
        self.rooms.add(room)
        return OpenedRoom(room, said)

    def join_room(self, player: PlayerInfo, room: Room, now: int) -> list[Event]:
        """Give `player` the free seat.

        Raises:
            Refused: there is none, or too many rooms.
        """
        self.rooms.check_player(player.name)
        said = room.sit(player, None, now)
        self.rooms.seat_taken(room, player.name)
        return said

    def _open_for_two(self, offer: Offer, other: PlayerInfo, key: str, now: int) -> OpenedRoom:
        """Open the room that an accepted offer becomes."""
        self.rooms.check_space(offer.owner.name)
        self.rooms.check_space(other.name)
        seat = self._rng.randrange(2) if offer.seat is None else offer.seat
        keys = (offer.key, key) if seat == 0 else (key, offer.key)
        terms = RoomTerms(self.new_id(), offer.settings, False, None, offer.offer_id, keys)
        room, said = Room.open(terms, self._times, now)
        said += room.sit(offer.owner, seat, now)
        said += room.sit(other, 1 - seat, now)
        self.offers.remove(offer)
        self.rooms.add(room)
        return OpenedRoom(room, said, offer)

    # -- offers --------------------------------------------------------------------------------

    def _post(
        self,
        player: PlayerInfo,
        key: str,
        settings: MatchSettings,
        seat: int | None,
        target: str | None,
    ) -> Offer:
        settings = complete(settings)
        self.offers.check_space(player.name)
        offer = Offer(self.new_id(), player, key, settings, seat, target)
        self.offers.add(offer)
        return offer

    def seek(
        self, player: PlayerInfo, key: str, settings: MatchSettings, seat: int | None
    ) -> Offer:
        """Post a seek.

        Raises:
            Refused: the settings are not allowed, or too many offers.
        """
        return self._post(player, key, settings, seat, None)

    def quick_match(
        self, player: PlayerInfo, key: str, settings: MatchSettings, now: int
    ) -> OpenedRoom | Offer:
        """Accept the oldest fitting seek of another player, or post one.

        Raises:
            Refused: the settings are not allowed, or too many rooms or offers.
        """
        settings = complete(settings)
        for offer in self.offers.seeks_for(player.name, settings):
            owner = offer.owner.name
            if owner in self.online and not self.rooms.has_enough(owner):
                return self._open_for_two(offer, player, key, now)
        return self._post(player, key, settings, None, None)

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
        return self._post(player, key, settings, seat, names[0])

    def accept(
        self, player: PlayerInfo, key: str, offer_id: str, challenge: bool, now: int
    ) -> OpenedRoom:
        """Accept a seek or a challenge.

        Raises:
            Refused: it is gone, one's own, meant for somebody else, or too many rooms.
        """
        offer = self.offers.find(offer_id, challenge)
        if challenge and offer.target != player.name:
            raise Refused(ErrorCode.NOT_YOURS, "This challenge is for somebody else.")
        if offer.owner.name == player.name:
            raise Refused(ErrorCode.NOT_YOURS, "You cannot accept your own seek.")
        return self._open_for_two(offer, player, key, now)

    def reopen(self, offer: Offer, now: int) -> None:
        """Open an accepted offer again: the room that it became could not be stored."""
        self.offers.add(offer)
        if offer.owner.name not in self.online:
            self.offers.owner_left(offer.owner.name, now)

    def cancel(self, player: PlayerInfo, offer_id: str, challenge: bool) -> Offer:
        """Withdraw one's own offer.

        Raises:
            Refused: it is gone, or somebody else's.
        """
        offer = self.offers.find(offer_id, challenge)
        if offer.owner.name != player.name:
            raise Refused(ErrorCode.NOT_YOURS, "Only its owner can take that back.")
        self.offers.remove(offer)
        return offer

    def decline(self, player: PlayerInfo, offer_id: str) -> Offer:
        """Decline a challenge to oneself.

        Raises:
            Refused: it is gone, or meant for somebody else.
        """
        offer = self.offers.find(offer_id, True)
        if offer.target != player.name:
            raise Refused(ErrorCode.NOT_YOURS, "This challenge is for somebody else.")
        self.offers.remove(offer)
        return offer
