"""Estimate how many moves are left until the engine can solve a position.

This imports no kernels, because the process that keeps a bot's connection uses it too.
"""

from __future__ import annotations

from typing import Final

from bots.search.exact.size import fits
from games.api import State
from games.dots_and_boxes.rules import DotsAndBoxesState

_SOLVED: Final = 36
"""The number of free edges from which the exact value usually takes a fraction of a second."""


def moves_to_solve(state: State) -> int | None:
    """Return the mover's number of moves until the engine can solve the position, at least 1.

    Return None if the engine does not search this game or a board of this size.
    """
    if isinstance(state, DotsAndBoxesState) and fits(state.board):
        return max(1, (len(state.legal_actions()) - _SOLVED) // 2)
    return None
