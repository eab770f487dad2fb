"""Search other games than Dots and Boxes with a network: planes of a grid, and a tree in Python.

Theory of operation
-------------------
The geometry of a game (`games.api.Geometry`) has cells, which are unit squares of a grid, and for
each action the regions in which a click means it. So a position becomes planes without any
knowledge of the rules: the cells of the player to move, those of the opponent, the empty ones, and
those that lie in the regions of legal actions. The network answers with a number for each cell. The
prior of an action is the share of the cells in its regions: a cell in tic-tac-toe, a whole column
in Connect Four. The score is the result of the game for the player to move: -1, 0 or 1.

The search is that of `bots.zero.tree`, except that the tree is no graph, and that positions have
moves instead of openings. A node has bounds of the result for seat 0: a finished game has a known
one, and others follow from their moves. So the search finds and keeps proven wins.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bots.api import Limit, NeverStop
from bots.mcts.budget import SimulationBudget
from bots.mcts.tree import continuation
from bots.zero.budget import ZeroBudget
from bots.zero.gumbel import RootStatistics, gumbel_noise, halve
from bots.zero.net import Evaluator, NetError
from games.api import Game, Geometry, State

# The planes.
ON_BOARD, MINE, THEIRS, EMPTY, LEGAL, LEFT, SECOND = range(7)
GENERIC_PLANES: Final = 7
"""The number of planes."""
GENERIC_SPAN: Final = 1
"""The largest score: the game is won."""

_EXPLORE: Final = 1.1
_LESS: Final = 0.2
_EMPTIED: Final = 200_000
"""A tree with more nodes is emptied before the next search."""
_SPEED: Final = 1500.0
"""Simulations a second, until they are measured."""


@dataclass(frozen=True, slots=True)
class CellGrid:
    """Where the cells and actions of a game are in a grid of `rows` x `cols`.

    `cells` has the place of each cell, and `actions` those of each action, in the flattened grid.
    """

    rows: int
    cols: int
    cells: tuple[int, ...]
    actions: dict[int, tuple[int, ...]]


def is_grid(geometry: Geometry) -> bool:
    """Return whether all cells are unit squares in rows, and all actions are regions.

    A row may begin between two columns, as in Nim.
    """
    boxes = [_box(geometry, cell.corners) for cell in geometry.cells]
    places = {(math.floor(x), math.floor(y)) for x, y, _, _ in boxes}
    unit = all(box[2:] == (1, 1) for box in boxes)
    return unit and len(places) == len(boxes) and not geometry.segments


@cache
def grid_of(game: Game) -> CellGrid:
    """Return the grid of `game`.

    Raises:
        NetError: its cells are no grid.
    """
    geometry = game.geometry()
    if not is_grid(geometry):
        raise NetError(f"The bot zero cannot see the board of {game.title}.")
    rows, cols = geometry.height, geometry.width
    boxes = [_box(geometry, cell.corners) for cell in geometry.cells]
    cells = tuple(math.floor(y) * cols + math.floor(x) for x, y, _, _ in boxes)
    actions: dict[int, tuple[int, ...]] = {}
    for region in geometry.regions:
        left, top, width, height = _box(geometry, region.corners)
        places = tuple(
            place
            for place, (x, y, _, _) in zip(cells, boxes, strict=True)
            if left < x + 0.5 < left + width and top < y + 0.5 < top + height
        )
        actions[region.action] = actions.get(region.action, ()) + places
    return CellGrid(rows, cols, cells, actions)


def _box(geometry: Geometry, corners: tuple[int, ...]) -> tuple[float, float, float, float]:
    """Return the left and upper end of an area, its width and its height."""
    xs = [geometry.points[corner][0] for corner in corners]
    ys = [geometry.points[corner][1] for corner in corners]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def encode_state(state: State) -> NDArray[np.float32]:
    """Return the planes, (GENERIC_PLANES, rows, cols), of a position that is not over."""
    grid = grid_of(state.game)
    planes = np.zeros((GENERIC_PLANES, grid.rows * grid.cols), np.float32)
    me = state.current_player()
    places = np.array(grid.cells)
    owners = np.array(state.owners())
    planes[ON_BOARD, places] = 1
    planes[MINE, places] = owners == me
    planes[THEIRS, places] = owners == 1 - me
    planes[EMPTY, places] = owners < 0
    for action in state.legal_actions():
        planes[LEGAL, list(grid.actions[action])] = 1
    planes[LEGAL] *= planes[EMPTY]
    planes[LEFT] = state.plies_left() / state.game.max_game_length
    planes[SECOND] = me
    return planes.reshape(GENERIC_PLANES, grid.rows, grid.cols)


@dataclass(frozen=True, slots=True)
class GenericResult:
    """The result of a search, for the player to move.

    `actions` are the legal actions; `priors`, `visits` (in the tree), `tries` (of this search) and
    `policy` (the improved policy) have an entry for each. `action` is the chosen one. `utility` is
    from -1 to 1, `low` and `high` are its proven bounds.
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
        """Whether the utility is proved."""
        return self.low == self.high


class _Node:
    """A position: its actions, and what the network and the search say about it.

    `total` is the sum of the utilities for seat 0 over its `visits`; `low` and `high` are bounds of
    the result for seat 0. `seat` is to move.
    """

    __slots__ = ("actions", "children", "high", "low", "priors", "seat", "total", "visits")

    def __init__(self, state: State) -> None:
        over = state.is_terminal()
        result = round(state.returns()[0])
        self.low, self.high = (result, result) if over else (-1, 1)
        self.seat = state.current_player()
        self.actions: list[int] = state.legal_actions()
        self.priors: list[float] = []
        self.children: list[_Node | None] = [None] * len(self.actions)
        self.visits = 0
        self.total = 0.0

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
        """Whether the next search begins with an empty tree."""
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
        look = _GenericRoot(self, root, state.clone(), gumbel)
        halved = halve(look, limits)
        self._speed = limits.speed(halved.done)
        now = look.statistics()
        sign = 1 if root.seat == 0 else -1
        low, high = sorted((sign * root.low, sign * root.high))
        return GenericResult(
            tuple(root.actions),
            np.exp(now.logits),
            now.visits,
            halved.tries,
            now.improved(),
            root.actions[halved.move],
            root.mean(root.seat),
            low,
            high,
            halved.done,
            self.evaluations - before,
        )

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
        """Return a new node for `state` with one visit, evaluated unless the game is over."""
        node = _Node(state)
        self._nodes += 1
        node.visits = 1
        if node.low == node.high:
            node.total = node.low
            return node
        self.evaluations += 1
        seen = self.net.evaluate(encode_state(state)[None])
        logits = seen.policy[0, 0].reshape(-1).astype(np.float64)
        places = self._grid.actions
        top = max(logits[place] for action in node.actions for place in places[action])
        weights = np.exp(np.minimum(logits - top, 0))
        shares = [float(weights[list(places[action])].sum()) + 1e-6 for action in node.actions]
        node.priors = [share / sum(shares) for share in shares]
        chances = np.exp(seen.score[0].astype(np.float64) - seen.score[0].max())
        utility = float((chances[2] - chances[0]) / chances.sum())
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
