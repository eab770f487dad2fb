"""A plan of challenges: which games one bot is to play against another, each exactly once.

The idempotency key of a game follows from the plan's id, the number of the game and the number
of the try. So whoever carries the plan out again, after whatever was cut off, is led by the
server to the game that there is already instead of to a second one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from protocol.common import MatchSettings


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game: its settings, opening included, and the seat of the challenger."""

    settings: MatchSettings
    seat: int


@dataclass(frozen=True, slots=True)
class ChallengePlan:
    """Games against `opponent`, `at_once` at a time. `plan_id` is new for each plan: up to 40
    printable characters. `patience_s` is how long, in seconds, the opponent may be away or
    refuse before the plan is given up; `tries` how often a game is played again that ended
    without a result (aborted or void)."""

    plan_id: str
    opponent: str
    games: tuple[PlannedGame, ...]
    at_once: int = 1
    patience_s: float = 60.0
    tries: int = 3

    def __post_init__(self) -> None:
        if not (0 < len(self.plan_id) <= 40 and self.plan_id.isascii()) or " " in self.plan_id:
            raise ValueError("The id of a plan has 1 to 40 printable characters and no space.")
        if self.at_once < 1 or self.tries < 1:
            raise ValueError("A plan plays at least one game at once and tries each at least once.")

    @classmethod
    def pairs(
        cls,
        plan_id: str,
        opponent: str,
        settings: MatchSettings,
        openings: Iterable[tuple[int, ...]],
        *,
        at_once: int = 1,
    ) -> Self:
        """Two games from each opening, the challenger in seat 0 and then in seat 1."""
        games = tuple(
            PlannedGame(settings.model_copy(update={"opening": tuple(opening)}), seat)
            for opening in openings
            for seat in (0, 1)
        )
        return cls(plan_id, opponent, games, at_once)

    def key(self, index: int, attempt: int) -> str:
        """The idempotency key of game `index` (from 0) at try `attempt` (from 0)."""
        return f"{self.plan_id}.{index}" + (f".{attempt}" if attempt else "")
