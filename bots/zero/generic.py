"""Search other games than Dots and Boxes with a network, and a tree in Python.

Theory of operation
-------------------
A position becomes planes of a grid (`doublecross.bots.zero.grids`). The network answers with a
number for each cell, and the prior of an action is the share of its targets. The score is the
result of the game for the player to move: -1, 0 or 1.

The search is that of `doublecross.bots.zero.tree`, except that the tree is no graph, and that
positions have moves instead of openings. A node has bounds of the result for seat 0: a finished
game has a known one, and others follow from their moves. A new node plays each of its actions
anyway, so it knows which of them end the game, and a node with a winning move needs no network. So
the search finds and keeps proven wins.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.api import Limit, NeverStop
from doublecross.bots.mcts.budget import SimulationBudget
from doublecross.bots.mcts.tree import continuation
from doublecross.bots.zero.budget import ZeroBudget
from doublecross.bots.zero.grids import (
    GENERIC_PLANES,
    GENERIC_SPAN,
    encode_state,
    grid_of,
    look_ahead,
)
from doublecross.bots.zero.gumbel import RootStatistics, gumbel_noise, halve
from doublecross.bots.zero.net import Evaluator, NetError
from doublecross.games.api import Game, State

_EXPLORE: Final = 1.1
_LESS: Final = 0.2
_EMPTIED: Final = 200_000
"""A tree with more nodes is emptied before the next search."""
_SPEED: Final = 1500.0
"""Simulations a second, until they are measured."""


@dataclass(frozen=True, slots=True)
class GenericResult:
    """The result of a search, for the player to move.

    `actions` are the legal actions; `priors`, `visits` (in the tree), `tries` (of this search) and
    `policy` (the improved policy; 0 for moves that are proved worse) have an entry for each.
    `action` is the chosen one. `utility` is from -1 to 1, `low` and `high` are its proven bounds.
    """

    actions: tuple[int, ...]
    priors: NDArray[np.float64]
    visits: NDArray[np.int64]
    tries: NDArray[np.int64]
    policy: NDArray[np.float64]
    action: int
    utility: float
    low: int
    high: int
    simulations: int
    evaluations: int

    @property
    def exact(self) -> bool:
        """Return whether the utility is proved."""
        return self.low == self.high


class _Node:
    """A position: its actions, and what the network and the search say about it.

    `total` is the sum of the utilities for seat 0 over its `visits`; `low` and `high` are bounds of
    the result for seat 0. `seat` is to move.
    """

    __slots__ = ("actions", "children", "high", "low", "priors", "seat", "total", "visits")

    def __init__(self, seat: int, actions: list[int]) -> None:
        self.low, self.high = -1, 1
        self.seat = seat
        self.actions = actions
        self.priors: list[float] = []
        self.children: list[_Node | None] = [None] * len(actions)
        self.visits = 1
        self.total = 0.0

    @classmethod
    def ended(cls, result: int) -> Self:
        """Return the node of a finished game with this result for seat 0."""
        node = cls(-1, [])
        node.low = node.high = result
        node.total = result
        return node

    def mean(self, seat: int) -> float:
        """Return the mean utility for `seat`, within the bounds; there is a visit."""
        mean = min(max(self.total / self.visits, self.low), self.high)
        return mean if seat == 0 else -mean

    def tighten(self) -> None:
        """Compute the bounds from those of the children."""
        best = max if self.seat == 0 else min
        self.low = best(-1 if child is None else child.low for child in self.children)
        self.high = best(1 if child is None else child.high for child in self.children)

    def choose(self) -> int:
        """Return which action to try next, by PUCT."""
        bonus = _EXPLORE * math.sqrt(self.visits)
        pairs = list(zip(self.children, self.priors, strict=True))
        seen = sum(prior for child, prior in pairs if child is not None)
        unseen = self.mean(self.seat) - _LESS * math.sqrt(seen)
        best, best_score = 0, -math.inf
        certain = self.low if self.seat == 0 else -self.high
        for i, (child, prior) in enumerate(pairs):
            if child is None:
                score = unseen + bonus * prior
            else:
                possible = child.high if self.seat == 0 else -child.low
                if possible < certain:
                    continue
                score = child.mean(self.seat)
                if child.low < child.high:
                    score += bonus * prior / (1 + child.visits)
            if score > best_score:
                best, best_score = i, score
        return best


class GenericSearch:
    """Searches the positions of one game with a network; `rng` draws the noise of the root.

    The tree is kept while a game goes on.

    Raises:
        NetError: the network has another form, or the game has no grid.
    """

    def __init__(self, game: Game, net: Evaluator, rng: Random) -> None:
        if net.planes != GENERIC_PLANES or net.span != GENERIC_SPAN:
            raise NetError(
                f"The network has {net.planes} planes and scores up to {net.span}; "
                f"{game.title} needs {GENERIC_PLANES} and {GENERIC_SPAN}."
            )
        self.game = game
        self.net = net
        self.rng = rng
        self.evaluations = 0
        self._grid = grid_of(game)
        self._state: State | None = None
        self._root: _Node | None = None
        self._nodes = 0
        self._speed = _SPEED

    @property
    def full(self) -> bool:
        """Return whether the next search begins with an empty tree."""
        return self._nodes >= _EMPTIED

    def run(
        self,
        state: State,
        simulations: int,
        *,
        gumbel: bool = True,
        budget: SimulationBudget | None = None,
    ) -> GenericResult:
        """Search `state`, which must not be over, with `simulations` or as `budget` allows."""
        if simulations < 1:
            raise ValueError(f"A search needs a simulation at least, not {simulations}.")
        limits = ZeroBudget(
            budget or SimulationBudget(Limit(), NeverStop(), simulations), self._speed
        )
        before = self.evaluations
        root = self._follow(state)
        tree_root = _GenericRoot(self, root, state.clone(), gumbel)
        halved = halve(tree_root, limits)
        self._speed = limits.speed(halved.done)
        now = tree_root.statistics()
        sign = 1 if root.seat == 0 else -1
        low, high = sorted((sign * root.low, sign * root.high))
        policy = now.improved() * tree_root.allowed(last=True)
        return GenericResult(
            tuple(root.actions),
            np.exp(now.logits),
            now.visits,
            halved.tries,
            policy / policy.sum(),
            root.actions[halved.move],
            root.mean(root.seat),
            low,
            high,
            halved.done,
            self.evaluations - before,
        )

    def forget(self) -> None:
        """Empty the tree."""
        self._state = self._root = None

    def simulate(self, root: _Node, state: State, forced: int) -> None:
        """Run one simulation from `root`, the node of `state`, that begins with `forced`."""
        node, path, start = root, [root], state.ply
        fresh = False
        while node.low != node.high and not fresh:
            i = forced if node is root else node.choose()
            state.apply(node.actions[i])
            child = node.children[i]
            if child is None:
                child = node.children[i] = self._make(state)
                fresh = True
            path.append(child)
            node = child
        while state.ply > start:
            state.undo()
        path.pop()
        value = node.mean(0)
        # A new node has had its first visit.
        if not fresh:
            node.visits += 1
            node.total += value
        for above in reversed(path):
            above.tighten()
            value = min(max(value, above.low), above.high)
            above.visits += 1
            above.total += value

    # -- implementation ----------------------------------------------------------------------

    def _follow(self, state: State) -> _Node:
        """Return the node of `state`: the kept one if possible, else a new one."""
        played = None if self._state is None else continuation(self._state, state)
        node = self._root if played is not None and not self.full else None
        for action in played or ():
            if node is None or action not in node.actions:
                node = None
                break
            node = node.children[node.actions.index(action)]
        if node is None:
            self._nodes = 0
            node = self._make(state)
        self._state, self._root = state.clone(), node
        return node

    def _make(self, state: State) -> _Node:
        """Return a new node for `state` with one visit; the network evaluates it if need be."""
        node = _Node(state.current_player(), state.legal_actions())
        self._nodes += 1
        aims, ends = look_ahead(state)
        for action, result in ends.items():
            node.children[node.actions.index(action)] = _Node.ended(result)
        node.tighten()
        count = len(node.actions)
        if node.low == node.high:
            node.priors = [1 / count] * count
            node.total = node.low
            return node
        self.evaluations += 1
        seen = self.net.evaluate(encode_state(state, aims)[None])
        logits = seen.policy[0, 0].reshape(-1).tolist()
        at = [[logits[self._grid.cells[cell]] for cell in aims[action]] for action in node.actions]
        top = max(max(row) for row in at)
        shares = [sum(math.exp(logit - top) for logit in row) + 1e-6 for row in at]
        whole = sum(shares)
        node.priors = [share / whole for share in shares]
        lost, drawn, won = (math.exp(x - seen.score[0].max()) for x in seen.score[0].tolist())
        utility = (won - lost) / (lost + drawn + won)
        node.total = utility if node.seat == 0 else -utility
        return node


class _GenericRoot:
    """The root of a search for sequential halving."""

    def __init__(self, search: GenericSearch, node: _Node, state: State, gumbel: bool) -> None:
        self._search, self._node, self._state = search, node, state
        count = len(node.actions)
        self._logits = np.log(np.array(node.priors))
        self._noise = gumbel_noise(search.rng, count) if gumbel else np.zeros(count)
        self._first = node.mean(node.seat)

    def statistics(self) -> RootStatistics:
        """Return the statistics of the moves now."""
        node = self._node
        visits = np.array([0 if child is None else child.visits for child in node.children])
        utilities = np.array(
            [0.0 if child is None else child.mean(node.seat) for child in node.children]
        )
        return RootStatistics(self._logits, self._noise, visits, utilities, self._first)

    def allowed(self, *, last: bool) -> NDArray[np.bool_]:
        """Return which moves may be the best; at last only sure wins, if there are any."""
        node = self._node
        sign = 1 if node.seat == 0 else -1
        pairs = [(-1, 1) if c is None else (c.low, c.high) for c in node.children]
        mine = np.array([(a, b) if sign == 1 else (-b, -a) for a, b in pairs])
        least = int(mine[:, 0].max())
        if least == mine[:, 1].max():
            return np.asarray(mine[:, 0] == least)
        return np.asarray(mine[:, 1] >= least)

    def visit(self, move: int) -> bool:
        """Run a simulation; return whether the root is solved."""
        self._search.simulate(self._node, self._state, move)
        return self._node.low == self._node.high
