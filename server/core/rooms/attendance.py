"""Track how a room's two players are connected, since when they are away, and who has left.

Attendance is current state, not history: `presence` notices show it, and it is neither numbered
nor stored. All times are milliseconds; `now` is milliseconds since 1970.
"""

from __future__ import annotations


class Attendance:
    """The attendance of both seats of one room. At first both seats are away."""

    __slots__ = ("away_since", "connections", "left", "ready", "takebacks", "wait_until")

    def __init__(self, now: int) -> None:
        self.connections = [0, 0]
        """With how many connections each seat's player follows the room."""
        self.away_since = [now, now]
        self.left = [False, False]
        """Which seats have left the room by their own choice."""
        self.takebacks = [False, False]
        """Which seats follow, or have last followed, only with programs that know takebacks."""
        self.ready = [True, True]
        """Which seats have received the current state of the match; false after a restart until
        the player follows the room again."""
        self.wait_until = 0
        """Until when clocks wait for a seat that is not ready."""

    def wait_for_seats(self, until: int) -> None:
        """Let each seat's clock wait for its player after a restart, at most until `until`."""
        self.ready = [False, False]
        self.wait_until = until

    def must_wait(self, seat: int, now: int) -> bool:
        """Return whether the seat's clock still has to wait for its player."""
        return not self.ready[seat] and now < self.wait_until

    def connect(self, seat: int, takebacks: bool = False, connections: int = 1) -> None:
        """Note that the seat's player follows the room, and so has its current state.

        `takebacks` says whether all programs know takebacks with which the player follows it.
        """
        # It is said anew, because the player may be back with another program.
        self.takebacks[seat] = takebacks
        self.connections[seat] = connections
        self.left[seat] = False
        self.ready[seat] = True

    def disconnect(self, seat: int, now: int) -> None:
        """Note that the seat's player is disconnected or follows the room no more."""
        # Somebody who is away already, and leaves now, must not get a later time.
        if self.connections[seat]:
            self.connections[seat] = 0
            self.away_since[seat] = now

    def leave(self, seat: int, now: int) -> None:
        """Note that the seat's player left the room by choice."""
        self.disconnect(seat, now)
        self.left[seat] = True

    def claim_in_ms(self, seat: int, grace_ms: int, now: int) -> int | None:
        """Return the time until the opponent of the absent `seat` may claim the win.

        Return None when the seat's player is connected.
        """
        if self.connections[seat]:
            return None
        return max(0, self.away_since[seat] + grace_ms - now)

    def spectators(self, followers: int) -> int:
        """Return how many of the peers that follow the room have no seat."""
        # A room that moves to another node has no followers here, but its players are not away.
        return max(0, followers - sum(self.connections))

    def swap(self) -> None:
        """Swap the seats, because the players do."""
        self.connections.reverse()
        for pair in (self.left, self.ready, self.takebacks):
            pair.reverse()
        self.away_since.reverse()

    @property
    def both_away(self) -> bool:
        """True when both seats are away."""
        return not any(self.connections)

    @property
    def both_away_since(self) -> int:
        """The time since when both seats are away; valid only when `both_away`."""
        return max(self.away_since)
