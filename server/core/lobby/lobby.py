"""Open rooms for players, directly or through offers that other players accept.

Theory of operation
-------------------
An *offer* is a seek (for anybody) or a challenge (for one player). Accepting an offer opens a room
with both players in it. An idempotency key identifies what its request created: an open offer, or
the room that the offer led to. The room's first event contains the keys, so they survive a restart.

`now` is milliseconds since 1970. The random generator is a parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from doublecross.protocol.common import MatchSettings, PlayerInfo
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused, bad_parameter
from doublecross.server.core.events import Event
from doublecross.server.core.limits import ServerLimits
from doublecross.server.core.lobby.arrangements import Arrangement, ArrangementBook
from doublecross.server.core.lobby.offers import Offer, OfferBook
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.lobby.waits import Waits
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTerms, RoomTimes, complete

ID_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
"""The characters of ids, without those that people confuse (l and 1, o and 0)."""
_PAIRS: Final = [first + second for first in ID_LETTERS for second in ID_LETTERS]
ID_LENGTH: Final = 10
AFTER_PREFIX: Final = 8
"""How many random characters an id has, and how many follow a prefix."""


@dataclass(frozen=True, slots=True)
class OpenedRoom:
    """A room that was just opened, with its first events.

    `offer` is the accepted offer, or None when a player opened the room directly.
    """

    room: Room
    events: list[Event]
    offer: Offer | None = None


class Lobby:
    """Track the players online, and open rooms for them.

    `rooms` has all rooms, `offers` all open offers, `arrangements` the matches that people have
    asked two bots to play, and `waits` how long seeks were open. `PlayerInfo.name` identifies a
    player; the shell makes sure that no two names differ only in case. `prefix` returns the first
    characters of the id of a new room for these players; it may refuse.
    """

    def __init__(
        self,
        rng: Random,
        times: RoomTimes,
        limits: ServerLimits,
        rooms: RoomIndex | None = None,
        prefix: Callable[[Sequence[str]], str] = lambda players: "",
    ) -> None:
        self._rng = rng
        self._times = times
        self._prefix = prefix
        self.online: dict[str, PlayerInfo] = {}
        self._folded: dict[str, str] = {}
        """The name of each player online by its casefolded name."""
        self.rooms = RoomIndex(limits) if rooms is None else rooms
        self.rooms.is_bot = lambda name: name in self.online and self.online[name].kind == "bot"
        self.offers = OfferBook(limits, times.grace_ms)
        self.arrangements = ArrangementBook(limits)
        self.waits = Waits()

    def new_id(self) -> str:
        """Return a random id that no room, no offer and no arrangement has."""
        return self._unused("", ID_LENGTH)

    def new_room_id(self, players: Sequence[str]) -> str:
        """Return an id for a room in which these players get seats.

        Raises:
            Refused: no room can be opened now.
        """
        prefix = self._prefix(players)
        return self._unused(prefix, AFTER_PREFIX if prefix else ID_LENGTH)

    def _unused(self, prefix: str, letters: int) -> str:
        while True:
            new = prefix + "".join(self._rng.choices(_PAIRS, k=letters // 2))
            # Ids of offers and rooms are alike: an accepted offer is the `origin` of its room.
            if not (new in self.rooms or new in self.offers or new in self.arrangements):
                return new

    def created_by(self, player: str, key: str) -> Room | Offer | None:
        """Return the open offer or the room that this player's idempotency key created, or None."""
        # An accepted offer leaves `offers`, and its room takes over the key.
        return self.offers.created_by(player, key) or self.rooms.created_by(player, key)

    # -- players -------------------------------------------------------------------------------

    def arrive(self, player: PlayerInfo) -> None:
        """Note that the player is connected."""
        self.online[player.name] = player
        self._folded[player.name.casefold()] = player.name
        self.offers.owner_connected(player.name)

    def is_online(self, name: str) -> bool:
        """Return whether a player of this name, in any case, is connected."""
        return name.casefold() in self._folded

    def connected(self, name: str) -> PlayerInfo:
        """Return a connected player by its name, in any case.

        Raises:
            Refused: no such player is connected.
        """
        player = self.online.get(self._folded.get(name.casefold(), ""))
        if player is None:
            raise Refused(ErrorCode.UNKNOWN_PLAYER, "No player named {name} is connected.", name)
        return player

    def opponents(self, player: str) -> Iterator[str]:
        """Return who challenges or plays the player, once for each challenge, rematch and match.

        For an arranged match of two bots that is the person who has asked for it.
        """
        yield from (offer.owner.name for offer in self.offers.challenges_to(player))
        yield from (each.asker for each in self.arrangements.with_bot(player))
        for room in self.rooms.seated(player):
            if room.status == "playing" or any(room.rematch):
                others = (each.name for each in room.players if each and each.name != player)
                yield from others if room.terms.asked_by is None else (room.terms.asked_by,)

    def depart(self, player: str, now: int) -> None:
        """Note that the player is disconnected. Its offers stay open for the grace period."""
        self.online.pop(player, None)
        self._folded.pop(player.casefold(), None)
        self.offers.owner_disconnected(player, now)

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
        """Open a waiting room with `player` in `seat` (None: a random seat).

        Raises:
            Refused: the settings are not allowed, or there are too many rooms.
        """
        self.rooms.check_space(player.name)
        if seat is None:
            seat = self._rng.randrange(2)
        code = "".join(self._rng.choices(ID_LETTERS, k=6)) if private else None
        keys = (key, None) if seat == 0 else (None, key)
        terms = RoomTerms(self.new_room_id((player.name,)), settings, private, code, None, keys)
        room, changes = Room.open(terms, self._times, now)
        changes += room.sit(player, seat, now)
        self.rooms.add(room)
        return OpenedRoom(room, changes)

    def _open_for_two(self, offer: Offer, other: PlayerInfo, key: str, now: int) -> OpenedRoom:
        """Open the room of an accepted offer, with both players in it."""
        self.rooms.check_space(offer.owner.name)
        self.rooms.check_space(other.name)
        seat = self._rng.randrange(2) if offer.seat is None else offer.seat
        keys = (offer.key, key) if seat == 0 else (key, offer.key)
        room_id = self.new_room_id((offer.owner.name, other.name))
        terms = RoomTerms(room_id, offer.settings, False, None, offer.offer_id, keys)
        room, changes = Room.open(terms, self._times, now)
        changes += room.sit(offer.owner, seat, now)
        changes += room.sit(other, 1 - seat, now)
        self.offers.remove(offer)
        self.waits.accepted(offer, now)
        # The room has the keys from now on.
        self.rooms.add(room)
        return OpenedRoom(room, changes, offer)

    # -- arranged matches ----------------------------------------------------------------------

    def arrange(
        self,
        asker: PlayerInfo,
        key: str,
        names: tuple[str, str],
        settings: MatchSettings,
        now: int,
    ) -> Arrangement:
        """Ask two connected bots to play each other, the first in seat 0.

        Raises:
            Refused: a bot asks, they are not two different connected bots, the match would be
                rated, the settings are not allowed, or there are too many such matches.
        """
        if asker.kind != "human":
            raise Refused(ErrorCode.NOT_YOURS, "Only a person can arrange a match of two bots.")
        first, second = (self._bot(name) for name in names)
        if first.name == second.name:
            raise bad_parameter("Choose two different bots.")
        if settings.rated:
            raise bad_parameter("An arranged match is casual: it counts for no rating.")
        settings = complete(settings)
        in_play = self.rooms.arranged_by(asker.name)
        self.arrangements.check_space(asker.name, (first.name, second.name), in_play)
        arrangement = Arrangement(self.new_id(), asker.name, key, (first, second), settings, now)
        self.arrangements.add(arrangement)
        return arrangement

    def _bot(self, name: str) -> PlayerInfo:
        """Return the connected bot of this name.

        Raises:
            Refused: there is none.
        """
        player = self.connected(name)
        if player.kind != "bot":
            raise Refused(
                ErrorCode.UNKNOWN_PLAYER, "{name} is no bot; challenge them instead.", player.name
            )
        return player

    def open_arranged(self, arrangement: Arrangement, now: int) -> OpenedRoom:
        """Open the room of a match that both bots, who are connected, have accepted.

        Raises:
            Refused: there are too many rooms.
        """
        bots = arrangement.bots
        for bot in bots:
            self.rooms.check_space(bot.name)
        keys = (arrangement.accepted[bots[0].name], arrangement.accepted[bots[1].name])
        terms = RoomTerms(
            self.new_room_id((bots[0].name, bots[1].name)),
            arrangement.settings,
            origin=arrangement.arrangement_id,
            keys=keys,
            asked_by=arrangement.asker,
            asked_key=arrangement.key,
        )
        room, changes = Room.open(terms, self._times, now)
        for seat, bot in enumerate(bots):
            # Both are online: a bot that disconnects has not accepted any more. Its engine may be
            # another one than when it was asked.
            changes += room.sit(self.online[bot.name], seat, now)
        self.arrangements.remove(arrangement)
        # Only now, because everything above may refuse, and a refusal changes nothing.
        self.rooms.add(room)
        return OpenedRoom(room, changes)

    # -- offers --------------------------------------------------------------------------------

    def _post(
        self,
        player: PlayerInfo,
        key: str,
        settings: MatchSettings,
        seat: int | None,
        target: str | None,
        since: int | None = None,
    ) -> Offer:
        settings = complete(settings)
        self.offers.check_space(player.name, target)
        offer = Offer(self.new_id(), player, key, settings, seat, target, since)
        self.offers.add(offer)
        return offer

    def seek(
        self, player: PlayerInfo, key: str, settings: MatchSettings, seat: int | None, now: int
    ) -> Offer:
        """Post a seek.

        Raises:
            Refused: the settings are not allowed, or there are too many offers.
        """
        return self._post(player, key, settings, seat, None, now)

    def quick_match(
        self,
        player: PlayerInfo,
        key: str,
        settings: MatchSettings,
        now: int,
        apart: Collection[str] = (),
    ) -> OpenedRoom | Offer:
        """Accept the oldest seek of another player with the same settings, or post a seek.

        Seeks whose owner is disconnected, has too many rooms or is in `apart` are skipped.

        Raises:
            Refused: the settings are not allowed, or there are too many rooms or offers.
        """
        settings = complete(settings)
        # Seeks are found by equal settings, and a request may leave out what is usual.
        for offer in self.offers.seeks_for(player.name, settings):
            owner = offer.owner.name
            # Skip these, because to accept them would refuse this player for a reason of somebody
            # else.
            wanted = owner in self.online and owner not in apart
            if wanted and not self.rooms.has_too_many(owner):
                return self._open_for_two(offer, player, key, now)
        return self._post(player, key, settings, None, None, now)

    def challenge(
        self,
        player: PlayerInfo,
        key: str,
        target: str,
        settings: MatchSettings,
        seat: int | None,
    ) -> Offer:
        """Challenge a connected player; to a correspondence game any, by the exact name.

        Raises:
            Refused: no such player is connected, the player challenges itself, the settings are
                not allowed, or there are too many offers.
        """
        name = target if settings.time.by_days else self.connected(target).name
        if name == player.name:
            raise Refused(ErrorCode.UNKNOWN_PLAYER, "You cannot challenge yourself.")
        return self._post(player, key, settings, seat, name)

    def accept(
        self, player: PlayerInfo, key: str, offer_id: str, challenge: bool, now: int
    ) -> OpenedRoom:
        """Accept a seek or a challenge.

        Raises:
            Refused: the offer is not open any more, belongs to this player or is meant for another
                player, or there are too many rooms.
        """
        offer = self.offers.find(offer_id, challenge)
        if challenge and offer.target != player.name:
            raise Refused(ErrorCode.NOT_YOURS, "This challenge is for somebody else.")
        if offer.owner.name == player.name:
            raise Refused(ErrorCode.NOT_YOURS, "You cannot accept your own seek.")
        return self._open_for_two(offer, player, key, now)

    def reopen(self, offer: Offer, now: int) -> None:
        """Open an accepted offer again, because its room could not be stored."""
        self.offers.add(offer)
        # The owner may have disconnected while the offer was accepted; its grace period begins now.
        if offer.owner.name not in self.online:
            self.offers.owner_disconnected(offer.owner.name, now)

    def cancel(self, player: PlayerInfo, offer_id: str, challenge: bool) -> Offer:
        """Withdraw an offer of `player` and return it.

        Raises:
            Refused: the offer is not open any more, or it belongs to another player.
        """
        offer = self.offers.find(offer_id, challenge)
        if offer.owner.name != player.name:
            raise Refused(ErrorCode.NOT_YOURS, "Only the owner can withdraw an offer.")
        self.offers.remove(offer)
        return offer

    def decline(self, player: PlayerInfo, offer_id: str) -> Offer:
        """Decline a challenge to `player` and return it.

        Raises:
            Refused: the challenge is not open any more, or it is for another player.
        """
        offer = self.offers.find(offer_id, True)
        if offer.target != player.name:
            raise Refused(ErrorCode.NOT_YOURS, "This challenge is for somebody else.")
        self.offers.remove(offer)
        return offer
