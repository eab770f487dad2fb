"""Estimate positions of Dots and Boxes with the network's search, and follow its pv."""

from __future__ import annotations

import math
from random import Random
from typing import Final, NamedTuple

from doublecross.bots.search.exact.closure import boxes_left, closure
from doublecross.bots.turns import next_stroke
from doublecross.bots.zero.net import Evaluator
from doublecross.bots.zero.search import ZeroSearch
from doublecross.games.dots_and_boxes.board import Board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

ERROR: Final = 0.6
"""The standard error of an estimate is so many times the square root of the boxes left."""
_SEEN: Final = 4
"""A principal variation ends where the search has tried each move less often than this."""


class Guess(NamedTuple):
    """The net score from here on of the player to move, its standard error, and a good edge."""

    net: float
    spread: float
    edge: int


class Guesser:
    """Estimates positions on one board; its tree stays from question to question.

    An estimate is that of the search with the network `net`. Its standard error is `error` times
    the square root of the number of boxes left.
    """

    def __init__(self, board: Board, net: Evaluator, memory_mb: float, error: float) -> None:
        self._board = board
        self._error = error
        self._search = ZeroSearch(board, net, Random(1), memory_mb=memory_mb)
        self._known: dict[tuple[int, int], tuple[int, Guess]] = {}

    def guess(self, state: DotsAndBoxesState, simulations: int) -> Guess:
        """Estimate a position that may be over; a more thorough estimate of it is kept."""
        key = state.edges, _lead(state)
        spent, known = self._known.get(key, (0, None))
        if known is None or spent < simulations:
            known = self._searched(state, simulations)
            self._learn(key, simulations, known)
        return known

    def know(self, state: DotsAndBoxesState, net: float, edge: int) -> None:
        """Keep a value that is proved, and a best edge."""
        self._learn((state.edges, _lead(state)), 1 << 60, Guess(net, 0.0, edge))

    def pv(
        self, state: DotsAndBoxesState, first: int, most: int, simulations: int
    ) -> tuple[int, ...]:
        """Return the principal variation that begins with `first`, up to `most` plies.

        It ends at the end of the game, or where the search has hardly looked. If the search has
        forgotten the position after `first`, it gets `simulations` simulations.
        """
        state, pv = state.clone(), [first]
        state.apply(first)
        while not state.is_terminal() and len(pv) < most:
            edge = self._followed(state, simulations if len(pv) == 1 else 1)
            if edge is None:
                break
            state.apply(edge)
            pv.append(edge)
        return tuple(pv)

    def _learn(self, key: tuple[int, int], spent: int, guess: Guess) -> None:
        if len(self._known) > 100_000:  # this bounds the memory
            self._known.clear()
        self._known[key] = spent, guess

    def _searched(self, state: DotsAndBoxesState, simulations: int) -> Guess:
        board, edges = self._board, state.edges
        then = closure(board, edges)
        if then.edges == board.full:
            edge = next_stroke(board, edges, decline=False) if then.taken else -1
            return Guess(float(then.taken), 0.0, edge)
        so_far = _lead(state) + then.taken
        found = self._search.run(then.edges, so_far, simulations, gumbel=False)
        rest = found.score - so_far
        left = boxes_left(board, then.edges)
        spread = 0.0 if found.exact else self._error * math.sqrt(left)
        edge = found.edge
        if then.taken:
            edge = next_stroke(board, edges, decline=then.keeps > 0 and rest < -then.keeps)
        return Guess(then.value(rest), spread, edge)

    def _followed(self, state: DotsAndBoxesState, simulations: int) -> int | None:
        """Return the edge that the search has tried most, if it has looked at the position.

        A position that had less than half of `simulations` gets so many.
        """
        board, edges = self._board, state.edges
        then = closure(board, edges)
        if then.edges == board.full:
            return next_stroke(board, edges, decline=False)
        so_far = _lead(state) + then.taken
        # One simulation shows what the tree knows.
        found = self._search.run(then.edges, so_far, 1, gumbel=False)
        if not found.exact and found.visits.sum() < simulations // 2:
            found = self._search.run(then.edges, so_far, simulations, gumbel=False)
        edge = found.edge
        if not found.exact:
            most = int(found.visits.argmax())
            if found.visits[most] < _SEEN:
                return None
            edge = self._search.edge_of(then.edges, found.moves[most])
        if then.taken:
            rest = found.score - so_far
            edge = next_stroke(board, edges, decline=then.keeps > 0 and rest < -then.keeps)
        return edge


def _lead(state: DotsAndBoxesState) -> int:
    """Return the net score so far of the player to move."""
    first, second = state.scores()
    return second - first if state.current_player() == 1 else first - second
