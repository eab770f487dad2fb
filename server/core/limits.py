"""What one peer may ask for: a token bucket for messages, and bounds on what it may create."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """Bounds of the server. `messages_per_s` is sustained, `burst` on top of it; an answer costs
    as much as one more message for each KiB. `offences` is how many malformed or excess messages
    a connection may have on its account before it is closed; `offences_per_s` are forgiven."""

    messages_per_s: float = 500.0
    burst: int = 500
    offences: int = 200
    offences_per_s: float = 2.0
    rooms: int = 20_000
    rooms_per_player: int = 256
    offers_per_player: int = 64
    followed_rooms: int = 1024


class TokenBucket:
    """How many messages a peer may send now; time is data, in seconds."""

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._tokens = float(burst)
        self._at = now

    def take(self, now: float) -> bool:
        """Whether one more message is within the rate; if so, it is counted."""
        tokens = self._tokens + (now - self._at) * self._rate
        self._at = now
        if tokens > self._burst:
            tokens = self._burst
        if tokens < 1.0:
            self._tokens = tokens
            return False
        self._tokens = tokens - 1.0
        return True

    def charge(self, tokens: float) -> None:
        """Take that many more, whether or not they are there; a debt has to be refilled first."""
        self._tokens -= tokens
