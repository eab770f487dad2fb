"""Remember whom a bot has played, and who has declined its challenges."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

_DAY: Final = timedelta(days=1)


class Ledger:
    """The games of the last 24 hours and the last declined challenge of each player.

    `quiet_since` is when the last game began or the last challenge was sent; before that it is
    the beginning of the ledger. `changed` is called when `text` has changed.
    """

    def __init__(self, now: datetime, changed: Callable[[], None] = lambda: None) -> None:
        self.quiet_since = now
        self._changed = changed
        self._begun: dict[str, tuple[datetime, str]] = {}
        """By game, the earliest first."""
        self._declined: dict[str, datetime] = {}

    @property
    def text(self) -> str:
        """All that the next run of the bot needs."""
        begun = {game: [then.isoformat(), other] for game, (then, other) in self._begun.items()}
        declined = {player: then.isoformat() for player, then in self._declined.items()}
        return json.dumps({"begun": begun, "declined": declined})

    def read(self, text: str) -> None:
        """Take over the `text` of an earlier run.

        Raises:
            ValueError: it is malformed; nothing has changed.
        """
        try:
            kept, at = json.loads(text), datetime.fromisoformat
            begun = {game: (at(then), str(other)) for game, (then, other) in kept["begun"].items()}
            declined = {player: at(then) for player, then in kept["declined"].items()}
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"malformed: {error!r}") from None
        self._begun, self._declined = begun, declined

    def begin(self, game: str, player: str, now: datetime) -> None:
        """Note that a game against `player` has begun, unless it is known."""
        if game in self._begun:
            return
        self.quiet_since = now
        last_day = {game: entry for game, entry in self._begun.items() if entry[0] > now - _DAY}
        self._begun = {**last_day, game: (now, player)}
        self._changed()

    def decline(self, player: str, now: datetime) -> None:
        """Note that `player` has declined a challenge, or has not answered it."""
        self._declined[player] = now
        self._changed()

    def games_of_day(self, player: str, now: datetime) -> int:
        """Return how many games against `player` have begun in the last 24 hours."""
        return sum(other == player and now - then < _DAY for then, other in self._begun.values())

    def has_declined(self, player: str, now: datetime, hours: float) -> bool:
        """Return whether `player` has declined a challenge in the last `hours` hours."""
        then = self._declined.get(player)
        return then is not None and now - then < timedelta(hours=hours)
