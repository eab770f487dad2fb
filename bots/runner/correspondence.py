"""Find the games that wait for a move of the bot: by days, and without a clock after it has left.

They take no place among the games that the bot plays at once: each is followed for the bot's turn
only. Nobody may say that it is the bot's turn, such as when it was not connected, so it also asks.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

from doublecross.client.core.errors import ConnectionEnded, RequestRefused
from doublecross.client.transport import Client

ASK_S: Final = 60.0
"""How often the bot asks for games that wait for it, in seconds."""


class CorrespondenceGames:
    """Follow the rooms of correspondence games in which the bot is to move.

    `spawn` runs a coroutine in the background.
    """

    def __init__(
        self, client: Client, spawn: Callable[[Coroutine[Any, Any, None]], object]
    ) -> None:
        self._client = client
        self._spawn = spawn
        self._asked_s: float | None = None
        self._asks = self._ask_again = False
        self._leaving: set[str] = set()

    def check(self, now_s: float) -> None:
        """Ask for games if that was long ago; `now_s` is in seconds."""
        if self._asked_s is None or now_s - self._asked_s >= ASK_S:
            self._asked_s = now_s
            self.look()

    def reconnected(self) -> None:
        """Ask at the next check, because a notice may be lost."""
        self._asked_s = None

    def look(self) -> None:
        """Ask for games that wait for a move, and follow their rooms."""
        if self._asks:
            self._ask_again = True  # the answer under way may be older than this turn
        else:
            self._asks = True
            self._spawn(self._look())

    def leave(self, room: str) -> None:
        """Stop following a room in which it is not the bot's turn."""
        if room not in self._leaving:
            self._leaving.add(room)
            self._spawn(self._leave(room))

    async def _leave(self, room: str) -> None:
        mirror = self._client.session.rooms.get(room)
        try:
            await self._client.leave(room)
            # The opponent may have moved while the server still counted the bot as a follower.
            if mirror is not None and mirror.my_turn:
                self.look()
        except (RequestRefused, ConnectionEnded, TimeoutError):
            pass  # the room is still followed, or all are looked for after a reconnect
        finally:
            self._leaving.discard(room)

    async def _look(self) -> None:
        try:
            for game in (await self._client.get_open_games()).games:
                time = game.settings.time
                untimed = time.base_ms is None and time.move_ms is None
                waits = (time.by_days or untimed) and game.to_move == game.seat
                if waits and game.room not in self._client.session.rooms:
                    await self._client.watch(game.room)
        except (RequestRefused, ConnectionEnded, TimeoutError):
            pass  # the next check asks again
        finally:
            again, self._asks, self._ask_again = self._ask_again, False, False
            if again:
                self.look()
