"""Look for the costliest move after a match against a bot, in the background."""

from __future__ import annotations

import functools
from collections.abc import Callable

from doublecross.analysis.report import GameReport
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.analysis.task import AnalysisRequest
from doublecross.client.tk.models.analysis.worst import WorstMoveSearch
from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.refusal import Refusal


class WorstMoveFinder:
    """Runs the search for the room of `model`; `changed` is called when its result is there.

    A rematch, or leaving the room, cancels it, so it delays neither.
    """

    def __init__(self, context: Context, model: RoomModel, *, changed: Callable[[], None]) -> None:
        self.search = WorstMoveSearch(model)
        self._context = context
        self._changed = changed
        self._running: int | None = None

    def update(self) -> None:
        """Begin or drop the search, after the room has changed."""
        request = self.search.update()
        if self._running is not None and (request is not None or not self.search.searching):
            self.stop()
        if request is None:
            return
        helpers = self._context.helpers
        self._running = self._context.network.run(
            lambda: helpers.review(
                request.game, request.opening, request.moves, lambda _done, _all: None
            ),
            functools.partial(self._take, request),
            functools.partial(self._fail, request),
        )

    def stop(self) -> None:
        """Cancel the search that runs, if any."""
        if self._running is not None:
            self._context.network.cancel(self._running)
            self._running = None

    def _take(self, request: AnalysisRequest, report: GameReport) -> None:
        self._running = None
        if self.search.take(request, report):
            self._changed()

    def _fail(self, request: AnalysisRequest, _: Refusal) -> None:
        # The person has not asked for it, so there is nothing to report.
        self._running = None
        if self.search.fail(request):
            self._changed()
