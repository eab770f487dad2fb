"""Estimate how many moves are left until the engine can solve a position.

This imports no kernels, because the process that keeps a bot's connection uses it too.
"""

from __future__ import annotations

from typing import Final

from games.api import State
from games.dots_and_boxes.rules import DotsAndBoxesState

_SOLVED: Final = 36
"""The number of free edges from which the exact value usually takes a fraction of a second."""
_LARGE: Final = 0.55
"""On large boards this share of the edges: nearly half of them are drawn when no edge is safe."""


def moves_to_solve(state: State) -> int | None:
    """Return the mover's number of moves until the engine can solve the position, at least 1.

    Return None if the engine does not search this game.
    """
    if isinstance(state, DotsAndBoxesState):
        solved = max(_SOLVED, int(_LARGE * state.board.num_edges))
        return max(1, (len(state.legal_actions()) - solved) // 2)
    return None
