"""What the textbook searches share: what they may spend, what they find, and the bot around them.

Theory of operation
-------------------
`minimax` and `alphabeta` walk the tree of a game to a depth in plies. The value of a leaf is an
evaluation for the *root player*, the mover at the root; the value of a node is the greatest of its
children's where the root player moves, the least where the other one does. Who moves is asked of
the state at every node, since a completed box keeps the turn, and nothing is ever negated.

A search spends from a `SearchBudget`, which counts nodes and looks at the clock and the stop flag
every few hundred of them (a millisecond or two). When it is used up the search unwinds by an
exception, takes back what it played and reports the best root move among those it has finished.

A node is a position that was visited, the root and the leaves included; a position reached on two
ways counts twice, and one that a table answered counts as well.

The bots search the root moves in a random order and keep the first of the best. In an exact search
that is a fair draw among all equally good moves; in alpha-beta too, where a later move of the same
value only fails low (its value is known as a bound, not better than the best), so that no window
has to be widened for the sake of chance. `minimax` and `alphabeta` with the same seed therefore
play the same game.

Sources: C. Shannon, Programming a Computer for Playing Chess, 1950; D. Knuth and R. Moore, An
Analysis of Alpha-Beta Pruning, Artificial Intelligence 6, 1975; OpenSpiel,
``python/algorithms/minimax.py``, for the shape of the functions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar, Final, TypeAlias

from bots.api import Bot, BotError, Choice, Limit, NeverStop, Option, StopFlag
from bots.evaluations import EVALUATIONS, NET, Evaluation
from games.api import State

TO_THE_END: Final = 0
"""The depth that stands for the whole rest of the game."""

Line: TypeAlias = "tuple[int, Line] | None"
"""Actions from a node on, as a linked list: extending it by its first action costs one pair."""

_POLL_NODES: Final = 256
"""Nodes between two looks at clock and stop flag: 1 to 3 ms in pure Python."""


class OutOfBudget(Exception):  # noqa: N818 - the normal end of a search with a limit
    """The time or the nodes are used up, or the stop flag is set; a search catches it itself."""


class SearchBudget:
    """What one or several searches in a row may spend: `time_s` seconds from now and `max_nodes`
    nodes (None: without end), and `stop`, at which they end as well.

    `nodes` counts those visited. A search calls `poll` whenever `nodes` has reached `poll_at`.
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
        self._deadline = None if time_s is None else perf_counter() + time_s
        self._stop = NeverStop() if stop is None else stop

    def poll(self) -> None:
        """Decide about going on, and when to ask again.

        Raises:
            OutOfBudget: no further node may be visited.
        """
        if self._max_nodes is not None and self.nodes >= self._max_nodes:
            raise OutOfBudget
        if self._stop.is_set():
            raise OutOfBudget
        if self._deadline is not None and perf_counter() >= self._deadline:
            raise OutOfBudget
        self.poll_at = self.nodes + _POLL_NODES
        if self._max_nodes is not None:
            self.poll_at = min(self.poll_at, self._max_nodes)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found.

    `value` is the evaluation of the leaf that best play of both sides leads to, for the root
    player; `pv` the actions to it, empty when the root is a leaf. `depth` is in plies, at most
    what the game has left. `cutoffs` counts nodes whose remaining actions were pruned, `tt_hits`
    those answered by the table. With `complete` false the budget ran out: `value` and `pv` are
    the best of the root moves finished by then, None and empty if there was none.
    """

    value: float | None
    pv: tuple[int, ...]
    depth: int
    nodes: int
    cutoffs: int
    tt_hits: int
    seconds: float
    complete: bool


def plies_left(state: State) -> int:
    """The most plies that the game can still take: no action is played twice."""
    return state.game.num_actions - len(state.drawn())


class TreeSearch(ABC):
    """One search of one tree; a subclass says how a node gets its value.

    `state` is played on and left as it was. `depth` is in plies, `TO_THE_END` for all. `root` is
    the player whose value is wanted (None: the mover), `order` the order of the root moves (None:
    ascending).

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
        left = plies_left(state)
        self.state = state
        self.depth = min(depth or left, left)
        self.evaluate = evaluation.function
        self.root = max(0, state.current_player()) if root is None else root
        self.budget = SearchBudget() if budget is None else budget
        self.order = state.legal_actions() if order is None else order
        self.cutoffs = 0
        self.tt_hits = 0
        self.best_so_far: tuple[float, Line] | None = None
        """The best root move of those finished, kept for a search that is stopped."""

    @abstractmethod
    def visit(self, depth: int) -> tuple[float, Line]:
        """The value of the node that `state` is at, searched to `depth` plies (the root has the
        depth of the search), and the line to it; begins with `enter`, counts cutoffs and hits, and
        keeps `best_so_far`.

        Raises:
            OutOfBudget: the state is then left where the search was.
        """

    def enter(self, depth: int) -> bool:
        """Count the node that `state` is at, to be searched to `depth` plies; whether it is a leaf.

        Raises:
            OutOfBudget: it may not be visited.
        """
        budget = self.budget
        if budget.nodes >= budget.poll_at:
            budget.poll()
        budget.nodes += 1
        return depth == 0 or self.state.is_terminal()

    def run(self) -> SearchResult:
        """Search."""
        start, ply, before = perf_counter(), self.state.ply, self.budget.nodes
        value: float | None
        try:
            value, line = self.visit(self.depth)
            complete = True
        except OutOfBudget:
            value, line = (None, None) if self.best_so_far is None else self.best_so_far
            complete = False
        finally:
            while self.state.ply > ply:
                self.state.undo()
        return SearchResult(
            value,
            self.full_line(line),
            self.depth,
            self.budget.nodes - before,
            self.cutoffs,
            self.tt_hits,
            perf_counter() - start,
            complete,
        )

    def full_line(self, line: Line) -> tuple[int, ...]:
        """`line` as a tuple."""
        actions = []
        while line is not None:
            action, line = line
            actions.append(action)
        return tuple(actions)


