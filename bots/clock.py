"""Read the time that the limits of bots count: that on a clock, or processor time."""

from __future__ import annotations

from time import perf_counter, process_time

_read = perf_counter


def now() -> float:
    """Return the time that limits count, in seconds from an arbitrary start.

    It is the time on a clock, or the processor time of this process after `count_cpu_time`. A bot
    that keeps time itself asks this function, so that it obeys either kind of limit.
    """
    return _read()


def count_cpu_time() -> None:
    """Let limits count the processor time of this process, from now on."""
    global _read
    _read = process_time
