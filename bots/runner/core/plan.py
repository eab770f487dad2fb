"""A plan of challenges: the games that a bot plays against one opponent, each exactly once.

The idempotency key of a game consists of the plan's id, the number of the game and the number of
the attempt. A runner that carries the same plan out again, after a lost connection or a crash,
sends the same keys. The server then answers with the existing game and does not begin a second one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from doublecross.protocol.common import MatchSettings


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game of a plan: its settings, opening included, and the seat of the challenger."""

    settings: MatchSettings
    seat: int


@dataclass(frozen=True, slots=True)
class ChallengePlan:
    """Games against `opponent`, `at_once` at a time.

    `plan_id` is unique to the plan and has up to 40 printable characters. `patience_s` is how long,
    in seconds, the opponent may be away or refuse before the plan fails. `tries` is how many times
    a game is played at most, if it ends without a result (aborted or void).

    Raises:
        ValueError: the id is malformed, or `at_once` or `tries` is below one.
    """

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
            raise ValueError("A plan needs at_once and tries of at least 1.")

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
        """Make a plan of two games for each opening, the challenger in seat 0, then in seat 1."""
        games = tuple(
            PlannedGame(settings.model_copy(update={"opening": tuple(opening)}), seat)
            for opening in openings
            for seat in (0, 1)
        )
        return cls(plan_id, opponent, games, at_once)

    def key(self, index: int, attempt: int) -> str:
        """Return the idempotency key of game `index` (from 0) at attempt `attempt` (from 0)."""
        return f"{self.plan_id}.{index}" + (f".{attempt}" if attempt else "")
