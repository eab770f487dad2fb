"""Queue pictures from the network thread for Tk's thread, with a bound."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Final

from doublecross.client.tk.models.pictures import (
    Answer,
    OfferOver,
    Overflow,
    Picture,
    RoomGone,
    SeatTaken,
    TournamentNews,
)

BOUND: Final = 512
"""How many pictures may wait before one `Overflow` replaces them."""
BUDGET_S: Final = 0.008
"""How long Tk's thread may take pictures without a break, in seconds: half a frame."""

_ONCE: Final = (SeatTaken, RoomGone, OfferOver, TournamentNews)
"""Pictures that no later picture repeats."""


class Visit:
    """The lifetime of one connection, from the view of Tk's thread.

    Tk's thread sets `over` when it ends the connection. Pictures of the connection that still wait
    in the inbox are then dropped.
    """

    __slots__ = ("over",)

    def __init__(self) -> None:
        self.over = False


class Inbox:
    """A thread-safe first-in-first-out queue of pictures.

    When more than `bound` pictures wait, one `Overflow` replaces them. Answers stay in the queue:
    a caller waits for each of them, and there are no more answers than requests. Pictures that are
    never repeated (such as `SeatTaken`) stay too, unless they alone fill more than half the bound.
    """

    def __init__(self, bound: int = BOUND) -> None:
        self._bound = bound
        self._waiting: deque[tuple[Picture, Visit | None]] = deque()
        self._pictures = 0
        self._lock = threading.Lock()

    def put(self, picture: Picture, visit: Visit | None = None) -> None:
        """Add a picture, from any thread; it is dropped if `visit` is over before it is taken."""
        with self._lock:
            self._waiting.append((picture, visit))
            if isinstance(picture, Answer):
                return
            self._pictures += 1
            if self._pictures > self._bound:
                self._overflow()

    def take(self) -> Picture | None:
        """Remove and return the oldest picture, or None when no picture waits."""
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
        """Return whether an answer waits."""
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
        """Pass waiting pictures to `show` for up to `budget_s` seconds, at least one.

        Return whether pictures are left.
        """
        until = clock() + budget_s
        while (picture := self.take()) is not None:
            show(picture)
            if clock() >= until:
                break
        with self._lock:
            return bool(self._waiting)
