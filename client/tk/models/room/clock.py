"""What a clock says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from client.tk.models.pictures import RoomPicture

LOW_MS: Final = 10_000
"""Below this a clock is red and shows tenths, in milliseconds."""


@dataclass(frozen=True, slots=True)
class ClockFace:
    """The text of a clock; `low`: time is short; `runs`: it counts down."""

    text: str
    low: bool
    runs: bool


def clock_face(left_ms: int, *, runs: bool) -> ClockFace:
    """Return the face of a clock with `left_ms` milliseconds on it.

    Below ten seconds there are tenths, from an hour on hours. What is left is rounded up, so that
    0.0 means that the time is over.
    """
    left_ms = max(0, left_ms)
    if left_ms < LOW_MS:
        tenths = -(-left_ms // 100)
        if tenths < 100:
            return ClockFace(f"{tenths // 10}.{tenths % 10}", low=True, runs=runs)
        return ClockFace("0:10", low=True, runs=runs)
    seconds = -(-left_ms // 1000)
    minutes, hours = seconds // 60, seconds // 3600
    if hours:
        text = f"{hours}:{minutes % 60:02}:{seconds % 60:02}"
    else:
        text = f"{minutes}:{seconds % 60:02}"
    return ClockFace(text, low=False, runs=runs)


def room_clock(picture: RoomPicture, seat: int, now: float) -> ClockFace | None:
    """Return the clock of `seat` in the room of `picture` at `now`, in seconds of the client's
    clock; None: it has none."""
    passed = round((now - picture.at) * 1000)
    runs = picture.clock_runs and picture.to_move == seat
    left = None if picture.clock_ms is None else picture.clock_ms[seat]
    if picture.status == "playing" and picture.to_move == seat and picture.move_ms is not None:
        left = picture.move_ms if left is None else min(left, picture.move_ms)
    if left is None:
        if picture.time.move_ms is None:
            return None
        left = picture.time.move_ms
    return clock_face(left - passed if runs else left, runs=runs)
