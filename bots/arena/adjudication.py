"""End games by their exact value: the result with best play by both from there on."""

from __future__ import annotations

from typing import Final

from doublecross.games.api import Game, State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState

MOST_FREE: Final = 30
"""The most free edges with which a game is adjudicated. The hardest such positions, on boards like
4x4, take the solver two seconds; most take less than a millisecond."""
_MEMORY_MB: Final = 16


def has_values(game: Game) -> bool:
    """Return whether the exact solver plays this game."""
    return isinstance(game, DotsAndBoxes)


def is_due(state: State, most_free: int) -> bool:
    """Return whether a game ends by its exact value: with at most `most_free` free edges."""
    return most_free > 0 and 0 < len(state.legal_actions()) <= most_free


class Adjudicator:
    """Finds the final scores of positions of one game, which `has_values`."""

    def __init__(self, game: Game) -> None:
        from doublecross.bots.search.exact.solver import Solver, prepare

        assert isinstance(game, DotsAndBoxes)
        prepare(game.board)
        self._solver = Solver(game.board, _MEMORY_MB)

    def scores(self, state: State) -> tuple[int, int]:
        """Return the final scores, by seat, if both play best from `state`, which is not over."""
        from doublecross.bots.search.exact.closure import boxes_left

        assert isinstance(state, DotsAndBoxesState)
        net = self._solver.bounds(state.edges).low
        left = boxes_left(self._solver.board, state.edges)
        mover, other = (left + net) // 2, (left - net) // 2
        first, second = state.scores()
        if state.current_player() == 0:
            return first + mover, second + other
        return first + other, second + mover
