"""Run the analysis of the game under review, and connect it with the widgets of the screen.

Theory of operation
-------------------
`AnalysisTask` knows what became of the analysis. The helpers run it in the network thread, which
only stores the number of judged moves; `tick` shows it. Leaving the screen cancels the work.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final

from doublecross.analysis.report import GameReport
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.analysis.game import AnalysedGame
from doublecross.client.tk.models.analysis.task import AnalysisRequest, AnalysisTask, TaskState
from doublecross.client.tk.models.review import ReviewModel
from doublecross.client.tk.refusal import Refusal

_EVERY_S: Final = 0.1
"""How often the progress is shown, in seconds."""


class AnalysisRunner:
    """The analysis of the game of `model`; `game` is its result, or None.

    `changed` is called in Tk's thread after each change.
    """

    def __init__(
        self, context: Context, model: ReviewModel, *, changed: Callable[[], None]
    ) -> None:
        self.game: AnalysedGame | None = None
        record = model.record
        self.task = AnalysisTask(record.game, record.opening, model.replay.actions)
        self._context = context
        self._names = model.summary.names
        self._changed = changed
        self._running: int | None = None
        self._next_at = 0.0
        self._told = -1

    def begin(self) -> None:
        """Begin the analysis, unless it runs or is done."""
        request = self.task.begin()
        if request is None:
            return
        helpers, task = self._context.helpers, self.task
        self._running = self._context.network.run(
            lambda: helpers.review(
                request.game,
                request.opening,
                request.moves,
                lambda done, _: task.advance(request, done),
            ),
            functools.partial(self._take, request),
            functools.partial(self._fail, request),
        )
        self._changed()

    def stop(self) -> None:
        """Cancel the analysis if it runs."""
        if self._running is not None:
            self._context.network.cancel(self._running)
            self._running = None
        self.task.stop()

    def cancel(self) -> None:
        """Cancel the analysis because the person wants it, and show that."""
        self.stop()
        self._changed()

    def tick(self, now: float) -> None:
        """Show the progress at `now`, in seconds."""
        working = self.task.state is TaskState.WORKING
        if working and now >= self._next_at and self.task.done != self._told:
            self._next_at, self._told = now + _EVERY_S, self.task.done
            self._changed()

    def _take(self, request: AnalysisRequest, report: GameReport) -> None:
        self._running = None
        if self.task.take(request, report):
            if self.task.report is not None:
                self.game = AnalysedGame(report, self._names)
            self._changed()

    def _fail(self, request: AnalysisRequest, refusal: Refusal) -> None:
        self._running = None
        if self.task.fail(request, refusal.sentence):
            self._changed()
