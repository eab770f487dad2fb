"""The common parts of the textbook searches: their budget, their results, and their bots.

Theory of operation
-------------------
`minimax` and `alphabeta` walk the tree of a game to a depth in plies. The value of a leaf is an
evaluation for the *root player*, the mover at the root. The value of a node is the maximum of its
children where the root player moves, and the minimum where the opponent moves. The search asks the
state who moves at every node, since a completed box keeps the turn, and it never negates a value.

A search draws on a `SearchBudget`, which counts nodes and checks the clock and the stop flag every
few hundred nodes (a millisecond or two). When the budget is used up, an exception ends the
recursion. The search then undoes its actions and reports the best root move among those finished.

The count of nodes includes the root and the leaves. A position that is reached twice counts twice,
and a position whose value comes from a table counts as well.

The bots search the root moves in a random order and keep the first of the best. In an exact search
this draws fairly among all equally good moves. It does so in alpha-beta too: a later move of the
same value only fails low (its value is a bound, no better than the best), so the window needs no
widening for the draw. `minimax` and `alphabeta` with the same seed therefore play the same game.

Sources: C. Shannon, Programming a Computer for Playing Chess, 1950; D. Knuth and R. Moore, An
Analysis of Alpha-Beta Pruning, Artificial Intelligence 6, 1975; OpenSpiel,
``python/algorithms/minimax.py``, for the shape of the functions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from doublecross.bots.api import Bot, BotError, Choice, Limit, NeverStop, Option, StopFlag
from doublecross.bots.clock import now
from doublecross.bots.evaluations import EVALUATIONS, NET, Evaluation
from doublecross.games.api import State

TO_THE_END: Final = 0
"""The depth that means the whole rest of the game."""

Pv: TypeAlias = "tuple[int, Pv] | None"
"""A principal variation as a linked list: adding an action in front takes one pair."""

_POLL_NODES: Final = 256
"""Nodes between two checks of the clock and the stop flag: 1 to 3 ms in pure Python."""


class OutOfBudget(Exception):  # noqa: N818 - the normal end of a search with a limit
    """The time or the nodes are used up, or the stop flag is set; `TreeSearch.run` catches it."""


class SearchBudget:
    """The time and the nodes that one search, or several in a row, may spend.

    `time_s` is in seconds from now, `max_nodes` in nodes (None: no limit). The searches end too
    when `stop` is set. `nodes` counts the visited nodes. A search calls `poll` whenever `nodes` has
    reached `poll_at`.
    """

    def __init__(
        self,
        time_s: float | None = None,
        max_nodes: int | None = None,
        stop: StopFlag | None = None,
    ) -> None:
        self.nodes = 0
        self.poll_at = 0
        self._max_nodes = max_nodes
        self._deadline = None if time_s is None else now() + time_s
        self._stop = NeverStop() if stop is None else stop

    def poll(self) -> None:
        """Check whether the search may continue, and set the next `poll_at`.

        Raises:
            OutOfBudget: the search may not visit a further node.
        """
        if self._max_nodes is not None and self.nodes >= self._max_nodes:
            raise OutOfBudget
        if self._stop.is_set():
            raise OutOfBudget
        if self._deadline is not None and now() >= self._deadline:
            raise OutOfBudget
        self.poll_at = self.nodes + _POLL_NODES
        if self._max_nodes is not None:
            self.poll_at = min(self.poll_at, self._max_nodes)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search.

    `value` is the evaluation, for the root player, of the leaf that best play of both players
    leads to. `pv` has the actions to that leaf; it is empty when the root is a leaf. `depth` is in
    plies, at most the plies that the game has left. `cutoffs` counts the nodes whose remaining
    actions were pruned, `tt_hits` the nodes whose value came from the table. `complete` is false if
    the budget ran out. Then `value` and `pv` are those of the best root move finished by that time,
    or None and empty if there was none.
    """

    value: float | None
    pv: tuple[int, ...]
    depth: int
    nodes: int
    cutoffs: int
    tt_hits: int
    seconds: float
    complete: bool


