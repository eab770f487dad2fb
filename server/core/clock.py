"""The clocks of a match: who has how much time left, with time as data.

All times are whole milliseconds. `now` is milliseconds since 1970 on a clock that never goes
back. A clock is either running for one seat or stopped; the server starts it when the position
has been stored and sent, so nobody pays for the server's disk.
"""

from __future__ import annotations

from protocol.common import TimeControl


class Clock:
    """Time left of both seats under one time control."""

    __slots__ = ("increment_ms", "left", "move_ms", "running", "since")

    def __init__(self, control: TimeControl) -> None:
        self.increment_ms = control.increment_ms
        self.move_ms = control.move_ms
        base = control.base_ms
        self.left: tuple[int, int] | None = None if base is None else (base, base)
        self.running: int | None = None
        """The seat whose time runs, None while stopped."""
        self.since = 0
        """When `running` began to run."""

    def start(self, seat: int, now: int) -> None:
        """Let `seat`'s time run from `now`."""
        self.running = seat
        self.since = now

    def elapsed(self, now: int) -> int:
        """How long the running seat has been thinking; 0 while stopped."""
        return 0 if self.running is None or now < self.since else now - self.since

    def fell(self, now: int) -> bool:
        """Whether the running seat has used up its clock or its time for this move."""
        seat = self.running
        if seat is None:
            return False
        thinking = now - self.since
        if self.move_ms is not None and thinking > self.move_ms:
            return True
        return self.left is not None and thinking > self.left[seat]

    def deadline(self) -> int | None:
        """The last moment at which the running seat is in time; None: no limit, or stopped."""
        if self.running is None:
            return None
        move = self.move_ms
        if self.left is None:
            return None if move is None else self.since + move
        left = self.left[self.running]
        return self.since + (left if move is None or left < move else move)

    def stop_after_move(self, seat: int, now: int) -> int:
        """Charge `seat` for its move, give the increment, stop; returns the time it took.

        The caller has asked `fell` before. A clock that was not running charges nothing.
        """
        elapsed = self.elapsed(now)
        left = self.left
        if left is not None:
            mine = left[seat] - elapsed
            mine = self.increment_ms if mine < 0 else mine + self.increment_ms
            self.left = (mine, left[1]) if seat == 0 else (left[0], mine)
        self.running = None
        return elapsed

    def stop(self, now: int) -> None:
        """Charge the running seat up to now and stop (the match is over)."""
        self.left = self.peek(now)
        self.running = None

    def peek(self, now: int) -> tuple[int, int] | None:
        """What both seats have left at `now`, never below zero; None without a base."""
        if self.left is None or self.running is None:
            return self.left
        mine = max(0, self.left[self.running] - self.elapsed(now))
        return (mine, self.left[1]) if self.running == 0 else (self.left[0], mine)
