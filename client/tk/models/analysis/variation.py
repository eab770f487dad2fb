"""Play out a variation, which was not played: the moves shown, and where they left the game."""

from __future__ import annotations

from doublecross.client.language import tr


class ShownVariation:
    """The variation `moves` from the position after `base` moves of a game; one is shown at first.

    `instead` is the number of the move in the game that the variation replaces.
    """

    def __init__(self, base: int, moves: tuple[int, ...]) -> None:
        if not moves:
            raise ValueError("a variation has at least one move")
        self.base = base
        self.moves = moves
        self._shown = 1

    @property
    def instead(self) -> int:
        """The number of the move that the variation replaces, from 1."""
        return self.base + 1

    @property
    def shown(self) -> tuple[int, ...]:
        """The moves of the variation that are on the board."""
        return self.moves[: self._shown]

    @property
    def place(self) -> str:
        """The place in the variation: ``2 of 5``."""
        return tr("{number} of {total}", number=self._shown, total=len(self.moves))

    def step(self, by: int) -> bool:
        """Show `by` more moves, or fewer if negative.

        Return false when this leads back in front of the variation.
        """
        self._shown = min(max(0, self._shown + by), len(self.moves))
        return self._shown > 0
