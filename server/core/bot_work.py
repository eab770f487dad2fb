"""What a bot did in its finished games, and the interface of the storage for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

ERRORS: Final = ("timeout", "illegal", "crash")
"""The terminations that the loser's own error has caused."""


@dataclass(frozen=True, slots=True)
class BotGames:
    """The finished games of a bot: all with a result, and those lost by an error of its own.

    `errors` counts these by their termination. `moves` are its moves, `thought_ms` its time for
    all of them and `longest_ms` that for one.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    errors: Mapping[str, int] = field(default_factory=dict)
    moves: int = 0
    thought_ms: int = 0
    longest_ms: int = 0

    @property
    def games(self) -> int:
        """The number of games with a result."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """The points: 1 for a win, half for a draw."""
        return self.won + self.drawn / 2


@dataclass(frozen=True, slots=True)
class Failure:
    """A game that a bot lost by an error of its own; `record` says why in its header Reason.

    `code` is the join code of a private room. `output` is what the bot had written.
    """

    game_id: str
    finished_ms: int
    opponent: str
    game: str
    size: str
    termination: str
    record: str
    code: str | None
    output: str | None


class BotWorkStore(Protocol):
    """Read what bots did. All methods raise `StoreError` when the database fails."""

    async def games(self, names: Collection[str], since_ms: int = 0) -> Mapping[str, BotGames]:
        """Return the games of these bots since some date, by name."""

    async def failures(self, name: str, limit: int) -> Sequence[Failure]:
        """Return the newest games that a bot lost by an error."""
