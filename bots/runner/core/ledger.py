"""Remember whom a bot has played, and who has declined its challenges."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from pydantic import AwareDatetime, BaseModel, Field

_DAY: Final = timedelta(days=1)


class _Kept(BaseModel):
    """The games that have begun, by id, and when each player has declined."""

    begun: dict[str, tuple[AwareDatetime, str]] = Field(default_factory=dict)
    declined: dict[str, AwareDatetime] = Field(default_factory=dict)


class Ledger:
    """The games of the last 24 hours and the last declined challenge of each player.

    `quiet_since` is when the last game began or the last challenge was sent; before that it is
    the beginning of the ledger. `changed` is called when `text` has changed.
    """

    def __init__(self, now: datetime, changed: Callable[[], None] = lambda: None) -> None:
        self.quiet_since = now
        self._changed = changed
        self._kept = _Kept()

    @property
    def text(self) -> str:
        """All that the next run of the bot needs."""
        return self._kept.model_dump_json()

    def read(self, text: str) -> None:
        """Take over the `text` of an earlier run.

        Raises:
            ValueError: it is malformed; nothing has changed.
        """
        self._kept = _Kept.model_validate_json(text)

    def begin(self, game: str, player: str, now: datetime) -> None:
        """Note that a game against `player` has begun, unless it is known."""
        begun = self._kept.begun
        if game in begun:
            return
        self.quiet_since = now
        last_day = {each: entry for each, entry in begun.items() if entry[0] > now - _DAY}
        self._kept.begun = {**last_day, game: (now, player)}
        self._changed()

    def decline(self, player: str, now: datetime) -> None:
        """Note that `player` has declined a challenge, or has not answered it."""
        self._kept.declined[player] = now
        self._changed()

    def games_of_day(self, player: str, now: datetime) -> int:
        """Return how many games against `player` have begun in the last 24 hours."""
        begun = self._kept.begun.values()
        return sum(other == player and now - then < _DAY for then, other in begun)

    def has_declined(self, player: str, now: datetime, hours: float) -> bool:
        """Return whether `player` has declined a challenge in the last `hours` hours."""
        then = self._kept.declined.get(player)
        return then is not None and now - then < timedelta(hours=hours)
