"""A player for judging networks that searches as the bot `zero` does."""

from __future__ import annotations

from random import Random

from doublecross.bots.training.positions import BoardTools, Words
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

    def choose(self, tools: BoardTools, words: Words, count: int, net: int) -> int:
        """Return the best move that the search finds."""
        board = tools.board
        edges = drawn_edges(board, words)
        found = self._search.run(edges, net, self._simulations, gumbel=False)
        tools.moves(words)
        if not found.moves:
            # The exact search knew the value, and with it a best move.
            best = tools.judge(words, count)
            return next(move for move in range(count) if tools.row.values[move] == best)
        wanted = edges | sum(1 << edge for edge in found.moves[found.chosen].edges)
        return next(
            move for move in range(count) if drawn_edges(board, tools.after(words, move)) == wanted
        )

    def declines(self, tools: BoardTools, rest: Words, keeps: int) -> bool:
        """Return whether declining is better."""
        rest, count, value = tools.moves(rest)
        if not count:
            return value < -keeps
        edges = drawn_edges(tools.board, rest)
        found = self._search.run(edges, 0, self._simulations, gumbel=False)
        return found.score < -keeps
