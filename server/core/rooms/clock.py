"""The clocks of a match, and the service clock that they run on. Time is a parameter.

All times are whole milliseconds. `now` is service time: milliseconds since 1970 from a clock that
never goes back. A match clock either runs for one seat or is stopped. The server starts it only
after it has stored and sent the position, so that storing costs no player any time. A person's
first move costs no time either, but has a limit of its own.

The service clock
-----------------
A player must not lose time while the server cannot answer. So service time stands still

- while the server's event loop is stalled: the process was stopped, or something kept it busy;
- while a commit is slow: an answer waits for the disk;
- while the storage fails: no move can be stored.

The loop calls `beat` many times a second. Without a beat, service time runs on for `LIMIT_MS` and
then stops until the next beat. In the same way it stops `LIMIT_MS` after the start of a commit and
goes on when the commit ends. After a commit that failed it stops at once, and goes on when the
storage works again.

Because it stops by itself, it does not matter what runs first after a stall. A check for expired
clocks sees the time at which the stall began, and so does a move that waited in a socket.

Service time never goes back and never runs faster than real time. So a player can gain time only
while the whole server is stalled, and then all players do. `real` is milliseconds of the machine's
clock, which never goes back either.
"""

from __future__ import annotations

from typing import Final

from doublecross.protocol.common import TimeControl

LIMIT_MS: Final = 50
"""How far service time runs on into a stall, in milliseconds: the most that a stall costs."""


class Clock:
    """The time that both seats have left under one time control."""

    __slots__ = ("first_ms", "increment_ms", "left", "move_ms", "running", "since")

    def __init__(self, control: TimeControl) -> None:
        self.increment_ms = control.increment_ms
        self.move_ms = control.move_ms
        base = control.base_ms
        self.left: tuple[int, int] | None = None if base is None else (base, base)
        """The time that both seats had left when the clock last stopped; None without a base."""
        self.running: int | None = None
        """The seat whose time runs, or None while the clock is stopped."""
        self.since = 0
        """When the clock last started."""
        self.first_ms: int | None = None
        """The limit for a first move that costs the running seat no time; None for other moves."""

    def start(self, seat: int, now: int, first_ms: int | None = None) -> None:
        """Start the clock of `seat` at `now`.

        With `first_ms` the move costs no time, but must come within so many milliseconds.
        """
        self.running = seat
        self.since = now
        self.first_ms = first_ms

    def elapsed(self, now: int) -> int:
        """Return how long the running seat has been thinking; 0 while stopped."""
        return 0 if self.running is None or now < self.since else now - self.since

    def is_out_of_time(self, now: int) -> bool:
        """Return whether the running seat has used up its clock or its time for this move."""
        seat = self.running
        if seat is None:
            return False
        thinking = now - self.since
        if self.first_ms is not None:
            return thinking > self.first_ms
        if self.move_ms is not None and thinking > self.move_ms:
            return True
        return self.left is not None and thinking > self.left[seat]

    def deadline(self) -> int | None:
        """Return the last moment at which the running seat still is in time.

        Return None while stopped or without a limit.
        """
        if self.running is None:
            return None
        if self.first_ms is not None:
            return self.since + self.first_ms
        move = self.move_ms
        if self.left is None:
            return None if move is None else self.since + move
        left = self.left[self.running]
        return self.since + (left if move is None or left < move else move)

    def move_left(self, now: int) -> int | None:
        """Return what the running seat has left for this move, at least 0; None without a limit."""
        if self.running is None or self.move_ms is None or self.first_ms is not None:
            return None
        return max(0, self.move_ms - self.elapsed(now))

    def stop_after_move(self, seat: int, now: int) -> int:
        """Charge `seat` for its move, add the increment, stop, and return the time it took.

        The caller has checked `is_out_of_time`. A stopped clock charges nothing. With `first_ms`
        the move is free, and gains the increment all the same.
        """
        elapsed = self.elapsed(now)
        left = self.left
        if left is not None:
            own = left[seat] - (elapsed if self.first_ms is None else 0)
            own = self.increment_ms if own < 0 else own + self.increment_ms
            self.left = (own, left[1]) if seat == 0 else (left[0], own)
        # Nobody's time runs until the move is stored and sent; see `Room.start_clock`.
        self.running = self.first_ms = None
        return elapsed

    def stop(self, now: int) -> None:
        """Charge the running seat until `now` and stop, because the match is over."""
        self.left = self.remaining(now)
        self.running = self.first_ms = None

    def remaining(self, now: int) -> tuple[int, int] | None:
        """Return what both seats have left at `now`, at least 0; None without a base."""
        if self.left is None or self.running is None or self.first_ms is not None:
            return self.left
        own = max(0, self.left[self.running] - self.elapsed(now))
        return (own, self.left[1]) if self.running == 0 else (self.left[0], own)


class ServiceClock:
    """Turn the machine's time into service time. Both are equal at the start.

    Its times are whole numbers of any unit; `limit` is `LIMIT_MS` in that unit.
    """

    __slots__ = ("_beat", "_commit", "_failing", "_limit", "offset", "until")

    def __init__(self, real: int, limit: int = LIMIT_MS) -> None:
        self._limit = limit
        self._beat = real
        """When the loop was alive for the last time."""
        self._commit: int | None = None
        """When the current commit began; None between commits."""
        self._failing = False
        self.until = real + limit
        """The real time at which service time stops unless something happens before."""
        self.offset = 0
        """Service time minus real time, while service time runs."""

    def now(self, real: int) -> int:
        """Return the service time."""
        until = self.until
        return (real if real < until else until) + self.offset

    def stalled(self, real: int) -> int:
        """Return for how long the loop has been stalled, beyond the limit; 0 if it is not."""
        return max(0, real - self._beat - self._limit)

    def beat(self, real: int) -> None:
        """Note that the loop is alive, and that it has read what had arrived before."""
        self._beat = real
        self._set_until(real)

    def commit_began(self, real: int) -> None:
        """Note that a commit begins. The next beats do not move `until` beyond its limit."""
        self._commit = real

    def commit_ended(self, real: int) -> None:
        """Note that the commit has ended, stored or not."""
        began, self._commit = self._commit, None
        if began is None or began < self._beat:  # otherwise `until` is right as it is
            self._set_until(real)

    def storage_works(self, real: int, works: bool) -> None:
        """Note whether the storage works now."""
        self._failing = not works
        self._set_until(real)

    def _set_until(self, real: int) -> None:
        if real > self.until:
            self.offset -= real - self.until  # service time has stood still since `until`
        # Whichever has waited longer limits the time: the loop's last beat or the start of the
        # commit.
        begin = self._beat if self._commit is None else min(self._beat, self._commit)
        self.until = real if self._failing else max(real, begin + self._limit)
