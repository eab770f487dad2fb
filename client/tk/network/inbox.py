"""Queue updates from the network thread for Tk's thread, with a bound."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Final

from doublecross.client.tk.models.snapshots import (
    Answer,
    OfferOver,
    Overflow,
    RoomGone,
    SeatTaken,
    TournamentNews,
    WindowUpdate,
)

BOUND: Final = 512
"""How many updates may wait before one `Overflow` replaces them."""
BUDGET_S: Final = 0.008
"""How long Tk's thread may take updates without a break, in seconds: half a frame."""

_ONCE: Final = (SeatTaken, RoomGone, OfferOver, TournamentNews)
"""Updates that no later update repeats."""


class Visit:
    """The lifetime of one connection, from the view of Tk's thread.

    Tk's thread sets `over` when it ends the connection. Updates of the connection that still wait
    in the inbox are then dropped.
    """

    __slots__ = ("over",)

    def __init__(self) -> None:
        self.over = False


class Inbox:
    """A thread-safe first-in-first-out queue of updates.

    When more than `bound` updates wait, one `Overflow` replaces them. Answers stay in the queue:
    a caller waits for each of them, and there are no more answers than requests. Updates that are
    never repeated (such as `SeatTaken`) stay too, unless they alone fill more than half the bound.
    """

    def __init__(self, bound: int = BOUND) -> None:
        self._bound = bound
        self._waiting: deque[tuple[WindowUpdate, Visit | None]] = deque()
        self._updates = 0
        self._lock = threading.Lock()

    def put(self, update: WindowUpdate, visit: Visit | None = None) -> None:
        """Add an update, from any thread; it is dropped if `visit` is over before it is taken."""
        with self._lock:
            self._waiting.append((update, visit))
            if isinstance(update, Answer):
                return
            self._updates += 1
            if self._updates > self._bound:
                self._overflow()

    def take(self) -> WindowUpdate | None:
        """Remove and return the oldest update, or None when no update waits."""
        with self._lock:
            while self._waiting:
                update, visit = self._waiting.popleft()
                if not isinstance(update, Answer):
                    self._updates -= 1
                if visit is None or not visit.over:
                    return update
            return None

    @property
    def answered(self) -> bool:
        """Return whether an answer waits."""
        with self._lock:
            return any(isinstance(update, Answer) for update, _ in self._waiting)

    def _overflow(self) -> None:
        once = sum(isinstance(update, _ONCE) for update, _ in self._waiting)
        stays = (Answer,) if once > self._bound // 2 else (Answer, *_ONCE)
        self._waiting = deque(entry for entry in self._waiting if isinstance(entry[0], stays))
        self._waiting.append((Overflow(), None))
        self._updates = sum(not isinstance(update, Answer) for update, _ in self._waiting)

    def drain(
        self,
        show: Callable[[WindowUpdate], None],
        clock: Callable[[], float],
        budget_s: float = BUDGET_S,
    ) -> bool:
        """Pass waiting updates to `show` for up to `budget_s` seconds, at least one.

        Return whether updates are left.
        """
        until = clock() + budget_s
        while (update := self.take()) is not None:
            show(update)
            if clock() >= until:
                break
        with self._lock:
            return bool(self._waiting)
