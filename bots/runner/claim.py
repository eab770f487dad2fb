"""Claim a match whose opponent stays away.

A rated or tournament match, and one against a bot, is claimed as soon as the server allows it. In
a casual match against a person the bot waits longer, because that person may come back. Where such
a match has no clock, the bot then leaves its room instead: the server keeps the match for days, and
calls the bot back when the person has moved.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from doublecross.client.core.errors import ConnectionEnded, RequestRefused
from doublecross.client.core.room import RoomMirror
from doublecross.client.transport import Client
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import Presence

log = logging.getLogger(__name__)

_RETRY_S: Final = 0.5
"""Seconds until the next attempt when a claim was too early."""


class AbsenceClaim:
    """Watches the opponent's presence in one room, and claims the match when it is time.

    `patience_s` is the least time to wait for an absent person in a casual match, in seconds.
    """

    def __init__(self, client: Client, room: str, patience_s: float) -> None:
        self._client = client
        self._room = room
        self._patience_s = patience_s
        self._away_since: float | None = None
        self._presence: Presence | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._claiming: asyncio.Task[None] | None = None
        self._leaves = False
        """Whether to leave the room rather than to claim the match."""

    def update(self, mirror: RoomMirror) -> None:
        """Set the timer for the claim again if the presence of the players has changed."""
        if mirror.status != "playing":
            self.cancel()
        if mirror.presence is self._presence:
            return
        self._presence = mirror.presence
        self.cancel()
        assert mirror.seat is not None
        claim_ms = mirror.presence.seats[1 - mirror.seat].claim_in_ms
        if mirror.status != "playing" or claim_ms is None:
            self._away_since = None
            return
        now = asyncio.get_running_loop().time()
        if self._away_since is None:
            self._away_since = now
        time = mirror.settings.time
        untimed = time.base_ms is None and time.move_ms is None
        other = mirror.players[1 - mirror.seat]
        person = other is not None and other.kind == "human"
        self._leaves = person and untimed and not mirror.strict
        patience_s = self._patience_s if person and not mirror.strict else 0.0
        self._start_in(max(claim_ms / 1000, self._away_since + patience_s - now))

    def cancel(self) -> None:
        """Cancel the timer. A claim that has been sent continues."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _start_in(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._start)

    def _start(self) -> None:
        self._timer = None
        if self._claiming is None:
            loop = asyncio.get_running_loop()
            self._claiming = loop.create_task(self._claim(), name=f"claim {self._room}")

    async def _leave(self) -> None:
        mirror = self._client.session.rooms.get(self._room)
        if mirror is not None and mirror.my_turn:
            self._start_in(_RETRY_S)  # the bot is thinking
        else:
            await self._client.leave(self._room)
            log.info("Room %s: the opponent stayed away; the match waits.", self._room)

    async def _claim(self) -> None:
        try:
            if self._leaves:
                await self._leave()
                return
            await self._client.claim(self._room)
            log.info("Room %s: the opponent stayed away and the match was claimed.", self._room)
        except RequestRefused as refused:
            if refused.code == ErrorCode.TOO_EARLY:
                self._start_in(_RETRY_S)
        except (TimeoutError, ConnectionEnded) as error:
            log.debug("Room %s: %s", self._room, error)
        finally:
            self._claiming = None
