"""Follow the server's lobby while its screen is shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from doublecross.client.tk.context import Context
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal

AGAIN_S: Final = 5.0
"""Time between two requests to follow the lobby if the server refuses, in seconds."""


class LobbyFollower:
    """Asks the server for updates of the lobby as soon as the connection is up.

    `report_problem` is called with the reason of a refusal. `following` is true once the server has
    accepted the request.
    """

    def __init__(self, context: Context, report_problem: Callable[[str], None]) -> None:
        self.following = False
        self._context = context
        self._report_problem = report_problem
        self._asking = False
        self._ask_at = -math.inf

    def tick(self, now: float) -> None:
        """Send the request if it is due at `now`, in seconds."""
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
        """Ask the server to send no more updates of the lobby."""
        if self.following or self._asking:
            self._context.network.ask(ME, lambda client: client.follow_lobby(on=False))

    def _answered(self, _: object) -> None:
        self._asking, self.following = False, True

    def _refused(self, refusal: Refusal) -> None:
        self._asking = False
        self._report_problem(refusal.sentence)
