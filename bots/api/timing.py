"""What part of a clock one move may take.

A match is lost by a single overstep, so the share is small against what is left: one part in the
moves that still need thought, as the bot sees it (`Bot.moves_to_go`), never more than a quarter of
the clock.
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


def clock_share(clock_s: float, increment_s: float, moves: int) -> float:
    """Seconds for a move with `clock_s` seconds left, `increment_s` seconds given back for it (0
    for none), when so many `moves` of one's own still need thought, this one included."""
    moves = min(MOVES_HIGH, max(MOVES_LOW, moves))
    return min(clock_s / moves + _INCREMENT_SHARE * increment_s, _CLOCK_SHARE * clock_s)


def timed(limit: Limit, moves: int) -> Limit:
    """`limit`, or, where it has a clock and no time for the move, with the share of that; `moves`
    of one's own still need thought."""
    if limit.time_s is not None or limit.clock_s is None:
        return limit
    return replace(limit, time_s=clock_share(limit.clock_s, limit.increment_s, moves))
