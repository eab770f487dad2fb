"""The figures of a player that was compared with best play."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TruthFigures:
    """A player's mean losses against best play, in boxes or points: `lost` in a game.

    `best` is the share of positions with a best move, `loss` what was lost in a position.
    """

    games: int
    lost: float
    positions: int
    best: float
    loss: float

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        return {
            key: round(value, 4) if isinstance(value, float) else value
            for key, value in asdict(self).items()
        }
