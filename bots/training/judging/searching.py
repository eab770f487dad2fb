"""A player for judging networks that searches as the bot `zero` does."""

from __future__ import annotations

from random import Random

from doublecross.bots.training.positions import Desk, Words
from doublecross.bots.training.teachers.selfplay import drawn_edges
from doublecross.bots.zero.net import Evaluator
from doublecross.bots.zero.search import ZeroSearch
from doublecross.games.dots_and_boxes.board import Board


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
        desk.moves(words)
        if not found.moves:
            # The exact search knew the value, and with it a best move.
            best = desk.judge(words, count)
            return next(move for move in range(count) if desk.row.values[move] == best)
        wanted = edges | sum(1 << edge for edge in found.moves[found.chosen].edges)
        return next(
            move for move in range(count) if drawn_edges(board, desk.after(words, move)) == wanted
        )

    def declines(self, desk: Desk, rest: Words, keeps: int) -> bool:
        """Return whether declining is better."""
        rest, count, value = desk.moves(rest)
        if not count:
            return value < -keeps
        edges = drawn_edges(desk.board, rest)
        found = self._search.run(edges, 0, self._simulations, gumbel=False)
        return found.score < -keeps
