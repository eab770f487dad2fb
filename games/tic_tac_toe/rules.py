"""The rules of tic-tac-toe as an m,n,k-game: seats mark cells in turn, k in a row wins.

Theory of operation
-------------------
Cells are numbered row by row from the top left, and the action is the cell. The marks of each
seat are a Python int with one bit for each cell. The grid lists the winning lines through each
cell, so a move checks only the lines through its own cell. The seat to move follows from the
number of marks, those of the opening included.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, Self

from doublecross.games.api import (
    BadOpening,
    Geometry,
    IllegalAction,
    Openings,
    Parameter,
)
from doublecross.games.drawing import letters, sign_row
from doublecross.games.in_a_row import InARowGame, InARowState, default_length
from doublecross.games.tic_tac_toe.grid import Grid, grid
from doublecross.games.tic_tac_toe.openings import find_openings

_NAME: Final = re.compile(r"([a-z])([1-9][0-9]?)", re.ASCII)
_NUMBER: Final = re.compile(r"[0-9]{1,4}", re.ASCII)


class TicTacToe(InARowGame):
    """Tic-tac-toe on rows x columns cells with `line` in a row to win; a full board is a draw."""

    key = "tic-tac-toe"
    title = "Tic-tac-toe"
    parameters = (
        Parameter("rows", "Rows", 1, 10, 3),
        Parameter("cols", "Columns", 1, 10, 3),
        Parameter("line", "Marks in a row to win", 3, 10, 3),
    )
    seat_names = ("X", "O")

    def __init__(self, params: Mapping[str, int] | None = None) -> None:
        super().__init__(params)
        self.grid: Grid = grid(self.params["rows"], self.params["cols"], self.params["line"])

    @property
    def num_actions(self) -> int:
        """The number of cells."""
        return self.grid.num_cells

    @property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The images of all cells under each symmetry."""
        return self.grid.symmetries

    def geometry(self) -> Geometry:
        """Return the cells with their corners; each is the region of its action."""
        return self.grid.geometry

    def initial_state(self, opening: Sequence[int] = ()) -> TicTacToeState:
        """Return a new state after the marks of `opening`, made in turn from seat 0.

        Raises:
            BadOpening: `opening` has an unknown or repeated cell, wins, or leaves no cell.
        """
        return TicTacToeState(self, tuple(opening))

    def openings(self, rng: Random, n: int, length: int | None = None) -> Openings:
        """Return `n` openings of `length` marks after which no seat is one mark from a line.

        Raises:
            BadParameter: `n` or `length` is below zero, `length` exceeds the board, or openings of
                that length are too rare to find.
        """
        if length is None:
            length = default_length(self.grid.num_cells)
        return find_openings(self.grid, rng, n, length)

    def action_name(self, action: int) -> str:
        """Return column letter (from the left) and row number (from the bottom), such as ``b2``.

        Raises:
            IllegalAction: no such cell on this board.
        """
        if not self.grid.has(action):
            raise IllegalAction(f"{action!r} is not a cell of {self.title} {self.size}.")
        row, col = divmod(action, self.grid.cols)
        return f"{chr(ord('a') + col)}{self.grid.rows - row}"

    def parse_action(self, text: str) -> int:
        """Return the cell that a name, in either case, or a plain number stands for.

        Raises:
            IllegalAction: no such cell on this board.
        """
        word = text.strip().lower()
        if _NUMBER.fullmatch(word) and int(word) < self.grid.num_cells:
            return int(word)
        if match := _NAME.fullmatch(word):
            col = ord(match[1]) - ord("a")
            row = self.grid.rows - int(match[2])
            if col < self.grid.cols and row >= 0:
                return row * self.grid.cols + col
        raise IllegalAction(f"{text!r} is not a cell of {self.title} {self.size}.")


