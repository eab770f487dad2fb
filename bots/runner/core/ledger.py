"""Remember whom a bot has played, and who has declined its challenges."""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta
from typing import Final

_DAY: Final = timedelta(days=1)


class Ledger:
    """The games of the last 24 hours and the last declined challenge of each player.

    `quiet_since` is when the last game began or the last challenge was sent; before that it is
    the beginning of the ledger.
    """

    def __init__(self, now: datetime) -> None:
        self.quiet_since = now
        self._begun: deque[tuple[datetime, str]] = deque()
        self._declined: dict[str, datetime] = {}

    def begin(self, player: str, now: datetime) -> None:
        """Note that a game against `player` has begun."""
        self.quiet_since = now
        self._begun.append((now, player))
        while self._begun[0][0] <= now - _DAY:
            self._begun.popleft()

    def decline(self, player: str, now: datetime) -> None:
        """Note that `player` has declined a challenge, or has not answered it."""
        self._declined[player] = now

    def games_of_day(self, player: str, now: datetime) -> int:
        """Return how many games against `player` have begun in the last 24 hours."""
        return sum(other == player and now - then < _DAY for then, other in self._begun)

    def has_declined(self, player: str, now: datetime, hours: float) -> bool:
        """Return whether `player` has declined a challenge in the last `hours` hours."""
        then = self._declined.get(player)
        return then is not None and now - then < timedelta(hours=hours)
