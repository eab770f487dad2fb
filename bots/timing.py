"""What part of a clock one move may take.

A match is lost by a single overstep, so the share is small against what is left: one part in the
moves that the game may still take for this player, never more than a quarter of the clock.
"""

from __future__ import annotations

from typing import Final

MOVES_LOW: Final = 8
MOVES_HIGH: Final = 40
"""Bounds of how many own moves a clock is thought to have to last for."""
_INCREMENT_SHARE: Final = 0.8
_CLOCK_SHARE: Final = 0.25


def clock_share(clock_s: float, increment_s: float, actions: int) -> float:
    """Seconds for a move with `clock_s` left, `increment_s` given back for it, and a choice of
    `actions`; about half of those will be moves of one's own."""
    moves = min(MOVES_HIGH, max(MOVES_LOW, actions // 2))
    return min(clock_s / moves + _INCREMENT_SHARE * increment_s, _CLOCK_SHARE * clock_s)