class TicTacToeState(InARowState):
    """One position of tic-tac-toe, with its history."""

    __slots__ = ("_grid", "_marks")

    def __init__(self, game: TicTacToe, opening: tuple[int, ...] = ()) -> None:
        super().__init__(game, opening)
        self._grid = game.grid
        self._marks = [0, 0]
        self._winner = -1
        for turn, cell in enumerate(opening):
            if not self._grid.has(cell):
                raise BadOpening(f"The opening has {cell!r}, which is not a cell of {game.size}.")
            if (self._marks[0] | self._marks[1]) >> cell & 1:
                raise BadOpening(f"The opening marks cell {game.action_name(cell)} twice.")
            self._marks[turn % 2] |= 1 << cell
            if self._grid.completes(self._marks[turn % 2], cell):
                raise BadOpening(f"The opening already wins with {game.action_name(cell)}.")
        if len(opening) == self._grid.num_cells:
            raise BadOpening("The opening marks every cell and leaves nothing to play.")

    @property
    def grid(self) -> Grid:
        """The tables of the board."""
        return self._grid

    @property
    def marks(self) -> tuple[int, int]:
        """The set of cells marked by each seat, opening included: bit i for cell i."""
        return self._marks[0], self._marks[1]

    def legal_actions(self) -> list[int]:
        """Return the empty cells, ascending; none once a line is complete."""
        if self._winner >= 0:
            return []
        taken = self._marks[0] | self._marks[1]
        return [cell for cell in range(self._grid.num_cells) if not taken >> cell & 1]

    def is_legal(self, action: int) -> bool:
        """Return whether `action` is an empty cell and no line is complete."""
        return (
            self._winner < 0
            and self._grid.has(action)
            and not (self._marks[0] | self._marks[1]) >> action & 1
        )

    def apply(self, action: int) -> None:
        """Mark the cell `action` for the mover.

        Raises:
            IllegalAction: there is no such cell, it is marked already, or the game is over.
        """
        if not self._grid.has(action):
            raise IllegalAction(
                f"{action!r} is not a cell of {self._game.title} {self._game.size}."
            )
        bit = 1 << action
        if (self._marks[0] | self._marks[1]) & bit:
            raise IllegalAction(f"Cell {self._game.action_name(action)} is marked already.")
        if self._winner >= 0:
            raise IllegalAction("The game is over.")
        turn = self._turn()
        self._marks[turn] |= bit
        self._history.append(action)
        if self._grid.completes(self._marks[turn], action):
            self._winner = turn

    def _take_back(self, action: int) -> None:
        """Remove the mark in the cell `action`."""
        self._marks[self._turn()] ^= 1 << action
        self._winner = -1

    def is_terminal(self) -> bool:
        """Return whether a line is complete or the board is full."""
        return self._winner >= 0 or (self._marks[0] | self._marks[1]) == self._grid.full

    def owners(self) -> tuple[int, ...]:
        """Return the seat that marked each cell, or -1 for an empty cell."""
        first, second = self._marks
        return tuple(
            0 if first >> cell & 1 else 1 if second >> cell & 1 else -1
            for cell in range(self._grid.num_cells)
        )

    def winning_cells(self) -> tuple[int, ...]:
        """Return the cells of every complete line, ascending."""
        if self._winner < 0:
            return ()
        won = self._grid.completed_by(self._marks[self._winner], self._history[-1])
        return tuple(cell for cell in range(self._grid.num_cells) if won >> cell & 1)

    def clone(self) -> Self:
        """Return an independent copy, history included."""
        copy = super().clone()
        copy._grid = self._grid
        copy._marks = self._marks.copy()
        return copy

    def key(self) -> tuple[int, ...]:
        """Return (seat to move, marks of seat 0, marks of seat 1); the scores follow from them."""
        return (self.current_player(), *self._marks)

    def to_ascii(self, mark_last: bool = False) -> str:
        """Return the cells with their coordinates, ``.`` for an empty one.

        `mark_last` puts the last mark in brackets.
        """
        last = self._history[-1] if mark_last and self._history else -1
        owners = self.owners()
        rows, cols = self._grid.rows, self._grid.cols
        lines = ["  " + sign_row(letters(cols))]
        for row in range(rows):
            signs = ["XO."[owner] for owner in owners[row * cols : (row + 1) * cols]]
            marked = last - row * cols if last >= row * cols else -1
            lines.append(f"{rows - row:2}{sign_row(signs, marked)}")
        return "\n".join(lines)
