"""The teacher `labels`: exact values of all moves, for the positions of one game after another.

Theory of operation
-------------------
A game begins with random play from the empty board to a number of free edges: mostly safe edges,
and openings as often as chance says. From there on the exact search values every move of each
position, and the position becomes a sample. The game continues with a best move, or now and then
with any move, until no junction is left; then the closed form gives the value.

The moves are those of the exact search. The target of the policy is a distribution over these
moves: the weight of a move falls with its *regret*, the value of the position minus that of the
move. The target of the score is the value. The target of the ownership follows from the rest of the
game if all its moves were best: who takes the boxes of each opening, and at the end the share of
the remaining boxes that the value gives to the player to move.

Positions far from the end cost most, but those after them are in the transposition table by then.
A position that takes more than a number of nodes is left out, and the game continues at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from doublecross.bots.search.bits import ONE, U
from doublecross.bots.search.chance import seeded
from doublecross.bots.search.exact.layout import FULL_H, FULL_V, layout
from doublecross.bots.search.exact.solver import Solver
from doublecross.bots.search.jit import warm_up
from doublecross.bots.training.labelling import (
    LabelRows,
    label_game,
    new_row,
    places_of,
    play_at_random,
)
from doublecross.bots.training.settings import FEWEST_LABEL_EDGES, LABEL_EDGES
from doublecross.bots.training.teachers.samples import Samples
from doublecross.bots.zero.net import SPAN
from doublecross.games.dots_and_boxes.board import Board, board

SHARPNESS: Final = 1.0
"""By how much the logarithm of a move's weight falls with each box of regret."""
_NODES: Final = 300_000
"""The most nodes for a position; if it takes more, the game continues at random."""
_SLOPES: Final = (0.0, 0.05, 0.2, 0.5)
"""How often a game opens a region before its labels begin; a game draws one of them."""
_MISTAKES: Final = (0.0, 0.1, 0.3)
"""How often a labelled game continues with any move; a game draws one of them."""


@dataclass(frozen=True, slots=True)
class LabelRange:
    """The start of the labels of a size: at `least` to `most` free edges, both included.

    A position may cost `nodes` nodes.
    """

    least: int
    most: int
    nodes: int


def range_of(board: Board, label_edges: int = LABEL_EDGES) -> LabelRange:
    """Return the range of a size: everything on small boards, on others up to `label_edges`.

    Boards up to 3x3 are solved from the first move within milliseconds. On others the time for a
    game grows with each free edge at its beginning, most on small boards. On 4x4 one core makes 470
    labels a second from 28 free edges, 350 from 30 and 40 from 32; on 5x5 1,390, 950 and 315; on
    7x7 some thousands. More than three quarters of the edges are free only if that is 28 or fewer.
    """
    edges = board.num_edges
    if edges <= 24:
        return LabelRange(6, edges, _NODES)
    most = max(LABEL_EDGES, 3 * edges // 4)
    return LabelRange(FEWEST_LABEL_EDGES, min(most, label_edges), _NODES)


class Labeller:
    """Makes samples of one size with the exact search."""

    def __init__(self, board: Board, memory_mb: float = 64.0) -> None:
        self.board = board
        self._solver = Solver(board, memory_mb)
        self._solver.table = self._solver.whole
        self.places = places_of(board)
        edges, boxes = board.num_edges, board.num_boxes
        self.row = new_row(edges)
        self._rows = LabelRows(
            np.zeros((edges, 2), np.uint64),
            np.zeros((edges, edges), np.float32),
            np.zeros((edges, edges), np.uint8),
            np.zeros(edges, np.int64),
            np.zeros((edges, boxes), np.float32),
            np.zeros(edges, np.uint8),
            np.zeros((edges, 4), np.int64),
        )

    def make(self, count: int, seed: int | str, within: LabelRange | None = None) -> Samples:
        """Return at least `count` samples: whole games until there are so many."""
        rng = Random(seed)
        random = seeded(rng)
        within = within or range_of(self.board)
        solver, rows, row = self._solver, self._rows, self.row
        masks = solver.tables.masks
        parts: list[Samples] = []
        have = 0
        while have < count:
            free = rng.randint(within.least, within.most)
            slope, mistakes = rng.choice(_SLOPES), rng.choice(_MISTAKES)
            h, v = play_at_random(
                masks[FULL_H], masks[FULL_V], free, slope, row, random, solver.stack, solver.tables
            )
            if not (h or v):
                continue
            n = label_game(
                U(h), U(v), mistakes, SHARPNESS, within.nodes, row, rows, self.places, random,
                solver.stack, solver.table, solver.tables,
            )  # fmt: skip
            if n:
                parts.append(self._samples(n))
                have += n
        return Samples.join(parts)

    def _samples(self, n: int) -> Samples:
        rows = self._rows
        place = np.array(layout(self.board).place)
        words = rows.words[:n][:, place[:, 0]]
        free = (words >> place[None, :, 1].astype(np.uint64)) & ONE
        return Samples(
            drawn=free == 0,
            policy=np.rint(255 * rows.policy[:n]).astype(np.uint8),
            legal=rows.legal[:n].astype(bool),
            score=np.clip(rows.value[:n], -SPAN, SPAN).astype(np.int8),
            ownership=np.rint(255 * rows.ownership[:n]).astype(np.uint8),
            owned=rows.owned[:n].astype(bool),
        )


def prepare_labels() -> None:
    """Compile the kernels of the teacher; this takes time only once on each machine."""
    warm_up("labels", lambda: Labeller(board(2, 2), 1).make(1, 0))
