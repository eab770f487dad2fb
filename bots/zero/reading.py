"""Read the priors that a network gives the edges of a position of Dots and Boxes."""

from __future__ import annotations

from random import Random

from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.exact.layout import free_twin
from doublecross.bots.zero.net import Evaluator
from doublecross.bots.zero.search import ZeroSearch
from doublecross.games.dots_and_boxes.board import Board


def read_priors(board: Board, net: Evaluator, edges: int) -> dict[int, float]:
    """Return the prior of the move that each free edge belongs to, after all captures.

    `edges` are the drawn edges of a position that is not over. Edges of moves that cannot matter
    are missing. There are no priors if no junction is left: then no network is asked in play.
    """
    edges = closure(board, edges).edges
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
