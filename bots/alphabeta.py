"""Alpha-beta: minimax without the branches that cannot change its value, optionally with a table.

Theory of operation
-------------------
Each node is searched with a window: `alpha` is the value that the root player already has for sure
elsewhere in the tree, `beta` the value that the opponent will not exceed. Where the root player
moves, a value of beta or more makes the remaining actions pointless; where the opponent moves, a
value of alpha or less does. The search skips these actions: a *cutoff*. It returns values outside
the window as found (fail-soft). Such a value is a bound: a lower bound from beta on, an upper bound
up to alpha. The root's window is open on both sides, so the value of the root is exact and equals
minimax's.

The transposition table keeps for each position a value, the kind of bound, the depth of the search
and the best action. An entry replaces a search only at the same depth (a deeper search may have
another value, and the result would differ from minimax's), and only if it is exact or its bound
lies outside the window. At any other depth the search tries the entry's action first. The key
includes the evaluation and the root player, because `unfilled` does not give the two players
opposite values. The search never takes the root's value from the table, because then it could not
choose at random among equally good moves.

Source: D. Knuth and R. Moore, An Analysis of Alpha-Beta Pruning, Artificial Intelligence 6, 1975.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from math import inf
from random import Random
from typing import Final, TypeAlias

from doublecross.bots.api import Limit, Option
from doublecross.bots.evaluations import NET, Evaluation
from doublecross.bots.textbook import (
    TO_THE_END,
    Pv,
    SearchBudget,
    SearchResult,
    TextbookBot,
    TreeSearch,
)
from doublecross.games.api import Game, State


class Bound(Enum):
    """The kind of a value in the table: it is exact, a lower bound or an upper bound."""

    EXACT = 0
    LOWER = 1
    UPPER = 2


Key: TypeAlias = tuple[int, ...]
Entry: TypeAlias = tuple[int, Bound, float, int]
"""Depth in plies, bound, value for the root player, best action (-1: none)."""

ENTRY_BYTES: Final = 400
"""Bytes that one entry takes with its key and its place in the dictionary, rounded up.

On 10x10 an entry takes 264 bytes, and a dictionary needs more for a short time when it grows."""


class TranspositionTable:
    """A transposition table of at most `memory_mb` MiB (None: no limit).

    It has two halves. New entries go into the young half. When that is full, it replaces the old
    half, whose entries are dropped. This keeps the most recent entries.
    """

    def __init__(self, memory_mb: int | None = 128) -> None:
        self._young: dict[Key, Entry] = {}
        self._old: dict[Key, Entry] = {}
        self._spaces: dict[tuple[Game, str, int], int] = {}
        self._half: float = inf
        self.resize(memory_mb)

    def __len__(self) -> int:
        """Return the number of entries; an entry that is in both halves counts twice."""
        return len(self._young) + len(self._old)

    @property
    def capacity(self) -> float:
        """The largest number of entries, infinite without a limit."""
        return 2 * self._half

    def resize(self, memory_mb: int | None) -> None:
        """Limit the table to `memory_mb` MiB; a half that is too large is emptied."""
        self._half = inf if memory_mb is None else memory_mb * 2**20 // (2 * ENTRY_BYTES)
        if len(self._old) > self._half:
            self._old = {}
        if len(self._young) > self._half:
            self._young = {}

    def space(self, game: Game, evaluation: Evaluation, root: int) -> int:
        """Return the first element of all keys for this game, evaluation and root player.

        It keeps values of different meaning apart.
        """
        return self._spaces.setdefault((game, evaluation.name, root), len(self._spaces))

    def get(self, key: Key) -> Entry | None:
        """Return the entry stored under `key`, or None."""
        entry = self._young.get(key)
        return self._old.get(key) if entry is None else entry

    def put(self, key: Key, entry: Entry) -> None:
        """Store `entry` under `key`, replacing an earlier entry."""
        # Replacing an entry needs no additional place.
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
    """Return the value of `state` for the player `root` (None: its mover), to `depth` plies.

    The value equals that of `minimax`. The search leaves `state` as it was. `order` has the root
    moves in the order of search (None: ascending); of equally good ones the search keeps the
    first. `table` (None: no table) may serve many searches, of any game.

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

    def visit(self, depth: int, alpha: float = -inf, beta: float = inf) -> tuple[float, Pv]:
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
        best, pv = -inf if maximizing else inf, None
        low, high = alpha, beta
        for action in actions:
            state.apply(action)
            value, rest = self.visit(depth - 1, low, high)
            state.undo()
            if value > best if maximizing else value < best:
                best, pv = value, (action, rest)
                if at_root:
                    self.best_so_far = best, pv
                if maximizing:
                    low = max(low, best)
                else:
                    high = min(high, best)
                if low >= high:
                    self.cutoffs += 1
                    break
        if table is not None and pv is not None:
            bound = Bound.UPPER if best <= alpha else Bound.LOWER if best >= beta else Bound.EXACT
            table.put(key, (depth, bound, best, pv[0]))
        return best, pv

    def full_pv(self, pv: Pv) -> tuple[int, ...]:
        """Return `pv` as a tuple, continued by exact entries of the table where it ends early."""
        actions = super().full_pv(pv)
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
    """Plays a minimax move at its depth, found by alpha-beta; see `doublecross.bots.textbook`.

    The optional table is kept for the whole game. The default depth of 3 plies is that of
    `minimax`, so that users can compare the two.
    """

    name = "alphabeta"
    version = "1"
    summary = "Finds the same values as minimax and skips the moves that cannot matter."
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
        """Limit the table to the memory of `limit`."""
        if self._table is not None:
            self._table.resize(limit.memory_mb)

    def search(
        self,
        state: State,
        depth: int,
        budget: SearchBudget | None = None,
        order: Sequence[int] | None = None,
    ) -> SearchResult:
        """Search with `alphabeta`."""
        return alphabeta(
            state, depth, self.evaluation, table=self._table, budget=budget, order=order
        )
