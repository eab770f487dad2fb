"""What part of a clock one move may take.

A match is lost by a single overstep, so the share is small against what is left: one part in the
moves that the game may still take for this player, never more than a quarter of the clock.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bots.api import Limit

MOVES_LOW: Final = 8
MOVES_HIGH: Final = 40
"""Bounds of how many own moves a clock is thought to have to last for."""
_INCREMENT_SHARE: Final = 0.8
_CLOCK_SHARE: Final = 0.25


def clock_share(clock_s: float, increment_s: float, actions: int) -> float:
    """Seconds for a move with `clock_s` seconds left, `increment_s` seconds given back for it (0
    for none), and a choice of `actions`; about half of those will be moves of one's own."""
    moves = min(MOVES_HIGH, max(MOVES_LOW, actions // 2))
    return min(clock_s / moves + _INCREMENT_SHARE * increment_s, _CLOCK_SHARE * clock_s)


def timed(limit: Limit, actions: int) -> Limit:
    """`limit` for a move with a choice of `actions`; one with nothing but a clock gets its share
    of that as `time_s`."""
    if limit.time_s is not None or limit.clock_s is None:
        return limit
    return replace(limit, time_s=clock_share(limit.clock_s, limit.increment_s, actions))
