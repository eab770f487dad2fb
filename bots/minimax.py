"""Plain minimax: search every sequence of moves to a depth, without pruning and without a table.

It is the reference for pruning: `alphabeta` finds the same value in a part of this tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from doublecross.bots.evaluations import NET, Evaluation
from doublecross.bots.textbook import (
    TO_THE_END,
    Pv,
    SearchBudget,
    SearchResult,
    TextbookBot,
    TreeSearch,
)
from doublecross.games.api import State


def minimax(
    state: State,
    depth: int = TO_THE_END,
    evaluation: Evaluation = NET,
    root: int | None = None,
    *,
    budget: SearchBudget | None = None,
    order: Sequence[int] | None = None,
) -> SearchResult:
    """Return the value of `state` for the player `root` (None: its mover), to `depth` plies.

    The search leaves `state` as it was. `order` has the root moves in the order of search (None:
    ascending); of equally good ones the search keeps the first.

    Raises:
        BotError: the depth is below zero.
    """
    return _Minimax(state, depth, evaluation, root, budget, order).run()


class _Minimax(TreeSearch):
    def visit(self, depth: int) -> tuple[float, Pv]:
        state = self.state
        if self.enter(depth):
            return self.evaluate(state, self.root), None
        at_root = depth == self.depth
        maximizing = state.current_player() == self.root
        best, pv = -inf if maximizing else inf, None
        for action in self.order if at_root else state.legal_actions():
            state.apply(action)
            value, rest = self.visit(depth - 1)
            state.undo()
            if value > best if maximizing else value < best:
                best, pv = value, (action, rest)
                if at_root:
                    self.best_so_far = best, pv
        return best, pv


class MinimaxBot(TextbookBot):
    """Plays the minimax move at its depth; see `doublecross.bots.textbook`.

    The default depth of 3 plies suits people who wait for a move on the usual 5x5 board: the first
    move takes 208,921 nodes, well under a second. With 4 plies it takes 12 million nodes.
    """

    name = "minimax"
    version = "1"
    summary = "Searches every sequence of moves to a depth; pure minimax, no pruning."

    def search(
        self,
        state: State,
        depth: int,
        budget: SearchBudget | None = None,
        order: Sequence[int] | None = None,
    ) -> SearchResult:
        """Search with `minimax`."""
        return minimax(state, depth, self.evaluation, budget=budget, order=order)
