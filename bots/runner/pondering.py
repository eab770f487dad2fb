"""Let the bot of one game think while its opponent does.

Theory of operation
-------------------
`Pondering.update` compares the position of the room with the one under thought. If they differ, the
bot is stopped at once; if it is the opponent's turn, the bot begins with the new position. The
process of the bot may have to choose a move for another game meanwhile. That ends the bot's
thinking, so the task asks again until the time for the position is over.

A bot that fails here loses nothing: the error is logged, the bot is made again at once, and it does
not ponder any more in this game.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from typing import Final, Protocol

from doublecross.bots.api import BotError
from doublecross.bots.errors import BotFailed, PoolClosed
from doublecross.games.api import State

log = logging.getLogger(__name__)

MOST_S: Final = 60.0
"""Seconds for one position, so that an absent opponent does not keep a processor busy."""


class Ponderer(Protocol):
    """The part of `doublecross.bots.workers.pool.GameHandle` that pondering uses."""

    ponders: bool

    async def ponder(self, state: State, most_s: float) -> bool:
        """Let the bot think about `state` for `most_s` seconds at most; return whether it ended."""

    def stop_pondering(self) -> None:
        """End `ponder`."""

    async def make(self) -> None:
        """Make the bot again, unless it exists."""


class Pondering:
    """Lets the bot behind `handle` think on its opponent's time; `title` names the game in logs.

    `is_new_trace` says whether a traceback was not shown yet. `now` reads a clock, in seconds.
    """

    def __init__(
        self,
        handle: Ponderer,
        title: str,
        is_new_trace: Callable[[str], bool],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._handle = handle
        self._title = title
        self._is_new_trace = is_new_trace
        self._now = now
        self._moves: tuple[int, ...] | None = None
        self._failed = False
        self._task: asyncio.Task[None] | None = None

    def update(self, state: State | None) -> None:
        """Think about `state`; None if it is not the opponent's turn in a running game."""
        wanted = state is not None and not self._failed and self._handle.ponders
        # After a takeback the same ply has other moves.
        moves = state.history() if state is not None and wanted else None
        if moves == self._moves:
            return
        self._moves = moves
        self._handle.stop_pondering()
        if state is not None and moves is not None:
            before = self._task
            self._task = asyncio.get_running_loop().create_task(
                self._ponder(before, state.clone()), name=f"ponder {self._title}"
            )

    async def _ponder(self, before: asyncio.Task[None] | None, state: State) -> None:
        if before is not None:
            await before
        end = self._now() + MOST_S
        try:
            while self._moves == state.history() and (left_s := end - self._now()) > 0:
                if await self._handle.ponder(state, left_s):
                    return
        except BotFailed as failure:
            self._failed = True
            await self._recover(failure)
        except PoolClosed as closed:
            log.debug("%s: %s", self._title, closed)

    async def _recover(self, failure: BotFailed) -> None:
        """Log the failure, and make the bot again before it has to move."""
        log.warning(
            "%s: %s while its opponent was thinking; it ponders no more in this game.",
            self._title,
            failure.sentence,
        )
        if failure.trace and self._is_new_trace(failure.trace):
            log.warning("%s", failure.trace.rstrip())
        # `choose` tries again and reports a failure.
        with contextlib.suppress(BotError, BotFailed, PoolClosed):
            await self._handle.make()
