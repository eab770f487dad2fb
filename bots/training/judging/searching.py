"""A player for the games of `bots.training.judging.games` that searches as the bot `zero` does."""

from __future__ import annotations

from random import Random

from bots.search.exact.layout import layout
from bots.training.judging.games import Desk, Words
from bots.training.teachers.selfplay import drawn_edges
from bots.zero.net import Evaluator
from bots.zero.search import ZeroSearch
from games.dots_and_boxes.board import Board


class SearchPlayer:
    """Searches each position with `simulations` simulations; `exact` lets the solver help."""

    def __init__(
        self, board: Board, net: Evaluator, simulations: int, rng: Random, *, exact: bool = True
    ) -> None:
        self._search = ZeroSearch(board, net, rng, exact=exact)
        self._simulations = simulations

    def choose(self, desk: Desk, words: Words, count: int, net: int) -> int:
        """Return the best move that the search finds."""
        board = desk.board
        edges = drawn_edges(board, words)
        found = self._search.run(edges, net, self._simulations, gumbel=False)
        place = layout(board).place[found.edge]
        desk.moves(words)
        uses = [
            move
            for move in range(count)
            if int((desk.row.move_v if place[0] else desk.row.move_h)[move]) >> place[1] & 1
        ]
        # An opening behind a junction may share edges with another one; the smaller is meant.
        return min(uses, key=lambda move: int(desk.row.takes[move]))

    def declines(self, desk: Desk, rest: Words, keeps: int) -> bool:
        """Return whether declining is better."""
        rest, count, value = desk.moves(rest)
        if not count:
            return value < -keeps
        edges = drawn_edges(desk.board, rest)
        found = self._search.run(edges, 0, self._simulations, gumbel=False)
        return found.score < -keeps
