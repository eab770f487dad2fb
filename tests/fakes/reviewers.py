"""A reviewer that judges nothing: a test says how far each game is, and how it ends."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Callable
from typing import Any, Final

import msgpack

from doublecross.server.core.review_queue import ReviewOrder
from doublecross.server.shell.analysis.reviews import MadeReport, ReviewFailedError, WorkerDiedError

REPORT: Final[dict[str, Any]] = {
    "version": 1,
    "game": "dots-and-boxes",
    "params": {"rows": 1, "cols": 1},
    "opening": [],
    "accuracy": [50.0, None],
    "turning": None,
    "turning_sure": False,
    "moves": [
        {
            "ply": 0,
            "seat": 0,
            "action": 1,
            "before": {"net": 1.0, "spread": 0.0},
            "after": {"net": -1.5, "spread": 0.6},
            "cost": 1.25,
            "sure": True,
            "best": [0, 2],
            "every": False,
            "line": [0, 1],
            "answer": [2],
            "phrases": [
                {
                    "rule": "gave",
                    "one": "It cost {count} box.",
                    "many": "It cost {count} boxes.",
                    "values": {"count": 1, "edge": "b1"},
                    "text": "It cost 1 box.",
                }
            ],
        }
    ],
}
"""A report with all fields; it is no good one."""


def made_report(value: dict[str, Any] | None = None) -> MadeReport:
    """Return a report as workers deliver it."""
    value = REPORT if value is None else value
    return MadeReport(
        zlib.compress(json.dumps(value).encode()), zlib.compress(msgpack.packb(value))
    )


class FakeReviewer:
    """Judge a game when the test says so: `judged`, then `finish`, `fail` or `die`.

    With `at_once` each game is finished when it begins.
    """

    version = "fake"

    def __init__(self, workers: int = 1, *, at_once: bool = False) -> None:
        self.workers = workers
        self.orders: list[str] = []
        """The games that were begun, in this order."""
        self.stopped: list[str] = []
        """The games that were given up."""
        self.closed = False
        self._at_once = at_once
        self._running: dict[str, tuple[asyncio.Future[MadeReport], Callable[[int], None]]] = {}

    @property
    def running(self) -> list[str]:
        return list(self._running)

    def problem(self, game: str, moves: int) -> str:
        return "" if game == "dots-and-boxes" and moves else "There is no review of such games."

    async def judge(self, order: ReviewOrder, progress: Callable[[int], None]) -> MadeReport:
        self.orders.append(order.game_id)
        if self._at_once:
            return made_report()
        ended: asyncio.Future[MadeReport] = asyncio.get_running_loop().create_future()
        assert order.game_id not in self._running
        self._running[order.game_id] = ended, progress
        assert len(self._running) <= self.workers
        try:
            return await ended
        except asyncio.CancelledError:
            self.stopped.append(order.game_id)
            raise
        finally:
            del self._running[order.game_id]

    def judged(self, game: str, done: int) -> None:
        self._running[game][1](done)

    def finish(self, game: str) -> None:
        self._running[game][0].set_result(made_report())

    def fail(self, game: str, sentence: str) -> None:
        self._running[game][0].set_exception(ReviewFailedError(sentence))

    def die(self, game: str) -> None:
        self._running[game][0].set_exception(WorkerDiedError("It was killed by SIGKILL."))

    def crash(self, game: str) -> None:
        self._running[game][0].set_exception(KeyError("a bug"))

    async def close(self) -> None:
        self.closed = True
