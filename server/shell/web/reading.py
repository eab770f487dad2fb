"""What the addresses need that any node of a cluster answers: stored games, and games in play."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from starlette.requests import Request

from doublecross.games.api import Game
from doublecross.server.core.errors import Refused
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import room_board
from doublecross.server.core.storage import GameRow, ReviewRow, Store, StoreError
from doublecross.server.shell.accounts.identification import Identification
from doublecross.server.shell.addresses.admission import Admission
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.analysis.fair import is_played
from doublecross.server.shell.identity.records import may_read
from doublecross.server.shell.identity.rights import bearer
from doublecross.server.shell.identity.turns import FairTurns
from doublecross.server.shell.lobby.listing import listed
from doublecross.server.shell.rooms.api import Rooms
from doublecross.server.shell.rooms.live import LiveRooms
from doublecross.server.shell.web.endpoints import values

if TYPE_CHECKING:
    from doublecross.server.signing.records import RecordSigner

STORED_S: Final = 5.0
"""How many seconds an answer waits until everything that it shows is stored."""


async def settled(rooms: Rooms, *, games: bool = False) -> None:
    """Wait until everything that may be shown is stored; with `games`, finished games too.

    Raises:
        StoreError: it could not be stored, or not in time.
    """
    try:
        async with asyncio.timeout(STORED_S):
            await rooms.settled(games=games)
    except TimeoutError:
        raise StoreError("The server's storage does not answer; try again later.") from None


def live_game(room: Room) -> dict[str, Any] | None:
    """Return the game in play; None without one, or if strangers may not see it."""
    if room.match is None or room.status != "playing" or not listed(room):
        return None
    return {
        "room": room.id,
        "players": [player.name if player else "" for player in room.players],
        "opening": list(room.settings.opening),
        "moves": [action for action, _ in room.match.moves],
        "movers": "".join(map(str, room.match.movers)),
        "scores": room.match.state.scores(),
        "to_move": room.match.to_move,
        "board": room_board(room),
    }


class Matches(Protocol):
    """The matches of a whole server, whichever process runs their rooms."""

    async def settled(self, room: str = "", *, here: bool = False) -> None:
        """Wait until the finished games of a room are stored, or without one those of all rooms.

        With `here` this process waits only for the rooms that it runs itself.

        Raises:
            StoreError: they could not be stored, or not in time.
        """

    async def live(self, rooms: Sequence[str]) -> list[dict[str, Any]]:
        """Return the games in play in those of these rooms that strangers may see.

        Raises:
            StoreError: what they show could not be stored, or not in time.
        """
        ...

    async def is_played(self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> bool:
        """Return whether a position is being played; see `analysis/fair.py`."""
        ...


class OwnMatches:
    """The matches in these rooms, which run in this process; `Matches` has the methods."""

    def __init__(self, rooms: LiveRooms) -> None:
        self._rooms = rooms

    async def settled(self, room: str = "", *, here: bool = False) -> None:
        """Wait until the finished games of all rooms are stored."""
        await settled(self._rooms, games=True)

    async def live(self, rooms: Sequence[str]) -> list[dict[str, Any]]:
        """Return the games in play."""
        found = (self._rooms.index.get(each) for each in rooms)
        # Take them before the wait, so that all of what they show is stored after it.
        live = [shown for room in found if room and (shown := live_game(room))]
        await settled(self._rooms)
        return live

    async def is_played(self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> bool:
        """Return whether a position is being played."""
        return is_played(self._rooms.index.values(), game, opening, moves)


@dataclass(frozen=True, slots=True)
class Reading:
    """The parts of these addresses.

    `report` returns the report of a game, if one is stored. `signer` signs records, if the server
    does that. `now` returns milliseconds and never goes back.
    """

    store: Store
    accounts: Identification
    matches: Matches
    report: Callable[[str], Awaitable[ReviewRow | None]]
    advice: AdviceService
    admission: Admission
    record_turns: FairTurns
    sources: Sources
    signer: RecordSigner | None
    now: Callable[[], int]

    async def readable_game(self, request: Request, game_id: str = "") -> GameRow | None:
        """Return the game that a request names; None if there is none or it is private.

        `game_id` takes the place of that in the path. The parameter `code` of the request may have
        the join code.

        Raises:
            StoreError: the database fails, or a game may exist that is not stored yet.
        """
        row = await self.game(game_id or request.path_params["game_id"])
        if row is None or not row.private:
            return row
        account_id, secret = "", bearer(request.headers)
        if secret:
            with contextlib.suppress(Refused):
                account_id = (await self.accounts.identify(secret))[1].account_id
        return row if may_read(row, account_id=account_id, code=values(request)["code"]) else None

    async def game(self, game_id: str) -> GameRow | None:
        """Return a finished game, also one that has ended just now; None if there is none.

        Raises:
            StoreError: see `readable_game`.
        """
        row = await self.store.game(game_id)
        room = game_id.rpartition("-")[0]
        # Finished games do not change, so only one that is not there yet is worth a wait.
        if row is None and room:
            await self.matches.settled(room)
            row = await self.store.game(game_id)
        return row
