"""The bounded queue from the network's thread to Tk's thread."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Final

from client.tk.models.pictures import (
    Answer,
    OfferOver,
    Overflow,
    Picture,
    RoomGone,
    SeatTaken,
    TournamentNews,
)

BOUND: Final = 512
"""Pictures that wait before they are thrown away for one `Overflow`."""
BUDGET_S: Final = 0.008
"""The longest that Tk's thread takes pictures at a stretch, in seconds: half a frame."""

_ONCE: Final = (SeatTaken, RoomGone, OfferOver, TournamentNews)


class Visit:
    """The lifetime of one connection as Tk's thread sees it, which sets `over` when it ends: what
    was put for it and is still waiting then is dropped."""

    __slots__ = ("over",)

    def __init__(self) -> None:
        self.over = False


class Inbox:
    """Pictures in the order in which they were put.

    When more than `bound` wait, they are thrown away and one `Overflow` says so. Answers stay,
    since somebody waits for each of them, and there are no more of them than requests. What is
    said only once (such as `SeatTaken`) stays too, unless it is more than half of the bound by
    itself.
    """

    def __init__(self, bound: int = BOUND) -> None:
        self._bound = bound
        self._waiting: deque[tuple[Picture, Visit | None]] = deque()
        self._pictures = 0
        self._lock = threading.Lock()

    def put(self, picture: Picture, visit: Visit | None = None) -> None:
        """Add a picture, from any thread; it is dropped if `visit` is over when it is its turn."""
        with self._lock:
            self._waiting.append((picture, visit))
            if isinstance(picture, Answer):
                return
            self._pictures += 1
            if self._pictures > self._bound:
                self._overflow()

    def take(self) -> Picture | None:
        """Return the oldest picture; None when there is none."""
        with self._lock:
            while self._waiting:
                picture, visit = self._waiting.popleft()
                if not isinstance(picture, Answer):
                    self._pictures -= 1
                if visit is None or not visit.over:
                    return picture
            return None

    @property
    def answered(self) -> bool:
        """Whether an answer waits."""
        with self._lock:
            return any(isinstance(picture, Answer) for picture, _ in self._waiting)

    def _overflow(self) -> None:
        once = sum(isinstance(picture, _ONCE) for picture, _ in self._waiting)
        stays = (Answer,) if once > self._bound // 2 else (Answer, *_ONCE)
        self._waiting = deque(entry for entry in self._waiting if isinstance(entry[0], stays))
        self._waiting.append((Overflow(), None))
        self._pictures = sum(not isinstance(picture, Answer) for picture, _ in self._waiting)

    def drain(
        self,
        show: Callable[[Picture], None],
        clock: Callable[[], float],
        budget_s: float = BUDGET_S,
    ) -> bool:
        """Show what waits, for `budget_s` seconds at most (one picture at least); whether some
        is left."""
        until = clock() + budget_s
        while (picture := self.take()) is not None:
            show(picture)
            if clock() >= until:
                break
        with self._lock:
            return bool(self._waiting)
