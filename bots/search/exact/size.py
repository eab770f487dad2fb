"""Say which boards the exact search can handle, without importing it."""

from __future__ import annotations

from typing import Final

from games.dots_and_boxes.board import Board

_DOTS: Final = 64
"""The bits of a word, one for each dot."""


def fits(board: Board) -> bool:
    """Return whether the board has at most 64 dots."""
    return (board.rows + 1) * (board.cols + 1) <= _DOTS
