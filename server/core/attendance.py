"""Who of a room's two players is there: connected, away since when, gone for good.

This is how things are now, not what happened: it is shown as `presence` notices, neither
numbered nor stored. All times are milliseconds, `now` as everywhere in the core.
"""

from __future__ import annotations


class Attendance:
    """Both seats of one room; a new one has both seats away."""

    __slots__ = ("away_since", "connected", "hold_until", "left", "ready")

    def __init__(self, now: int) -> None:
        self.connected = [False, False]
        self.away_since = [now, now]
        self.left = [False, False]
        """Which seats have left the room by their own choice."""
        self.ready = [True, True]
        """Which seats know where the match stands; false after a restart until told."""
        self.hold_until = 0
        """Until when clocks wait for a seat that is not ready."""

    def hold(self, until: int) -> None:
        """After a restart: clocks wait for each seat to be told, at most until then."""
        self.ready = [False, False]
        self.hold_until = until

    def held(self, seat: int, now: int) -> bool:
        """Whether the seat's clock has to wait for it still."""
        return not self.ready[seat] and now < self.hold_until

    def come(self, seat: int) -> None:
        """The seat's player follows the room (again), and so knows where the match stands."""
        self.connected[seat] = True
        self.left[seat] = False
        self.ready[seat] = True

    def go(self, seat: int, now: int) -> None:
        """The seat's player is disconnected."""
        if self.connected[seat]:
            self.connected[seat] = False
            self.away_since[seat] = now

    def leave(self, seat: int, now: int) -> None:
        """The seat's player has left on purpose."""
        self.go(seat, now)
        self.left[seat] = True

    def claim_in_ms(self, seat: int, grace_ms: int, now: int) -> int | None:
        """Return how long until the absence of `seat` may be claimed; None: it is connected."""
        if self.connected[seat]:
            return None
        return max(0, self.away_since[seat] + grace_ms - now)

    def swap(self) -> None:
        """The players change seats."""
        for pair in (self.connected, self.left, self.ready):
            pair.reverse()
        self.away_since.reverse()

    @property
    def nobody(self) -> bool:
        """Whether both seats are away."""
        return True not in self.connected

    @property
    def nobody_since(self) -> int:
        """Since when both are away (only when `nobody`)."""
        return max(self.away_since)
