"""Keep the messages of a connection that arrive before its hello is answered."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Final

from doublecross.protocol.version import CloseCode
from doublecross.server.shell.wire.websocket import WebSocket, WebSocketEndedError

MAX_EARLY: Final = 512
"""The most messages that may wait for the answer to the hello."""
MANY: Final = 16
"""Nothing more is read from a connection while more messages than this wait."""
FEW: Final = 4
"""It is read again when only so many wait."""


class EarlyMessages:
    """The messages that wait until the hello is answered, oldest first."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._messages: deque[bytes | str] = deque()
        self._arrived: asyncio.Future[None] | None = None
        self._is_paused = False
        self.has_ended = False
        """Whether the websocket has ended, so that no more messages come."""

    def put(self, _: Any, message: bytes | str) -> None:
        """Keep a message; cut the websocket off when there are too many."""
        if len(self._messages) >= MAX_EARLY:
            self._websocket.end(CloseCode.ABUSE, "too many messages before the answer to the hello")
            return
        self._messages.append(message)
        if len(self._messages) > MANY and not self._is_paused:
            self._is_paused = True
            self._websocket.pause()
        self._wake()

    def end(self) -> None:
        """Say that no more messages come."""
        self.has_ended = True
        self._wake()

    def _wake(self) -> None:
        if self._arrived is not None and not self._arrived.done():
            self._arrived.set_result(None)

    async def get(self) -> bytes | str:
        """Return the next message, and wait for it if necessary.

        Raises:
            WebSocketEndedError: no more messages come.
        """
        while not self._messages:
            if self.has_ended:
                raise WebSocketEndedError
            self._arrived = asyncio.get_running_loop().create_future()
            await self._arrived
        return self._take()

    def rest(self) -> list[bytes | str]:
        """Return all messages that wait."""
        return [self._take() for _ in range(len(self._messages))]

    def _take(self) -> bytes | str:
        message = self._messages.popleft()
        if self._is_paused and len(self._messages) <= FEW:
            self._is_paused = False
            self._websocket.resume()
        return message
