"""Compute how long to wait between attempts to connect and between requests."""

from __future__ import annotations

from random import Random
from typing import Final

FIRST_S: Final = 0.2
"""The longest delay before the first attempt to reconnect, in seconds."""
CAP_S: Final = 4.0
"""The longest delay before any attempt, in seconds; players return soon after a restart."""


def reconnect_delay(attempt: int, rng: Random) -> float:
    """Return the delay in seconds before attempt number `attempt` (0 is the first).

    The delay grows exponentially, with full jitter, so that the many clients of one server do not
    reconnect at the same moment.

    Source: M. Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015.
    """
    # The bound on the exponent prevents huge powers; the cap applies long before.
    return rng.uniform(0.0, min(CAP_S, FIRST_S * 2.0 ** min(attempt, 10)))


def retry_delay(tries: int, rng: Random) -> float:
    """Return the delay in seconds, at least 0.05, before a refused request is sent again."""
    return 0.05 + rng.uniform(0.0, min(5.0, 0.1 * 2.0 ** min(tries, 10)))


class RequestPacer:
    """Keeps the client within the server's rate limit, with a token bucket.

    A server refuses messages beyond its limit, and disconnects a client that goes on. `rate` is in
    messages a second, 0 for no limit. A burst may have as many messages as one second allows.
    """

    def __init__(self, rate: float, now: float) -> None:
        self._rate = rate
        # Even a rate below one a second must let one message go.
        self._burst = max(1.0, rate)
        self._tokens = self._burst
        self._at = now

    def delay(self, now: float) -> float:
        """Return the seconds to wait before the next message may be sent."""
        if self._rate <= 0:
            return 0.0
        self._refill(now)
        return max(0.0, (1.0 - self._tokens) / self._rate)

    def spend(self, now: float) -> None:
        """Count one sent message."""
        self._refill(now)
        self._tokens -= 1.0

    def _refill(self, now: float) -> None:
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
