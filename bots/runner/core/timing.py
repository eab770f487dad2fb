"""Compute how long a bot may think, with a reserve for the way to the server.

The share of the clock is that of `doublecross.bots.api.timing`. Where each move has its own time,
the time that a message needs to the server and back is subtracted.
"""

from __future__ import annotations

from typing import Final

from doublecross.bots.api import Limit
from doublecross.bots.api.timing import clock_share
from doublecross.client.core.room import RoomMirror

LEAST_S: Final = 0.001
"""The shortest time for a move, in seconds; the bot then answers with the best action it has."""


class Latency:
    """Estimates how long a move takes to the server and back, as a moving average."""

    def __init__(self) -> None:
        self._mean = 0.02

    def record(self, seconds: float) -> None:
        """Include a move that the server answered after `seconds` seconds."""
        self._mean += 0.2 * (min(seconds, 2.0) - self._mean)

    @property
    def margin(self) -> float:
        """The reserve for a move, in seconds."""
        return 0.02 + 2.0 * self._mean


def move_limit(
    mirror: RoomMirror,
    now: float,
    *,
    moves: int | None,
    margin_s: float,
    think_s: float,
    crowd: int,
    memory_mb: int,
) -> Limit:
    """Return the limit for the bot's next move in `mirror`, at `now` on the client's clock.

    `moves` is how many of the bot's moves still need thought (`Bot.moves_to_go`), None if it
    divides its clock itself. `margin_s` is the reserve for the network and `think_s` the longest
    time for any move, both in seconds. `crowd` is how many games share the worker. They wait for
    each other, so each gets that part of the time. `memory_mb` is the memory for the tables of this
    game, in MiB.
    """
    control = mirror.settings.time
    clocks = mirror.clock.remaining_ms(now)
    budget_ms = mirror.clock.budget_ms(now)
    time_s = think_s
    clock_s = opponent_s = None
    if clocks is not None and mirror.to_move is not None:
        clock_s = max(LEAST_S, clocks[mirror.to_move] / 1000)
        opponent_s = clocks[1 - mirror.to_move] / 1000
        if moves is None:
            clock_s = max(clock_s - margin_s, clock_s / 2)
            time_s = min(time_s, clock_s)
        else:
            time_s = min(time_s, clock_share(clock_s, control.increment_ms / 1000, moves))
    if budget_ms is not None:
        # With little time left the margin may exceed it. The bot then uses half of that time.
        budget_s = budget_ms / 1000
        time_s = min(time_s, max(budget_s - margin_s, budget_s / 2))
    return Limit(
        time_s=max(LEAST_S, time_s / crowd),
        clock_s=clock_s,
        increment_s=control.increment_ms / 1000,
        memory_mb=max(1, memory_mb),
        opponent_clock_s=opponent_s,
    )
