"""Estimate how many moves are left until the engine can solve a position.

This imports no kernels, because the process that keeps a bot's connection uses it too.
"""

from __future__ import annotations

from typing import Final

from doublecross.games.api import State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

_SOLVED: Final = 36
"""The number of free edges from which the exact value usually takes a fraction of a second."""
_LATE: Final = 11
"""So many edges before that, the exact search can already test moves, and more time helps most."""
_WEIGHT: Final = 3
"""A move in this phase gets so many times the time of an earlier one."""
_LARGE: Final = 0.55
"""On large boards this share of the edges: nearly half of them are drawn when no edge is safe."""


def moves_to_solve(state: State) -> int | None:
    """Return by what the mover's clock is to be divided until the engine can solve, at least 1.

    That is the mover's number of moves until then, of which the late ones count more on small
    boards. Return None if the engine does not search this game.
    """
    if isinstance(state, DotsAndBoxesState):
        solved = max(_SOLVED, int(_LARGE * state.board.num_edges))
        before = max(0, len(state.legal_actions()) - solved)
        late = min(before, _LATE) if solved == _SOLVED else 0
        early = before - late
        # Half of the moves are the opponent's.
        return max(1, (early + _WEIGHT * late) // 2 if early else late // 2)
    return None
