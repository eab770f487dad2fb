"""How long a bot may think: its share of the clock, with something kept back for the way there.

The share is that of `bots.api.timing`; from everything the time is taken off that a move needs to
the server and back.
"""

from __future__ import annotations

from typing import Final

from bots.api import Limit
from bots.api.timing import clock_share
from client.core.room import RoomMirror

LEAST_S: Final = 0.001
"""The least time for a move, in seconds: a bot answers at once with what it has."""


class Latency:
    """How long a move takes to the server and back, in seconds: a slow average of what was seen.

    `margin` is what to keep back for it.
    """

    def __init__(self) -> None:
        self._mean = 0.02

    def saw(self, seconds: float) -> None:
        """A move was answered after `seconds`."""
        self._mean += 0.2 * (min(seconds, 2.0) - self._mean)

    @property
    def margin(self) -> float:
        """What to keep back, in seconds."""
        return 0.02 + 2.0 * self._mean


def move_limit(
    mirror: RoomMirror,
    now: float,
    *,
    moves: int,
    margin_s: float,
    think_s: float,
    crowd: int,
    memory_mb: int,
) -> Limit:
    """The limit for the move that is due in `mirror`, at `now` on the client's clock.

    So many `moves` of the bot's own still need thought (`Bot.moves_to_go`). `margin_s` is kept
    back, `think_s` is the most there is for any move, both in seconds. `crowd` is how many games
    share the worker (they wait for each other, so each gets that part), `memory_mb` what each may
    use for tables.
    """
    control = mirror.settings.time
    clocks = mirror.clock.remaining_ms(now)
    budget_ms = mirror.clock.budget_ms(now)
    time_s = think_s
    clock_s = None
    if clocks is not None and mirror.to_move is not None:
        clock_s = max(LEAST_S, clocks[mirror.to_move] / 1000)
        time_s = min(time_s, clock_share(clock_s, control.increment_ms / 1000, moves))
    if budget_ms is not None:
        # With little left the margin is the greater part of it: then half of it is all there is.
        budget_s = budget_ms / 1000
        time_s = min(time_s, max(budget_s - margin_s, budget_s / 2))
    return Limit(
        time_s=max(LEAST_S, time_s / crowd),
        clock_s=clock_s,
        increment_s=control.increment_ms / 1000,
        memory_mb=max(1, memory_mb),
    )
