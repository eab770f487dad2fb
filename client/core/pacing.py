"""How long to wait: between tries to connect, and between requests."""

from __future__ import annotations

from random import Random
from typing import Final

FIRST_S: Final = 0.2
CAP_S: Final = 4.0


def reconnect_delay(attempt: int, rng: Random) -> float:
    """Return the seconds before try number `attempt` (0 is the first).

    They grow exponentially, with full jitter, so that many clients of one server do not come back
    at the same moment.

    Source: M. Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015.
    """
    return rng.uniform(0.0, min(CAP_S, FIRST_S * 2.0 ** min(attempt, 10)))


def retry_delay(tries: int, rng: Random) -> float:
    """Return the seconds, at least 0.05, before a request that was put off is sent again."""
    return 0.05 + rng.uniform(0.0, min(5.0, 0.1 * 2.0 ** min(tries, 10)))


class RequestPacer:
    """Keeps the client within the server's rate, which it would answer with refusals first and
    with the end of the connection later.

    `rate` is in messages a second; a second's worth may go at once. 0 is no limit.
    """

    def __init__(self, rate: float, now: float) -> None:
        self._rate = rate
        self._burst = max(1.0, rate)
        self._tokens = self._burst
        self._at = now

    def delay(self, now: float) -> float:
        """Return the seconds to wait before one more message may be sent."""
        if self._rate <= 0:
            return 0.0
        self._refill(now)
        return max(0.0, (1.0 - self._tokens) / self._rate)

    def spend(self, now: float) -> None:
        """Count one message that is sent."""
        self._refill(now)
        self._tokens -= 1.0

    def _refill(self, now: float) -> None:
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
