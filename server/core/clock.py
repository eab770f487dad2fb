"""The clocks of a match: how much time each seat has left. Time is a parameter.

All times are whole milliseconds. `now` is milliseconds since 1970 from a clock that never goes
back. A clock either runs for one seat or is stopped. The server starts it only after it has stored
and sent the position, so that storing costs no player any time.
"""

from __future__ import annotations

from protocol.common import TimeControl


class Clock:
    """The time that both seats have left under one time control."""

    __slots__ = ("increment_ms", "left", "move_ms", "running", "since")

    def __init__(self, control: TimeControl) -> None:
        self.increment_ms = control.increment_ms
        self.move_ms = control.move_ms
        base = control.base_ms
        self.left: tuple[int, int] | None = None if base is None else (base, base)
        """What both seats had left when the clock last stopped; None without a base."""
        self.running: int | None = None
        """The seat whose time runs, or None while the clock is stopped."""
        self.since = 0
        """When the clock last started."""

    def start(self, seat: int, now: int) -> None:
        """Start the clock of `seat` at `now`."""
        self.running = seat
        self.since = now

    def elapsed(self, now: int) -> int:
        """Return how long the running seat has been thinking; 0 while stopped."""
        return 0 if self.running is None or now < self.since else now - self.since

    def is_out_of_time(self, now: int) -> bool:
        """Return whether the running seat has used up its clock or its time for this move."""
        seat = self.running
        if seat is None:
            return False
        thinking = now - self.since
        if self.move_ms is not None and thinking > self.move_ms:
            return True
        return self.left is not None and thinking > self.left[seat]

    def deadline(self) -> int | None:
        """Return the last moment at which the running seat still is in time.

        Return None while stopped or without a limit.
        """
        if self.running is None:
            return None
        move = self.move_ms
        if self.left is None:
            return None if move is None else self.since + move
        left = self.left[self.running]
        return self.since + (left if move is None or left < move else move)

    def stop_after_move(self, seat: int, now: int) -> int:
        """Charge `seat` for its move, add the increment, stop, and return the time it took.

        The caller has checked `is_out_of_time`. A stopped clock charges nothing.
        """
        elapsed = self.elapsed(now)
        left = self.left
        if left is not None:
            own = left[seat] - elapsed
            own = self.increment_ms if own < 0 else own + self.increment_ms
            self.left = (own, left[1]) if seat == 0 else (left[0], own)
        self.running = None
        return elapsed

    def stop(self, now: int) -> None:
        """Charge the running seat until `now` and stop, because the match is over."""
        self.left = self.remaining(now)
        self.running = None

    def remaining(self, now: int) -> tuple[int, int] | None:
        """Return what both seats have left at `now`, at least 0; None without a base."""
        if self.left is None or self.running is None:
            return self.left
        own = max(0, self.left[self.running] - self.elapsed(now))
        return (own, self.left[1]) if self.running == 0 else (self.left[0], own)
