"""List the moves of positions on one board with the exact solver, for judges and teachers."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from doublecross.bots.search.bits import U
from doublecross.bots.search.chance import seeded
from doublecross.bots.search.exact.layout import FULL_H, FULL_V
from doublecross.bots.search.exact.solver import Solver
from doublecross.bots.training.labelling import (
    find_value,
    list_all_moves,
    new_row,
    play_at_random,
    value_moves,
)
from doublecross.games.dots_and_boxes.board import Board

Words = tuple[Any, Any]
"""The free edges of a position: the words H and V of `doublecross.bots.search.exact.layout`."""
ENOUGH: Final = 1 << 40
"""More nodes than any search here takes."""


def typed(words: Words) -> Words:
    """Return the words with the type that the kernels take."""
    return U(words[0]), U(words[1])


class BoardTools:
    """The tools for games on one board: a solver, and the moves of the current position in `row`.

    `judge` has a row of its own.
    """

    def __init__(self, board: Board, memory_mb: float = 64.0) -> None:
        self.board = board
        self.solver = Solver(board, memory_mb)
        self.solver.table = self.solver.whole
        self.row = new_row(board.num_edges)
        masks = self.solver.tables.masks
        self.empty: Words = (masks[FULL_H], masks[FULL_V])

    def moves(self, words: Words) -> tuple[Words, int, int]:
        """List the moves of a position in `row`; see `list_all_moves`.

        Returns the position to which they belong, their number, and the value without junctions.
        """
        h, v, count, value = list_all_moves(
            *typed(words), self.row, self.solver.stack, self.solver.tables
        )
        return (h, v), int(count), int(value)

    def judge(self, words: Words, count: int) -> int:
        """Put the exact values of the moves in `row` into the row, and return the best."""
        solver = self.solver
        best, _ = value_moves(
            *typed(words), count, ENOUGH, self.row, solver.stack, solver.table, solver.tables
        )
        return int(best)

    def value(self, words: Words) -> int:
        """Return the exact value of a position for the player to move."""
        solver = self.solver
        value, _ = find_value(*typed(words), 0, ENOUGH, solver.stack, solver.table, solver.tables)
        return int(value)

    def start(self, free: int, rng: Random) -> Words:
        """Return a random position with at most `free` free edges, and a junction."""
        random = seeded(rng)
        while True:
            slope = rng.choice((0.0, 0.05, 0.2))
            h, v = play_at_random(
                *typed(self.empty), free, slope, self.row, random, self.solver.stack,
                self.solver.tables,
            )  # fmt: skip
            if h or v:
                return h, v

    def after(self, words: Words, move: int) -> Words:
        """Return the position after a move in `row` and all captures."""
        h, v = typed(words)
        return h & ~self.row.move_h[move], v & ~self.row.move_v[move]
