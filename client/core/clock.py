"""Count down the clocks of a followed room between the server's messages."""

from __future__ import annotations


class RoomClock:
    """The two clocks of a match, and the time limit of a single move.

    `ms` holds the remaining times of seats 0 and 1, in milliseconds, from the server's last
    message; None in a match without clocks. `mover` is the seat to move, or None when no seat is.
    `runs` says whether the mover's time passes. It does not until `first_until`, the end of the
    time for a first move, which is None for other moves. Every `now` is in seconds, by the same
    clock that timed the arrival of the messages.
    """

    __slots__ = (
        "_move_limit_ms",
        "_received_at",
        "_turn_at",
        "first_until",
        "mover",
        "ms",
        "runs",
    )

    def __init__(self, move_limit_ms: int | None, now: float) -> None:
        self._move_limit_ms = move_limit_ms
        self._received_at = self._turn_at = now
        self.ms: tuple[int, int] | None = None
        self.mover: int | None = None
        self.runs = False
        self.first_until: float | None = None

    def begin_turn(
        self, ms: tuple[int, int] | None, mover: int | None, now: float, *, runs: bool
    ) -> None:
        """Start the turn of seat `mover`; None stops the clocks."""
        self.ms = ms
        self.mover = mover
        self.runs = runs
        self.first_until = None
        self._received_at = self._turn_at = now

    def correct(self, ms: tuple[int, int], now: float) -> None:
        """Set the clocks to the server's current times; the turn goes on."""
        self.ms = ms
        self._received_at = now

    def set_move_left(self, ms: int, now: float) -> None:
        """Set what is left of the limit for the current move."""
        if self._move_limit_ms is not None:
            self._turn_at = now - (self._move_limit_ms - ms) / 1000

    def wait_for_first_move(self, until: float | None) -> None:
        """Stand still for the mover's first move, at most until `until`; None: do not."""
        self.first_until = until
        if until is not None:
            self.runs = False

    def stop(self) -> None:
        """Stop the clocks for good."""
        self.mover = self.first_until = None
        self.runs = False

    def remaining_ms(self, now: float) -> tuple[int, int] | None:
        """Return the times left on the two clocks, at least 0; None in a match without clocks."""
        if self.ms is None or self.mover is None or not self.runs:
            return self.ms
        # Only the server decides that a flag has fallen; until then the clock shows 0.
        left = max(0, self.ms[self.mover] - round((now - self._received_at) * 1000))
        return (left, self.ms[1]) if self.mover == 0 else (self.ms[0], left)

    def move_left_ms(self, now: float) -> int | None:
        """Return the time left of the limit for the current move.

        None without such a limit, or when no seat is to move.
        """
        if self._move_limit_ms is None or self.mover is None:
            return None
        used = round((now - self._turn_at) * 1000) if self.runs else 0
        return max(0, self._move_limit_ms - used)

    def budget_ms(self, now: float) -> int | None:
        """Return how long the mover may still think, or None without a limit.

        The clock or the limit of the move applies, whichever ends first.
        """
        if self.mover is None:
            return None
        clocks = self.remaining_ms(now)
        bounds = (None if clocks is None else clocks[self.mover], self.move_left_ms(now))
        return min((bound for bound in bounds if bound is not None), default=None)
