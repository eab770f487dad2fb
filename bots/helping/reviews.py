"""Make reports in a process of their own, which runs only while it has work.

Theory of operation
-------------------
A review takes from some seconds to a minute, and nobody may wait for a hint so long. So each one
has a process (`doublecross.bots.judging.process`), at low priority, which ends with it and gives
its memory back. One review runs at a time; others wait. Whoever gives up cancels the coroutine,
which ends the process. The last reports are kept.
"""

from __future__ import annotations

import asyncio
import json
import logging
import zlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from doublecross.analysis.as_json import report_from_json
from doublecross.analysis.report import GameReport
from doublecross.bots.judging.process import NoReviewError, ReviewProcess
from doublecross.client.language import tr
from doublecross.client.tk.models.helpers import HelperFailed
from doublecross.games.api import BadRecord, Game
from doublecross.games.record import Record, RecordedMove, format_record
from doublecross.processes.child import ChildEnded

log = logging.getLogger(__name__)

KEPT: Final = 8
"""The number of reports that are kept."""
_SILENCE_S: Final = 180.0
"""The most seconds between two messages. The first takes long: kernels may have to be compiled."""
_PLAYERS: Final = ("first", "second")
"""A record has names; reports do not."""
_TITLE: Final = tr("The process that reviews games")

_Key = tuple[Game, tuple[int, ...], tuple[int, ...]]


class ReviewClient:
    """Asks one review process at a time. Call all methods in one event loop."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._process: ReviewProcess | None = None
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
        if self._process is not None:
            await self._process.end()

    async def _made(self, key: _Key, progress: Callable[[int, int], None]) -> GameReport:
        if self._closed:
            raise HelperFailed(tr("The program is closing."))
        game, opening, moves = key
        played = tuple(map(RecordedMove, moves))
        try:
            # Large boards take some milliseconds.
            record = await asyncio.to_thread(
                format_record, Record(game, _PLAYERS, played, opening=opening)
            )
        except BadRecord as bad:
            raise HelperFailed(str(bad)) from None
        try:
            process = await ReviewProcess.start(_TITLE, log.info)
        except OSError as error:
            raise HelperFailed(
                tr(
                    "{title} cannot be started: {reason}.",
                    title=_TITLE,
                    reason=error.strerror or error,
                )
            ) from None
        self._process = process
        try:
            made = await process.judge(
                record, lambda done: progress(done, len(moves)), silence_s=_SILENCE_S
            )
        except TimeoutError:
            raise HelperFailed(tr("Reviewing this game took too long.")) from None
        except (NoReviewError, ChildEnded) as failed:
            raise HelperFailed(str(failed)) from None
        finally:
            self._process = None
            await process.end()
        return await asyncio.to_thread(_unpacked, made.text)


def _unpacked(text: bytes) -> GameReport:
    return report_from_json(json.loads(zlib.decompress(text)))
