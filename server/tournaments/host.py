"""The interface through which tournaments use the server around them; the shell implements it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

from doublecross.protocol.common import MatchSettings, PairTag, PlayerInfo
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.sleeping import SleepingRoom
from doublecross.server.core.storage import TournamentChange


class RoomHost(Protocol):
    """Open rooms for the games of tournaments, store their rows, and send notices."""

    def now(self) -> int:
        """Return the time for deadlines, in milliseconds since 1970. It never goes back."""

    def date(self) -> int:
        """Return the date, in milliseconds since 1970. Rows and games have dates."""

    @property
    def players(self) -> Mapping[str, PlayerInfo]:
        """The connected players by name."""

    def games(self) -> Iterable[Room]:
        """Return the rooms for games of tournaments."""

    def games_of(self, player: str) -> Sequence[Room]:
        """Return the rooms for games of tournaments in which a player has a seat."""

    def plays_elsewhere(self, player: str) -> bool:
        """Return whether a player is in a match with a clock that belongs to no tournament."""

    async def asleep(
        self, tournament: str, players: Collection[str]
    ) -> Sequence[tuple[SleepingRoom, PairTag]]:
        """Return the games in play of a tournament whose rooms sleep, and their tags.

        `players` are all who have entered it.

        Raises:
            StoreError: the database fails.
        """
        ...

    def is_stored(self, room: Room) -> bool:
        """Return whether all events of a room are stored."""

    def open_game(
        self,
        players: tuple[PlayerInfo, PlayerInfo],
        settings: MatchSettings,
        tag: PairTag,
        lost: Callable[[PairTag], None],
    ) -> bool:
        """Open a room with these players, by seat; call `lost` when it could not be stored.

        Returns whether that was possible: the server is not full.
        """

    def lose_unplayed(
        self,
        players: tuple[PlayerInfo, PlayerInfo],
        absent: int,
        settings: MatchSettings,
        tag: PairTag,
    ) -> Room:
        """Store a game that seat `absent` loses by not coming, and return its room, which is over.

        Raises:
            Refused: the server has no free id for the room.
        """

    def forfeit(self, room: Room, player: str, reason: str) -> None:
        """End a game that is in play; `player` loses it."""

    def commit(
        self, change: TournamentChange, deliver: Callable[[], None], fail: Callable[[], None]
    ) -> None:
        """Store rows, then call `deliver`, or `fail` when they could not be stored."""

    def commit_games(self) -> None:
        """Store all finished games in the next commit, not later."""

    async def settled(self) -> None:
        """Wait until everything queued so far is stored, finished games too.

        Raises:
            StoreError: it could not be stored.
        """

    def show(self, tournament_id: str) -> None:
        """Send the tournament's current entry to those who follow the lobby."""

    def notify(self, player: str, message: Mapping[str, Any]) -> None:
        """Send a notice to a player, if connected."""

    def notify_all(self, players: Collection[str], message: Mapping[str, Any]) -> None:
        """Send a notice to those players who are connected."""
