"""Share the rules of games that a line of `line` pieces on a grid wins; a full board is a draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from doublecross.games.api import BadParameter, Cell, Game, State


class InARowGame(Game):
    """Rules with the parameters `rows`, `cols` and `line`, the length of a winning line."""

    @classmethod
    def check_params(cls, params: Mapping[str, int]) -> dict[str, int]:
        """Return `params` completed by the defaults.

        Raises:
            BadParameter: a name is unknown, a value is not a whole number or out of range, or the
                line does not fit on the board.
        """
        whole = super().check_params(params)
        if whole["line"] > max(whole["rows"], whole["cols"]):
            raise BadParameter(
                f"A line of {whole['line']} does not fit on {whole['rows']}x{whole['cols']} cells."
            )
        return whole

    @property
    def max_game_length(self) -> int:
        """The number of cells: each gets one piece."""
        return self.params["rows"] * self.params["cols"]


class InARowState(State):
    """A position in which the seats place pieces in turn.

    A subclass sets `_winner` to -1 first, and to the seat that completes a line.
    """

    __slots__ = ("_winner",)

    _winner: int

    def _turn(self) -> int:
        """Return the seat that places the next piece; pieces of the opening count."""
        return (len(self._opening) + len(self._history)) % 2

    def current_player(self) -> int:
        """Return the seat to move, or -1 when a line is complete or the board is full."""
        return -1 if self.is_terminal() else self._turn()

    def scores(self) -> tuple[int, int]:
        """Return 1 for the seat with a complete line, 0 for the others."""
        return int(self._winner == 0), int(self._winner == 1)

    def returns(self) -> tuple[float, float]:
        """Return (1, -1) or (-1, 1) for a complete line, (0, 0) otherwise."""
        if self._winner < 0:
            return 0.0, 0.0
        return (1.0, -1.0) if self._winner == 0 else (-1.0, 1.0)

    def clone(self) -> Self:
        """Return an independent copy, history included."""
        copy = super().clone()
        copy._winner = self._winner
        return copy


def default_length(num_cells: int) -> int:
    """Return the default length of an opening: 2 pieces on small boards, 4 from 25 cells on.

    Both numbers are even, so both seats have the same number of pieces and seat 0 moves.
    """
    return 2 if num_cells < 25 else 4


def square_cells(rows: int, cols: int) -> tuple[tuple[tuple[int, int], ...], tuple[Cell, ...]]:
    """Return the points and the cells of a grid of unit squares, both row by row."""
    across = cols + 1
    points = tuple((x, y) for y in range(rows + 1) for x in range(across))
    cells = []
    for cell in range(rows * cols):
        corner = cell // cols * across + cell % cols
        cells.append(Cell(cell, (corner, corner + 1, corner + across + 1, corner + across)))
    return points, tuple(cells)
