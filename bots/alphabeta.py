"""Alpha-beta: minimax without the lines that cannot change its value, with or without a table.

Theory of operation
-------------------
A node is searched with a window: `alpha` is what the root player has for sure elsewhere, `beta`
what the other one will not go beyond. At a node where the root player moves, a value of beta or
more makes the rest of its actions pointless, where the other one moves a value of alpha or less:
a *cutoff*. Values are returned as found, outside the window too (fail-soft), and are then bounds:
of beta or more a lower bound, of alpha or less an upper bound. The root's window is open on both
sides, so its value is exact and the one that minimax finds.

The transposition table keeps, for each position, the value, the bound that it is, the depth it
was searched to and its best action. An entry answers for a node only at the same depth (a deeper
search may well have another value, and then the result would no longer be minimax's), and only if
it is exact or its bound lies outside the window. At any other depth its action is searched first.
Keys say whose value it is: `unfilled` gives the two players no opposite values. The root itself is
never answered by the table: chance would have no say among equal moves.

Source: D. Knuth and R. Moore, An Analysis of Alpha-Beta Pruning, Artificial Intelligence 6, 1975.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from math import inf
from random import Random
from typing import Final, TypeAlias

from bots.api import Limit, Option
from bots.evaluations import NET, Evaluation
from bots.textbook import TO_THE_END, Line, SearchBudget, SearchResult, TextbookBot, TreeSearch
from games.api import Game, State


class Bound(Enum):
    """What a value in the table says about the true one: it is, is at least, is at most that."""

    EXACT = 0
    LOWER = 1
    UPPER = 2


Key: TypeAlias = tuple[int, ...]
Entry: TypeAlias = tuple[int, Bound, float, int]
"""Depth in plies, bound, value for the root player, best action (-1: none)."""

ENTRY_BYTES: Final = 400
"""Memory of one entry with its key and its place, rounded up: 264 were measured on 10x10, and a
dictionary takes more for a while when it grows."""


class TranspositionTable:
    """What is known of positions, in at most `memory_mb` MiB (None: without end).

    It has two halves. What is stored goes into the young one; when that is full it becomes the
    old one, whose entries are forgotten all at once. What was stored last is so always kept.
    """

    def __init__(self, memory_mb: int | None = 128) -> None:
        self._young: dict[Key, Entry] = {}
        self._old: dict[Key, Entry] = {}
        self._spaces: dict[tuple[Game, str, int], int] = {}
        self._half: float = inf
        self.resize(memory_mb)

    def __len__(self) -> int:
        """How many entries it holds; one stored again may count twice."""
        return len(self._young) + len(self._old)

    @property
    def capacity(self) -> float:
        """The most entries it holds, infinite without a limit."""
        return 2 * self._half

    def resize(self, memory_mb: int | None) -> None:
        """Hold to `memory_mb` MiB from now on; what is too much is forgotten."""
        self._half = inf if memory_mb is None else memory_mb * 2**20 // (2 * ENTRY_BYTES)
        if len(self._old) > self._half:
            self._old = {}
        if len(self._young) > self._half:
            self._young = {}

    def space(self, game: Game, evaluation: Evaluation, root: int) -> int:
        """The first number of all keys for this game, evaluation and root player: values that
        mean something else are kept apart."""
        return self._spaces.setdefault((game, evaluation.name, root), len(self._spaces))

    def get(self, key: Key) -> Entry | None:
        """What is stored under `key`."""
        entry = self._young.get(key)
        return self._old.get(key) if entry is None else entry

    def put(self, key: Key, entry: Entry) -> None:
        """Store `entry` under `key`, in the place of what was there."""
        if len(self._young) >= self._half and key not in self._young:
            self._old, self._young = self._young, {}
        self._young[key] = entry


def alphabeta(
    state: State,
    depth: int = TO_THE_END,
    evaluation: Evaluation = NET,
    root: int | None = None,
    *,
    table: TranspositionTable | None = None,
    budget: SearchBudget | None = None,
    order: Sequence[int] | None = None,
) -> SearchResult:
    """The value of `state` for the player `root` (None: its mover) by alpha-beta to `depth` plies.

    It is the value of `minimax`. `state` is left as it was. `order` are the root moves in the
    order of search (None: ascending); the first of the best is kept. `table` (None: no table) may
    be used for many searches, of any game.

    Raises:
        BotError: the depth is below zero.
    """
    return _AlphaBeta(state, depth, evaluation, root, budget, order, table).run()


class _AlphaBeta(TreeSearch):
    def __init__(
        self,
        state: State,
        depth: int,
        evaluation: Evaluation,
        root: int | None,
        budget: SearchBudget | None,
        order: Sequence[int] | None,
        table: TranspositionTable | None,
    ) -> None:
        super().__init__(state, depth, evaluation, root, budget, order)
        self._table = table
        self._space = 0 if table is None else table.space(state.game, evaluation, self.root)

    def visit(self, depth: int, alpha: float = -inf, beta: float = inf) -> tuple[float, Line]:
        state, table = self.state, self._table
        if self.enter(depth):
            return self.evaluate(state, self.root), None
        at_root = depth == self.depth
        actions = self.order if at_root else state.legal_actions()
        key: Key = ()
        if table is not None:
            key = (self._space, *state.key())
            if not at_root and (entry := table.get(key)) is not None:
                tt_depth, bound, value, tt_action = entry
                if tt_depth != depth:
                    actions = [tt_action, *(a for a in actions if a != tt_action)]
                elif (
                    bound is Bound.EXACT
                    or (bound is Bound.LOWER and value >= beta)
                    or (bound is Bound.UPPER and value <= alpha)
                ):
                    self.tt_hits += 1
                    return value, (tt_action, None)
        maximizing = state.current_player() == self.root
        best, line = -inf if maximizing else inf, None
        low, high = alpha, beta
        for action in actions:
            state.apply(action)
            value, rest = self.visit(depth - 1, low, high)
            state.undo()
            if value > best if maximizing else value < best:
                best, line = value, (action, rest)
                if at_root:
                    self.best_so_far = best, line
                if maximizing:
                    low = max(low, best)
                else:
                    high = min(high, best)
                if low >= high:
                    self.cutoffs += 1
                    break
        if table is not None and line is not None:
            bound = Bound.UPPER if best <= alpha else Bound.LOWER if best >= beta else Bound.EXACT
            table.put(key, (depth, bound, best, line[0]))
        return best, line

    def full_line(self, line: Line) -> tuple[int, ...]:
        """`line`, and from where the table answered what the table knows of the way on."""
        actions = super().full_line(line)
        if self._table is None or not actions:
            return actions
        state, ply = self.state, self.state.ply
        for action in actions:
            state.apply(action)
        while len(actions) < self.depth and not state.is_terminal():
            entry = self._table.get((self._space, *state.key()))
            depth = self.depth - len(actions)
            if entry is None or entry[0] != depth or entry[1] is not Bound.EXACT:
                break
            actions += (entry[3],)
            state.apply(entry[3])
        while state.ply > ply:
            state.undo()
        return actions


class AlphaBetaBot(TextbookBot):
    """Plays a minimax move at its depth, found by alpha-beta; see `bots.textbook`.

    The table, if it has one, lasts for the whole game. The default depth of 3 plies is
    minimax's, so that the two can be compared.
    """

    name = "alphabeta"
    version = "1"
    summary = "Finds what minimax finds, without the lines that cannot matter."
    options = (
        *TextbookBot.options,
        Option("table", False, "remember positions that come up again"),
    )

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        super().__init__(rng, options)
        self._table = TranspositionTable() if self.settings["table"] else None

    def prepare(self, limit: Limit) -> None:
        """Hold the table to the memory of `limit`."""
        if self._table is not None:
            self._table.resize(limit.memory_mb)

    def search(
        self,
        state: State,
        depth: int,
        budget: SearchBudget | None = None,
        order: Sequence[int] | None = None,
    ) -> SearchResult:
        """See `alphabeta`."""
        return alphabeta(
            state, depth, self.evaluation, table=self._table, budget=budget, order=order
        )
