"""Format the clocks of the players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from doublecross.client.tk.models.snapshots import RoomSnapshot
from doublecross.client.tk.models.words import long_span

LOW_MS: Final = 10_000
"""Below this time, in milliseconds, a clock is red and shows tenths of a second."""


@dataclass(frozen=True, slots=True)
class ClockFace:
    """The face of a clock: its text, whether time is `low`, and whether it `runs`."""

    text: str
    low: bool
    runs: bool


def clock_face(left_ms: int, *, runs: bool) -> ClockFace:
    """Return what a clock with `left_ms` milliseconds left shows.

    Below ten seconds it shows tenths, from one hour on hours and minutes, or days and hours. Times
    are rounded up, so 0.0 means that no time is left.
    """
    left_ms = max(0, left_ms)
    if left_ms < LOW_MS:
        tenths = -(-left_ms // 100)
        if tenths < 100:
            return ClockFace(f"{tenths // 10}.{tenths % 10}", low=True, runs=runs)
        return ClockFace("0:10", low=True, runs=runs)
    seconds = -(-left_ms // 1000)
    text = long_span(seconds * 1000) or f"{seconds // 60}:{seconds % 60:02}"
    return ClockFace(text, low=False, runs=runs)


def room_clock(snapshot: RoomSnapshot, seat: int, now: float) -> ClockFace | None:
    """Return the clock of `seat` in the room of `snapshot`, or None if the match has no clocks.

    `now` is in seconds by the client's clock. The clock of the mover shows the limit of the move if
    that ends first.
    """
    passed = round((now - snapshot.at) * 1000)
    runs = snapshot.clock_runs and snapshot.to_move == seat
    left = None if snapshot.clock_ms is None else snapshot.clock_ms[seat]
    if snapshot.status == "playing" and snapshot.to_move == seat and snapshot.move_ms is not None:
        left = snapshot.move_ms if left is None else min(left, snapshot.move_ms)
    if left is None:
        if snapshot.time.move_ms is None:
            return None
        left = snapshot.time.move_ms
    return clock_face(left - passed if runs else left, runs=runs)
