"""The rooms of a server by id, by player and by idempotency key, and the limits on their number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused, too_many
from doublecross.server.core.events import Event
from doublecross.server.core.limits import ServerLimits
from doublecross.server.core.rooms.room import Room


class RoomIndex(Mapping[str, Room]):
    """All rooms by id, oldest first, and the rooms in which each player has a seat.

    `add` registers the seats that are taken at that time. Call `seat_taken` for each later one.
    """

    def __init__(self, limits: ServerLimits) -> None:
        self.limits = limits
        self.nodes = 1
        """How many nodes run the rooms; `limits.rooms` is for each of them."""
        self._rooms: dict[str, Room] = {}
        self._public: dict[str, Room] = {}
        self._of_player: dict[str, set[str]] = {}
        self._keys: dict[tuple[str, str], str] = {}
        """The id of the room that each (player, idempotency key) created."""
        self._asked: dict[str, set[str]] = {}
        """The ids of the rooms of arranged matches, by the person who asked for them."""
        self.sleeping = Counter[str]()
        """How many other rooms each player has, which sleep."""
        self.is_bot: Callable[[str], bool] = lambda _: False
        """Returns whether a player is a bot, which people leave with many games that sleep."""
        self._hidden: set[str] = set()
        """The ids of the rooms that are not listed yet."""

    def __getitem__(self, room_id: str) -> Room:
        return self._rooms[room_id]

    def __contains__(self, room_id: object) -> bool:
        return room_id in self._rooms

    def __iter__(self) -> Iterator[str]:
        return iter(self._rooms)

    def __len__(self) -> int:
        return len(self._rooms)

    # -- searches ------------------------------------------------------------------------------

    def find(self, room_id: str) -> Room:
        """Return a room by its id.

        Raises:
            Refused: no room has this id.
        """
        room = self._rooms.get(room_id)
        if room is None:
            raise Refused(ErrorCode.UNKNOWN_ROOM, "There is no room {room_id}.", room_id)
        return room

    def newest(self) -> Iterator[Room]:
        """Return all rooms, hidden ones too, beginning with the one that was added last."""
        return reversed(self._rooms.values())

    def newest_public(self) -> Iterator[Room]:
        """Return all rooms that are not private, newest first."""
        return reversed(self._public.values())

    def public(self, room_id: str) -> Room | None:
        """Return a room by its id if it is not private and may be listed, or None."""
        return self._public.get(room_id)

    @property
    def public_count(self) -> int:
        """How many rooms are not private."""
        return len(self._public)

    def rejoinable(self, player: str) -> list[str]:
        """Return the ids of the rooms to which the player may come back, in their order.

        Correspondence games are not among them: there may be many, and nobody has to be there.
        """
        return [
            room.id for room in self.of_player(player) if not (room.left_by(player) or room.by_days)
        ]

    def of_player(self, player: str) -> list[Room]:
        """Return the rooms in which the player has a seat, in the order of their ids."""
        # A hidden room may still vanish, so its players must not be sent there.
        return [room for room in self.seated(player) if room.id not in self._hidden]

    def of_tournaments(self, player: str) -> list[Room]:
        """Return the rooms for games of tournaments in which the player has a seat."""
        return [room for room in self.seated(player) if room.terms.tag is not None]

    def in_timed_match(self, player: str) -> bool:
        """Return whether the player is in a match with a clock, other than one of a tournament."""
        return any(
            room.status == "playing" and room.settings.time.runs and room.terms.tag is None
            for room in self.seated(player)
        )

    def seated(self, player: str) -> Iterator[Room]:
        """Return the rooms in which the player has a seat, hidden ones too."""
        return (self._rooms[room_id] for room_id in sorted(self._of_player.get(player, ())))

    def created_by(self, player: str, key: str) -> Room | None:
        """Return the open room that this player's idempotency key created, or None."""
        room_id = self._keys.get((player, key))
        return None if room_id is None else self._rooms.get(room_id)

    def arranged_by(self, player: str) -> int:
        """Return how many matches between bots are in play that the player has arranged."""
        rooms = (self._rooms[room_id] for room_id in self._asked.get(player, ()))
        return sum(room.status == "playing" for room in rooms)

    # -- changes -------------------------------------------------------------------------------

    def add(self, room: Room) -> None:
        """Add a room, which is new or was rebuilt from its events."""
        self._rooms[room.id] = room
        if not room.terms.private:
            self._public[room.id] = room
        asker, key = room.terms.asked_by, room.terms.asked_key
        if asker is not None:
            self._asked.setdefault(asker, set()).add(room.id)
            if key is not None:
                self._keys[asker, key] = room.id
        # The keys are by the seats of the first match, and every rematch swaps the players.
        keys = (
            room.terms.keys
            if room.match_number % 2 or not room.match_number
            else (room.terms.keys[1], room.terms.keys[0])
        )
        # A rebuilt room is added like a new one, so take the seats as they are now.
        for player, key in zip(room.players, keys, strict=True):
            if player is not None:
                self.seat_taken(room, player.name)
                if key is not None:
                    self._keys[player.name, key] = room.id

    def sit(self, room: Room, player: PlayerInfo, now: int) -> list[Event]:
        """Give `player` the free seat of a room and return the room's new events.

        Raises:
            Refused: the room has no free seat, or the player has too many rooms.
        """
        self.check_player(player.name)
        changes = room.sit(player, None, now)
        self.seat_taken(room, player.name)
        return changes

    def hide(self, room: Room) -> None:
        """List a room nowhere until `reveal`; its keys and seats count."""
        self._hidden.add(room.id)
        self._public.pop(room.id, None)

    def reveal(self, room: Room) -> None:
        """List a room that was hidden."""
        if room.id in self._hidden:
            self._hidden.discard(room.id)
            if not room.terms.private:
                self._public[room.id] = room

    def seat_taken(self, room: Room, player: str) -> None:
        """Register that the player took a seat in a room of this index."""
        self._of_player.setdefault(player, set()).add(room.id)

    def drop(self, room: Room) -> None:
        """Remove a closed room."""
        self._rooms.pop(room.id, None)
        self._public.pop(room.id, None)
        self._hidden.discard(room.id)
        asker, asked_key = room.terms.asked_by, room.terms.asked_key
        if asker is not None:
            _discard(self._asked, asker, room.id)
            if asked_key is not None and self._keys.get((asker, asked_key)) == room.id:
                del self._keys[asker, asked_key]
        for player in room.players:
            if player is not None:
                _discard(self._of_player, player.name, room.id)
                # Each key may be of either player, because a rematch swaps the seats.
                for key in room.terms.keys:
                    if key is not None and self._keys.get((player.name, key)) == room.id:
                        del self._keys[player.name, key]

    # -- limits --------------------------------------------------------------------------------

    def has_too_many(self, player: str) -> bool:
        """Return whether the player has reached the limit of rooms."""
        awake = len(self._of_player.get(player, ()))
        asleep = 0 if self.is_bot(player) else self.sleeping[player]
        return awake + asleep >= self.limits.rooms_per_player

    def check_space(self, player: str) -> None:
        """Check that the player may open another room.

        Raises:
            Refused: the server is full, or the player has too many rooms.
        """
        if len(self._rooms) >= self.limits.rooms * self.nodes:
            raise too_many("The server is full; try again later.")
        self.check_player(player)

    def check_player(self, player: str) -> None:
        """Check that the player may take a seat in another room.

        Raises:
            Refused: the player has too many rooms.
        """
        if self.has_too_many(player):
            raise too_many(
                "{player} has {most} open rooms, which is the limit.",
                player,
                self.limits.rooms_per_player,
            )


def _discard(groups: dict[str, set[str]], player: str, room_id: str) -> None:
    """Remove a room from a player's set, if it is there; an empty set takes no memory."""
    ids = groups.get(player)
    if ids is not None:
        ids.discard(room_id)
        if not ids:
            del groups[player]