class TreeSearch(ABC):
    """One search of one tree; a subclass defines how a node gets its value.

    The search applies and undoes actions on `state`. `depth` is in plies, `TO_THE_END` for all.
    The value is for the player `root` (None: the mover), `order` is the order of the root moves
    (None: ascending).

    Raises:
        BotError: the depth is below zero.
    """

    def __init__(
        self,
        state: State,
        depth: int,
        evaluation: Evaluation,
        root: int | None,
        budget: SearchBudget | None,
        order: Sequence[int] | None,
    ) -> None:
        if depth < 0:
            raise BotError(f"A depth is a number of plies from 1 on, or 0, not {depth}.")
        left = state.plies_left()
        self.state = state
        self.depth = min(depth or left, left)
        self.evaluate = evaluation.function
        self.root = max(0, state.current_player()) if root is None else root
        self.budget = SearchBudget() if budget is None else budget
        self.order = state.legal_actions() if order is None else order
        self.cutoffs = 0
        self.tt_hits = 0
        self.best_so_far: tuple[float, Pv] | None = None
        """The best finished root move, with its value; the result if the budget runs out."""

    @abstractmethod
    def visit(self, depth: int) -> tuple[float, Pv]:
        """Search the current position of `state` to `depth` plies; return its value and its pv.

        The root has the depth of the search. An implementation calls `enter` first, counts cutoffs
        and table hits, and updates `best_so_far`.

        Raises:
            OutOfBudget: the state then stays at the node where the search ended.
        """

    def enter(self, depth: int) -> bool:
        """Count the current node; return whether it is a leaf of a search to `depth` plies.

        Raises:
            OutOfBudget: the search may not visit the node.
        """
        budget = self.budget
        if budget.nodes >= budget.poll_at:
            budget.poll()
        budget.nodes += 1
        return depth == 0 or self.state.is_terminal()

    def run(self) -> SearchResult:
        """Run the search and return its result; `state` is then as it was before."""
        start, ply, before = now(), self.state.ply, self.budget.nodes
        value: float | None
        try:
            value, pv = self.visit(self.depth)
            complete = True
        except OutOfBudget:
            value, pv = (None, None) if self.best_so_far is None else self.best_so_far
            complete = False
        finally:
            while self.state.ply > ply:
                self.state.undo()
        return SearchResult(
            value,
            self.full_pv(pv),
            self.depth,
            self.budget.nodes - before,
            self.cutoffs,
            self.tt_hits,
            now() - start,
            complete,
        )

    def full_pv(self, pv: Pv) -> tuple[int, ...]:
        """Return `pv` as a tuple."""
        actions = []
        while pv is not None:
            action, pv = pv
            actions.append(action)
        return tuple(actions)


class TextbookBot(Bot):
    """A bot that searches a tree to a fixed depth; a subclass provides the algorithm.

    Without a limit of time or nodes it searches to its depth at once. If it is stopped, it plays
    the best of the root moves that it has finished. With such a limit it deepens the search ply by
    ply and plays the result of the deepest finished search, so a tight limit still gives a move
    that considers all root moves.
    """

    obeys = frozenset({"nodes", "depth"})
    options: ClassVar[tuple[Option, ...]] = (
        Option("depth", 3, "plies it looks ahead; 0 is to the end of the game"),
        Option("evaluation", NET.name, "how it evaluates the positions there", tuple(EVALUATIONS)),
    )

    @classmethod
    def check_options(
        cls, options: Mapping[str, int | float | str | bool]
    ) -> dict[str, int | float | str | bool]:
        """Return `options` completed by the defaults.

        Raises:
            BotError: an option is unknown, a value is not of its type, or the depth is negative.
        """
        settings = super().check_options(options)
        if int(settings["depth"]) < 0:
            raise BotError(f"Option depth of bot {cls.name} is 0 or more, not {settings['depth']}.")
        return settings

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation that the bot's option names."""
        return EVALUATIONS[str(self.settings["evaluation"])]

    @abstractmethod
    def search(
        self,
        state: State,
        depth: int,
        budget: SearchBudget | None = None,
        order: Sequence[int] | None = None,
    ) -> SearchResult:
        """Search the tree of `state` to `depth` plies (0: to the end) for its mover.

        `order` has the root moves in the order of search (None: ascending).
        """

    def prepare(self, limit: Limit) -> None:
        """Prepare for a move within `limit`. The default does nothing."""

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Choose the best action at the bot's depth; break ties at random (see the module).

        The score is the value found, or None if the evaluation does not estimate the final net
        score and the search did not reach the end of the game.
        """
        start = now()
        self.prepare(limit)
        budget = SearchBudget(limit.time_s, limit.nodes, stop)
        order = state.legal_actions()
        self.rng.shuffle(order)
        found = self._deepest(state, limit, budget, order)
        score = None
        if found.value is not None and (
            self.evaluation.expects or found.depth == state.plies_left()
        ):
            score = found.value
        return Choice(
            found.pv[0] if found.pv else order[0],
            score=score,
            pv=found.pv,
            nodes=budget.nodes,
            elapsed=now() - start,
            exact=found.value is not None and found.depth == state.plies_left(),
        )

    def _deepest(
        self, state: State, limit: Limit, budget: SearchBudget, order: list[int]
    ) -> SearchResult:
        left = state.plies_left()
        depths = (int(self.settings["depth"]) or left, limit.depth or left, left)
        goal = min(depths)
        if limit.time_s is None and limit.nodes is None:
            return self.search(state, goal, budget, order)
        found = self.search(state, 1, budget, order)
        while found.complete and found.depth < goal:
            deeper = self.search(state, found.depth + 1, budget, order)
            if not deeper.complete:
                break
            found = deeper
        return found
