"""The clocks of a followed room: what the server last said of them, and what is left now."""

from __future__ import annotations


class RoomClock:
    """Counts down the two clocks of a match and the limit of a single move between messages.

    `ms` is (seat 0, seat 1) in milliseconds as last told, None without a clock. `mover` is the
    seat to move, None when nobody is. `runs` says whether the mover's time passes. Every `now` is
    in seconds of the clock that the messages came under.
    """

    __slots__ = ("_move_limit_ms", "_told_at", "_turn_at", "mover", "ms", "runs")

    def __init__(self, move_limit_ms: int | None, now: float) -> None:
        self._move_limit_ms = move_limit_ms
        self._told_at = self._turn_at = now
        self.ms: tuple[int, int] | None = None
        self.mover: int | None = None
        self.runs = False

    def begin_turn(
        self, ms: tuple[int, int] | None, mover: int | None, now: float, *, runs: bool
    ) -> None:
        """Start the turn of `mover`; None stops the clocks."""
        self.ms = ms
        self.mover = mover
        self.runs = runs
        self._told_at = self._turn_at = now

    def correct(self, ms: tuple[int, int], now: float) -> None:
        """Take the server's current times within the same turn."""
        self.ms = ms
        self._told_at = now

    def stop(self) -> None:
        """Stop the clocks for good; nobody is to move any more."""
        self.mover = None
        self.runs = False

    def remaining_ms(self, now: float) -> tuple[int, int] | None:
        """Return what is left on the two clocks, at least 0; None without a clock."""
        if self.ms is None or self.mover is None or not self.runs:
            return self.ms
        left = max(0, self.ms[self.mover] - round((now - self._told_at) * 1000))
        return (left, self.ms[1]) if self.mover == 0 else (self.ms[0], left)

    def move_left_ms(self, now: float) -> int | None:
        """Return what is left of the limit for the current move alone.

        None without such a limit, or when nobody is to move. When a room came as a whole in the
        middle of a turn, the part that was used before is unknown and not counted.
        """
        if self._move_limit_ms is None or self.mover is None:
            return None
        used = round((now - self._turn_at) * 1000) if self.runs else 0
        return max(0, self._move_limit_ms - used)

    def budget_ms(self, now: float) -> int | None:
        """Return the most that the mover may still think, None when nothing limits it.

        That is the clock or the limit of the move, whichever ends first.
        """
        if self.mover is None:
            return None
        clocks = self.remaining_ms(now)
        bounds = (None if clocks is None else clocks[self.mover], self.move_left_ms(now))
        return min((bound for bound in bounds if bound is not None), default=None)
