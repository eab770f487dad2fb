"""The rules of Connect Four: seats drop discs into columns in turn; four in a row wins.

Theory of operation
-------------------
An action is a column, from 0 on the left, as OpenSpiel's ``connect_four`` numbers them. The disc
falls onto those below it, so each column can be played once for each row. The discs of each seat
are a set of bits (see `doublecross.games.connect_four.board`). The seat to move follows from the
number of discs, those of the opening included.
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
from doublecross.games.connect_four.board import ColumnBoard, board
from doublecross.games.connect_four.openings import find_openings
from doublecross.games.drawing import letters, sign_row
from doublecross.games.in_a_row import InARowGame, InARowState, default_length

_NUMBER: Final = re.compile(r"[0-9]{1,4}", re.ASCII)


class ConnectFour(InARowGame):
    """Connect Four on rows x columns cells with `line` in a row to win; a full board is a draw."""

    key = "connect-four"
    title = "Connect Four"
    parameters = (
        Parameter("rows", "Rows", 1, 10, 6),
        Parameter("cols", "Columns", 1, 10, 7),
        Parameter("line", "Discs in a row to win", 3, 10, 4),
    )
    seat_names = ("X", "O")

    def __init__(self, params: Mapping[str, int] | None = None) -> None:
        super().__init__(params)
        self.board: ColumnBoard = board(
            self.params["rows"], self.params["cols"], self.params["line"]
        )

    @property
    def num_actions(self) -> int:
        """The number of columns."""
        return self.board.cols

    @property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The columns from left to right, and from right to left."""
        columns = tuple(range(self.board.cols))
        return columns, columns[::-1]

    def geometry(self) -> Geometry:
        """Return the holes of the board, with the columns as regions."""
        return self.board.geometry

    def initial_state(self, opening: Sequence[int] = ()) -> ConnectFourState:
        """Return a new state after the discs of `opening`, dropped in turn from seat 0.

        Raises:
            BadOpening: `opening` has an unknown or full column, wins, or leaves no cell.
        """
        return ConnectFourState(self, tuple(opening))

    def openings(self, rng: Random, n: int, length: int | None = None) -> Openings:
        """Return `n` openings of `length` discs after which no seat could win with one disc.

        Raises:
            BadParameter: `n` or `length` is below zero, `length` exceeds the board, or openings of
                that length are too rare to find.
        """
        if length is None:
            length = default_length(self.board.num_cells)
        return find_openings(self.board, rng, n, length)

    def action_name(self, action: int) -> str:
        """Return the letter of a column, from ``a`` on the left.

        Raises:
            IllegalAction: no such column on this board.
        """
        if type(action) is not int or not 0 <= action < self.board.cols:
            raise IllegalAction(f"{action!r} is not a column of {self.title} {self.size}.")
        return chr(ord("a") + action)

    def parse_action(self, text: str) -> int:
        """Return the column that a letter, in either case, or a plain number from 0 stands for.

        Raises:
            IllegalAction: no such column on this board.
        """
        word = text.strip().lower()
        names = letters(self.board.cols)
        if word in names:
            return names.index(word)
        if _NUMBER.fullmatch(word) and int(word) < self.board.cols:
            return int(word)
        raise IllegalAction(f"{text!r} is not a column of {self.title} {self.size}.")


class ConnectFourState(InARowState):
    """One position of Connect Four, with its history."""

    __slots__ = ("_board", "_discs", "_heights")

    def __init__(self, game: ConnectFour, opening: tuple[int, ...] = ()) -> None:
        super().__init__(game, opening)
        self._board = game.board
        self._discs = [0, 0]
        self._heights = [0] * game.board.cols
        self._winner = -1
        for turn, col in enumerate(opening):
            if type(col) is not int or not 0 <= col < self._board.cols:
                raise BadOpening(f"The opening has {col!r}, which is not a column of {game.size}.")
            if self._heights[col] == self._board.rows:
                raise BadOpening(f"The opening plays the full column {game.action_name(col)}.")
            self._drop(col, turn % 2)
            if self._winner >= 0:
                raise BadOpening(f"The opening already wins with {game.action_name(col)}.")
        if len(opening) == self._board.num_cells:
            raise BadOpening("The opening fills every cell and leaves nothing to play.")

    def _drop(self, col: int, seat: int) -> None:
        """Drop a disc of `seat` into column `col`, which must have room."""
        self._discs[seat] |= self._board.bit(col, self._heights[col])
        self._heights[col] += 1
        if self._board.has_line(self._discs[seat]):
            self._winner = seat

    def legal_actions(self) -> list[int]:
        """Return the columns with room, ascending; none once a line is complete."""
        if self._winner >= 0:
            return []
        rows = self._board.rows
        return [col for col, height in enumerate(self._heights) if height < rows]

    def is_legal(self, action: int) -> bool:
        """Return whether `action` is a column with room, while no line is complete."""
        return (
            self._winner < 0
            and type(action) is int
            and 0 <= action < self._board.cols
            and self._heights[action] < self._board.rows
        )

    def apply(self, action: int) -> None:
        """Drop a disc of the mover into the column `action`.

        Raises:
            IllegalAction: there is no such column, it is full, or the game is over.
        """
        if not self.is_legal(action):
            raise IllegalAction(self._why_illegal(action))
        self._drop(action, self._turn())
        self._history.append(action)

    def _why_illegal(self, action: int) -> str:
        """Return a sentence that says why `action` is not legal."""
        name = self._game.action_name(action)  # Raises IllegalAction if there is no such column.
        if self._heights[action] == self._board.rows:
            return f"Column {name} is full."
        return "The game is over."

    def _take_back(self, action: int) -> None:
        """Remove the top disc of the column `action`."""
        self._heights[action] -= 1
        self._discs[self._turn()] ^= self._board.bit(action, self._heights[action])
        # A complete line ends the game, so there was none before the last move.
        self._winner = -1

    def is_terminal(self) -> bool:
        """Return whether a line is complete or the board is full."""
        return self._winner >= 0 or len(self._opening) + len(self._history) == self._board.num_cells

    def owners(self) -> tuple[int, ...]:
        """Return the seat whose disc is in each cell, or -1 for an empty cell."""
        first, second = self._discs
        return tuple(
            0 if first & bit else 1 if second & bit else -1 for bit in self._board.cell_bits
        )

    def winning_cells(self) -> tuple[int, ...]:
        """Return the cells of every complete line, ascending."""
        if self._winner < 0:
            return ()
        won = self._board.in_lines(self._discs[self._winner])
        return tuple(cell for cell, bit in enumerate(self._board.cell_bits) if won & bit)

    def clone(self) -> Self:
        """Return an independent copy, history included."""
        copy = super().clone()
        copy._board = self._board
        copy._discs = self._discs.copy()
        copy._heights = self._heights.copy()
        return copy

    def key(self) -> tuple[int, ...]:
        """Return (seat to move, discs of seat 0, discs of seat 1); the scores follow from them."""
        return (self.current_player(), *self._discs)

    def to_ascii(self, mark_last: bool = False) -> str:
        """Return the cells below the letters of the columns, ``.`` for an empty one.

        `mark_last` puts the last disc in brackets.
        """
        last = self._history[-1] if mark_last and self._history else -1
        owners = self.owners()
        rows, cols = self._board.rows, self._board.cols
        top = rows - self._heights[last]
        lines = [sign_row(letters(cols))]
        for row in range(rows):
            signs = ["XO."[owner] for owner in owners[row * cols : (row + 1) * cols]]
            lines.append(sign_row(signs, last if row == top else -1))
        return "\n".join(lines)
