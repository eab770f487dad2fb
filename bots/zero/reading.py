"""Read what a network says about one position of Dots and Boxes, without a search."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np

from doublecross.bots.search.exact.closure import boxes_left, closure
from doublecross.bots.search.exact.layout import free_twin
from doublecross.bots.zero.net import Evaluator
from doublecross.bots.zero.planes import box_cells, encode
from doublecross.bots.zero.search import ZeroSearch
from doublecross.games.dots_and_boxes.board import Board


@dataclass(frozen=True, slots=True)
class Reading:
    """A network's view of a position, for the player to move after all captures.

    `edges` are the drawn edges of that position. `priors` has the prior of the move that each free
    edge belongs to; edges of moves that cannot matter are missing. It is empty if the position has
    no junction: then no network is asked in play. `scores` has the probability of each net score
    from here on, and `owners` that of getting each box that is left.
    """

    edges: int
    priors: dict[int, float]
    scores: dict[int, float]
    owners: dict[int, float]

    @property
    def mean(self) -> float:
        """The expected net score from here on."""
        return sum(score * share for score, share in self.scores.items())


def read(board: Board, net: Evaluator, edges: int) -> Reading:
    """Return what `net` says about the position with the drawn `edges`, which is not over."""
    edges = closure(board, edges).edges
    left = boxes_left(board, edges)
    seen = net.evaluate(encode(board, edges)[None])
    logits = seen.score[0].astype(np.float64)
    scores = np.arange(len(logits)) - net.span
    # As in the search: impossible scores have no share, and the last one stands for larger ones.
    possible = (abs(scores) <= left) & (((scores - left) % 2 == 0) | (abs(scores) == net.span))
    shares = np.exp(logits - logits[possible].max()) * possible
    shares /= shares.sum()
    chances = 1 / (1 + np.exp(-seen.ownership[0].reshape(-1)[box_cells(board)].astype(np.float64)))
    masks = enumerate(board.box_masks)
    return Reading(
        edges,
        _priors(board, net, edges),
        {int(x): float(p) for x, p in zip(scores, shares, strict=True) if p > 0},
        {box: float(chances[box]) for box, mask in masks if edges & mask != mask},
    )


def _priors(board: Board, net: Evaluator, edges: int) -> dict[int, float]:
    """Return the prior of the move of each edge."""
    if edges == board.full:
        return {}
    search = ZeroSearch(board, net, Random(0), exact=False, memory_mb=1)
    found = search.run(edges, 0, 1, gumbel=False)
    priors: dict[int, float] = {}
    for move, prior in zip(found.moves, found.priors, strict=True):
        for edge in move.edges:
            # The search may have exchanged a free edge with an equivalent one that is drawn.
            free = free_twin(board, edges, edge) if edges >> edge & 1 else edge
            priors[free] = float(prior)
    return priors
