"""Makes reports in a process of their own, which runs only while it has work.

Theory of operation
-------------------
A review takes from some seconds to a minute, and nobody may wait for a hint so long. So each one
has a process (`cli.review.worker`), at low priority, which ends with it and gives its memory back.
One review runs at a time; others wait. Whoever gives up cancels the coroutine, which ends the
process. The last reports are kept.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from analysis.as_json import report_from_json
from analysis.report import GameReport
from client.tk.models.helpers import HelperFailed
from games.api import Game
from processes.child import Child, ChildEnded, Message

log = logging.getLogger(__name__)

KEPT: Final = 8
"""How many reports are kept."""
_SILENCE_S: Final = 180.0
"""The most seconds between two messages. The first takes long: kernels may have to be compiled."""
_MEMORY_MB: Final = 2048
"""The most data of the process, in MiB. It uses about 400."""
_TITLE: Final = "The process that reviews games"

_Key = tuple[Game, tuple[int, ...], tuple[int, ...]]


class ReviewClient:
    """Asks one review process at a time. Call all methods in one event loop."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._child: Child | None = None
        self._kept: OrderedDict[_Key, GameReport] = OrderedDict()
        self._closed = False

    async def review(
        self,
        game: Game,
        opening: tuple[int, ...],
        moves: tuple[int, ...],
        progress: Callable[[int, int], None],
    ) -> GameReport:
        """Return the report of a game; `progress` gets the judged moves and all moves.

        Raises:
            HelperFailed: there is no report.
        """
        key = game, opening, moves
        async with self._turn:
            report = self._kept.get(key)
            if report is None:
                report = await self._made(key, progress)
            self._kept[key] = report
            self._kept.move_to_end(key)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return report

    async def close(self) -> None:
        """End the process, if one runs; who waits gets an error."""
        self._closed = True
        if self._child is not None:
            await self._child.stop()

    async def _made(self, key: _Key, progress: Callable[[int, int], None]) -> GameReport:
        if self._closed:
            raise HelperFailed("The program is closing.")
        game, opening, moves = key
        try:
            child = await Child.start(
                _TITLE, "cli.review.worker", on_error_line=log.info, memory_mb=_MEMORY_MB
            )
        except OSError as error:
            raise HelperFailed(f"{_TITLE} cannot be started: {error.strerror or error}.") from None
        self._child = child
        try:
            child.send(
                {
                    "game": game.key,
                    "params": dict(game.params),
                    "opening": list(opening),
                    "moves": list(moves),
                }
            )
            while (message := await _next(child))["what"] == "progress":
                progress(message["done"], message["all"])
        finally:
            self._child = None
            await child.stop()
        if message["what"] == "problem":
            raise HelperFailed(message["sentence"])
        return await asyncio.to_thread(report_from_json, message["report"])


async def _next(child: Child) -> Message:
    try:
        async with asyncio.timeout(_SILENCE_S):
            return await child.expect()
    except TimeoutError:
        raise HelperFailed("Reviewing this game took too long.") from None
    except ChildEnded as ended:
        raise HelperFailed(str(ended)) from None
