"""Follows the lobby of the server while its screen is shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from client.tk.context import Context
from client.tk.network.thread import ME, Refusal

AGAIN_S: Final = 5.0
"""When following the lobby is asked for again after it was refused, in seconds."""


class LobbyFollower:
    """Asks the server for the lobby as soon as there is a connection; `complain` says why it was
    refused. `following` is true once the server has agreed."""

    def __init__(self, context: Context, complain: Callable[[str], None]) -> None:
        self.following = False
        self._context = context
        self._complain = complain
        self._asking = False
        self._ask_at = -math.inf

    def tick(self, now: float) -> None:
        """Ask at `now`, in seconds, if it is time for that."""
        link = self._context.latest.link
        if self.following or self._asking or link is None or link.state != "connected":
            return
        if now < self._ask_at:
            return
        self._asking, self._ask_at = True, now + AGAIN_S
        self._context.network.ask(
            ME, lambda client: client.follow_lobby(), self._answered, self._refused
        )

    def stop(self) -> None:
        """Ask for no more updates."""
        if self.following or self._asking:
            self._context.network.ask(ME, lambda client: client.follow_lobby(on=False))

    def _answered(self, _: object) -> None:
        self._asking, self.following = False, True

    def _refused(self, refusal: Refusal) -> None:
        self._asking = False
        self._complain(refusal.sentence)
