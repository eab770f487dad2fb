"""Compute which part of a clock one move may take.

A player whose clock runs out loses the match, so the share is small: the remaining clock divided
by the number of moves that still need thought (`Bot.moves_to_go`), and at most a quarter of it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from doublecross.bots.api import Limit

MOVES_LOW: Final = 5
MOVES_HIGH: Final = 40
"""Bounds of the number of moves that the remaining clock is divided by."""
_INCREMENT_SHARE: Final = 0.8
"""The part of an increment that a move may use in addition."""
_CLOCK_SHARE: Final = 0.25
"""The largest part of the remaining clock that one move may take."""


def clock_share(clock_s: float, increment_s: float, moves: int) -> float:
    """Return the time for a move, in seconds.

    `clock_s` is the remaining clock and `increment_s` the increment for this move (0 for none),
    both in seconds. `moves` is how many of the player's moves still need thought, this one
    included.
    """
    moves = min(MOVES_HIGH, max(MOVES_LOW, moves))
    return min(clock_s / moves + _INCREMENT_SHARE * increment_s, _CLOCK_SHARE * clock_s)


def timed(limit: Limit, moves: int) -> Limit:
    """Return `limit` with a time for the move.

    A limit with a clock but no time for the move gets the clock's share for `moves` moves; any
    other limit is returned unchanged.
    """
    if limit.time_s is not None or limit.clock_s is None:
        return limit
    return replace(limit, time_s=clock_share(limit.clock_s, limit.increment_s, moves))
