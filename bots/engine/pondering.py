"""Search on while the opponent thinks: solve the positions after its likely replies.

Theory of operation
-------------------
Playouts rank the opponent's replies. The exact search then works on the best of them in turn, with
a number of nodes that doubles from round to round, so that a likely reply that is hard to solve
does not keep the others waiting. When all of these are solved, the next replies follow. Each search
asks the question that the engine will ask at its next move, and leaves its results in the
transposition table.

The engine then needs fewer nodes than the position alone suggests. `Pondering.left` tells how many,
so the engine tries the exact search although the limits of the move would not suffice.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from doublecross.bots.api import StopFlag
from doublecross.bots.engine.playouts import Playouts
from doublecross.bots.search.exact.closure import Closure, closure
from doublecross.bots.search.exact.layout import twins
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

_MOST_MOVES: Final = 46
"""With more moves no reply can be solved in a minute."""
_REPLIES: Final = 8
"""How many replies are searched in turn."""
_RANKING: Final = 300_000
"""Nodes of the playouts that rank them."""
_FIRST: Final = 100_000
"""Nodes for each reply in the first round."""


class _Question(NamedTuple):
    """The position `edges` without captures, and the value from which the search begins."""

    edges: int
    guess: int


class Pondering:
    """Fills the table of `solver` on the opponent's time; `playouts` rank the replies.

    `nodes` counts the nodes of all searches, of playouts too.
    """

    def __init__(self, solver: Solver, playouts: Playouts) -> None:
        self.nodes = 0
        self._solver = solver
        self._playouts = playouts
        # Nodes by position, infinite for a solved one.
        self._spent: dict[int, float] = {}

    def left(self, edges: int, wanted: float) -> float:
        """Return how many of the `wanted` nodes a position without captures still needs."""
        return max(0.0, wanted - self._spent.get(self._plain(edges), 0.0))

    def run(self, state: DotsAndBoxesState, hope: int, stop: StopFlag) -> None:
        """Search the replies to `state`, in which the opponent is to move, until `stop` is set.

        `hope` is the final net score to test first, for the player who ponders.
        """
        solver, board = self._solver, self._solver.board
        self._spent.clear()
        then = closure(board, state.edges)
        if then.edges == board.full or solver.count_moves(then.edges) > _MOST_MOVES:
            return
        mover, scores = state.current_player(), state.scores()
        net = scores[1 - mover] - scores[mover]
        questions = self._questions(then, net, hope, stop)
        for first in range(0, len(questions), _REPLIES):
            waiting, nodes = questions[first : first + _REPLIES], _FIRST
            while waiting:
                if stop.is_set():
                    return
                waiting = [q for q in waiting if not self._answer(q, nodes, stop)]
                nodes *= 2

    def _questions(self, then: Closure, net: int, hope: int, stop: StopFlag) -> list[_Question]:
        """Return the positions after the replies, the most likely ones first.

        `then` has the opponent's captures, and `net` is the net score before them.
        """
        solver = self._solver
        watch = SearchWatch(stop.is_set, nodes=_RANKING)
        self._playouts.run(then.edges, then.taken - net, watch)
        self.nodes += watch.nodes
        found: dict[int, _Question] = {}
        if then.keeps:
            # The opponent may decline the last boxes; then the player who ponders moves here.
            guess = hope - (net - then.taken + 2 * then.keeps)
            found[self._plain(then.edges)] = _Question(then.edges, guess)
        for edge in self._playouts.ranking(then.edges)[0]:
            reply = solver.child(then.edges, edge).then
            # If boxes may be declined, the value of the rest does not follow from `hope`.
            guess = 0 if reply.keeps else hope - (net - then.taken) - reply.taken
            found.setdefault(self._plain(reply.edges), _Question(reply.edges, guess))
        return list(found.values())

    def _answer(self, question: _Question, nodes: int, stop: StopFlag) -> bool:
        """Search a position with `nodes` nodes; return whether it is solved."""
        watch = SearchWatch(stop.is_set, nodes=nodes)
        value = self._solver.bounds(question.edges, watch, guess=question.guess)
        solved = value.exact
        if solved and question.edges != self._solver.board.full:
            best = self._solver.best(question.edges, value.low, watch, every=False)
            solved = best is not None
        self.nodes += watch.nodes
        # A search begins again in each round, but finds most of the last one in the table.
        spent = math.inf if solved else float(watch.nodes)
        self._spent[self._plain(question.edges)] = spent
        return solved

    def _plain(self, edges: int) -> int:
        """Return the same set for positions that differ in interchangeable edges only."""
        for lower, higher in twins(self._solver.board):
            if edges >> higher & 1 and not edges >> lower & 1:
                edges ^= 1 << higher | 1 << lower
        return edges
