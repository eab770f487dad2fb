"""Request the new rating of the person at the window after a rated match."""

from __future__ import annotations

from collections.abc import Callable

from doublecross.client.tk.context import Context
from doublecross.client.tk.models.room.rating import RatingChange, RatingNote, RatingRequest
from doublecross.client.tk.network.ratings import rating_change


class RatingFinder:
    """Sends the requests of `note`; `changed` is called when an answer is there."""

    def __init__(self, context: Context, note: RatingNote, *, changed: Callable[[], None]) -> None:
        self._context = context
        self._note = note
        self._changed = changed

    def update(self) -> None:
        """Request the rating if the match has just ended."""
        request = self._note.due()
        if request is None:
            return
        link = self._context.latest.link
        http = None if link is None else link.http
        self._context.network.run(
            lambda: rating_change(http, request),
            lambda change: self._take(request, change),
            # The person has not asked for it: the note says where the rating is instead.
            lambda _: self._take(request, None),
        )

    def _take(self, request: RatingRequest, change: RatingChange | None) -> None:
        if self._note.take(request, change):
            self._changed()