class TextbookBot(Bot):
    """A bot that searches a tree to a fixed depth; a subclass says with which algorithm.

    Without a limit of time or nodes it searches to its depth at once; stopped on the way, it
    plays the best of the root moves that it has finished. With such a limit it deepens ply by ply
    and plays what the deepest finished search found, so that a limit costs depth and not sense.
    """

    options: ClassVar[tuple[Option, ...]] = (
        Option("depth", 3, "plies it looks ahead; 0 is to the end of the game"),
        Option("evaluation", NET.name, "what it makes of the positions there", tuple(EVALUATIONS)),
    )

    @classmethod
    def check_options(
        cls, options: Mapping[str, int | float | str | bool]
    ) -> dict[str, int | float | str | bool]:
        """`options` completed by the defaults.

        Raises:
            BotError: an unknown option, a value not of its kind, or a depth below zero.
        """
        settings = super().check_options(options)
        if int(settings["depth"]) < 0:
            raise BotError(f"Option depth of bot {cls.name} is 0 or more, not {settings['depth']}.")
        return settings

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation that it was made with."""
        return EVALUATIONS[str(self.settings["evaluation"])]

    @abstractmethod
    def search(
        self,
        state: State,
        depth: int,
        budget: SearchBudget | None = None,
        order: Sequence[int] | None = None,
    ) -> SearchResult:
        """The tree of `state` to `depth` plies (0: to the end), for its mover; root moves in
        `order` (None: ascending)."""

    def prepare(self, limit: Limit) -> None:
        """Make ready for a move within `limit`."""

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """The best action at its depth, chance deciding among equals (see the module).

        The score is the value found; None where the evaluation estimates no final net score and
        the search did not reach the end of the game.
        """
        start = perf_counter()
        self.prepare(limit)
        budget = SearchBudget(limit.time_s, limit.nodes, stop)
        order = state.legal_actions()
        self.rng.shuffle(order)
        found = self._deepest(state, limit, budget, order)
        score = None
        if found.value is not None and (
            self.evaluation.expects or found.depth == plies_left(state)
        ):
            score = found.value
        return Choice(
            found.pv[0] if found.pv else order[0],
            score=score,
            pv=found.pv,
            nodes=budget.nodes,
            elapsed=perf_counter() - start,
        )

    def _deepest(
        self, state: State, limit: Limit, budget: SearchBudget, order: list[int]
    ) -> SearchResult:
        left = plies_left(state)
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
