"""The engine: find the best move within the limits, and its value.

Theory of operation
-------------------
The engine forecasts how many nodes the exact search will take from the number of moves (safe edges
and openings). The logarithm of the number of nodes grows by 0.47 with each move, on every board
from 2x6 to 6x6, and the forecast is right within a factor of two (`expected_nodes`).

- If the exact value is within reach, the engine computes it. It first asks the question that
  decides the game: can the player to move still win?
- Otherwise playouts that end in exact values (`bots.search.sampling.playout_tree`) choose the move.
  Near the border between the two, both get a part of the time, and the engine uses the exact
  result if that search finishes.

Positions of the opening book (`bots.engine.book`) need no search.

Captures need no search either: the engine makes them, and the exact or sampled value of the rest
decides whether to decline the last boxes.

Boards of more than 64 dots do not fit the 64-bit words; `bots.mcts` searches them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

from numpy.typing import NDArray

from bots.api import Limit, StopFlag
from bots.clock import now
from bots.engine.book import book_for
from bots.engine.trap import best_trap
from bots.engine.turn import next_stroke
from bots.search.exact.analysis import analyse
from bots.search.exact.closure import Closure, boxes_left, closure
from bots.search.exact.solver import Bounds, SearchWatch, Solver
from bots.search.jit import warm_up
from bots.search.sampling.playout_tree import (
    FIRST,
    MOVES,
    NETS,
    NODES,
    SOLVED,
    VALUE,
    VISITS,
    H,
    V,
    grow,
    new_tree,
    plant,
)
from bots.search.sampling.playout_tree import TAKES as CHILD_TAKES
from games.dots_and_boxes.board import Board
from games.dots_and_boxes.board import board as board_of
from games.dots_and_boxes.rules import DotsAndBoxesState

SPEED: Final = 1.6e6
"""Assumed nodes a second of one thread. Slower machines try a few searches too many."""
FEW: Final = 12
"""The number of moves from which a playout is solved exactly, with a few hundred nodes."""
EXPLORE: Final = 0.5
"""The exploration constant of the playout tree."""
SOLVE_NODES: Final = 4000
"""The most nodes for the exact search at the end of a playout."""
_SLICE: Final = 15_000
"""Nodes of playouts between two checks of the limits."""
_DEFAULT_S: Final = 1.0
"""Seconds for a search without any limit."""
TABLE_SHARE: Final = 0.7
"""The part of the memory for the transposition table; a sixteenth of it goes to the nimbers."""
TREE_SHARE: Final = 0.25
"""The part of the memory for the playout tree."""
FURTHER: Final = 0.6
"""What a further thread adds to the speed of the first."""


@dataclass(frozen=True, slots=True)
class EngineThought:
    """The result of a search of the engine.

    `edge` is the chosen edge. `value` has the bounds of the final net score of the player to move,
    and `estimate` is the estimate of that score. `pv` is the principal variation, `nodes` the
    number of nodes searched.
    """

    edge: int
    value: Bounds
    estimate: float
    pv: tuple[int, ...]
    nodes: int

    @property
    def exact(self) -> bool:
        """Whether the final net score is known exactly."""
        return self.value.exact


def prepare() -> None:
    """Compile the kernels; this takes time only once on each machine."""
    warm_up("engine", _use_kernels)


def _use_kernels() -> None:
    board = board_of(2, 2)
    engine = Engine(board, Random(1), 1)
    analyse(engine.solver, 0, SearchWatch(), every_move=True)
    engine.sample(0, 0, SearchWatch(nodes=2000))


def expected_nodes(moves: int) -> float:
    """Estimate how many nodes the exact search of a position with `moves` moves takes."""
    return 0.7 * math.exp(0.185 + 0.47 * moves)


def _affordable(seconds: float | None, nodes: int | None, threads: int) -> float:
    """Return how many nodes the limits allow."""
    # With a limit of nodes one thread searches.
    speed = SPEED if nodes is not None else SPEED * (1 + FURTHER * (threads - 1))
    can = math.inf if seconds is None else seconds * speed
    return can if nodes is None else min(can, nodes)


class _Secured(NamedTuple):
    """The final net score that `seat` can reach after its last move; `edges` are drawn then."""

    edges: int
    seat: int
    final: int


class Engine:
    """Searches the positions of one game on `board`; `memory_mb` bounds the sum of its tables.

    The exact search uses up to `threads` threads.

    """

    def __init__(self, board: Board, rng: Random, memory_mb: float, threads: int = 1) -> None:
        self.board = board
        self.book = book_for(board)
        self.solver = Solver(board, memory_mb * TABLE_SHARE, threads)
        self._tree = new_tree(memory_mb * TREE_SHARE, rng, self.solver.kind)
        self._threads = threads
        self._secured: _Secured | None = None

    def think(
        self, state: DotsAndBoxesState, limit: Limit, stop: StopFlag, *, sampling: bool = True
    ) -> EngineThought:
        """Find a move for `state`, which must not be over.

        Without `sampling` the engine always tries the exact search first, until the limit ends it.
        """
        seconds = limit.time_s
        if seconds is None and limit.nodes is None and sampling:
            seconds = _DEFAULT_S
        watch = SearchWatch(stop.is_set, seconds=seconds, nodes=limit.nodes)
        edges = state.edges
        mover = state.current_player()
        scores = state.scores()
        net = scores[mover] - scores[1 - mover]
        entry = self.book.look_up(edges) if self.book is not None else None
        if entry is not None:
            known = net + entry.value
            thought = EngineThought(entry.edge, Bounds(known, known), known, (entry.edge,), 1)
            return self._secure(edges, mover, thought)
        then = closure(self.board, edges)
        moves = self.solver.count_moves(then.edges)
        wanted = expected_nodes(moves)
        can = _affordable(seconds, limit.nodes, self._threads)
        if not sampling or wanted < 4 * can:
            # Forecasts are inexact. The less certain the success, the more time the playouts keep.
            share = 1.0 if not sampling else 0.9 if wanted < can else 0.6
            part = SearchWatch(
                watch.over,
                seconds=None if seconds is None else seconds * share,
                nodes=None if limit.nodes is None else max(1, int(limit.nodes * share)),
            )
            hope = self._hope(edges, mover)
            found = self._exact(edges, net, then, part, watch, hope=hope, trap=sampling)
            # `part` has counted its nodes separately; the playouts get only the rest.
            watch.spent(part.nodes)
            if found is not None:
                return self._secure(edges, mover, found)
        # A sampled move proves no score.
        self._secured = None
        return self._sampled(edges, net, then, watch)

    def evaluate(
        self, state: DotsAndBoxesState, limit: Limit, stop: StopFlag
    ) -> dict[int, Bounds | float]:
        """Evaluate each free edge: the final net score of the player to move after drawing it.

        An exact score is a `Bounds` with equal ends, a sampled estimate is a float.
        """
        seconds = _DEFAULT_S if limit.time_s is None and limit.nodes is None else limit.time_s
        watch = SearchWatch(stop.is_set, seconds=seconds, nodes=limit.nodes)
        mover = state.current_player()
        scores = state.scores()
        net = scores[mover] - scores[1 - mover]
        children = {
            edge: self.solver.child(state.edges, edge)
            for edge in self.board.members(self.board.full & ~state.edges)
        }
        # Several edges can lead to the same position, which is searched only once.
        rests = {child.then.edges for child in children.values()}
        can = _affordable(seconds, limit.nodes, self._threads)
        worth: dict[int, Bounds | float] = {}
        if sum(expected_nodes(self.solver.count_moves(rest)) for rest in rests) < 4 * can:
            for rest in rests:
                bounds = self.solver.bounds(rest, watch)
                if bounds.exact:
                    worth[rest] = bounds
        missing = [rest for rest in rests if rest not in worth]
        left = None
        if seconds is not None:
            # The exact search may have used all the time; a few playouts are still necessary.
            left = max(0.02, seconds - (now() - watch.started))
        for rest in missing:
            part = SearchWatch(
                watch.over,
                seconds=None if left is None else left / len(missing),
                nodes=None if limit.nodes is None else max(1, limit.nodes // len(missing)),
            )
            worth[rest] = self.sample(rest, 0, part)
        result: dict[int, Bounds | float] = {}
        for edge, child in children.items():
            rest_value = worth[child.then.edges]
            if isinstance(rest_value, Bounds):
                exact = net + child.value(rest_value.low)
                result[edge] = Bounds(exact, exact)
            else:
                result[edge] = net + child.value(rest_value)
        return result

    def sample(self, edges: int, net: int, watch: SearchWatch) -> float:
        """Run playouts from a position without captures until `watch` ends them.

        Returns the mean net score of the player to move from here on; `net` is its net score so
        far.
        """
        if edges == self.board.full:
            return 0.0
        h, v = self.solver.words(edges)
        tree, solver = self._tree, self.solver
        plant(tree, h, v)
        boxes = self.board.num_boxes
        while True:
            piece = _SLICE if watch.nodes_left is None else min(_SLICE, watch.nodes_left)
            before = int(tree.registers[NODES])
            grow(
                before + max(1, piece),
                net,
                boxes,
                FEW,
                SOLVE_NODES,
                EXPLORE,
                tree,
                solver.stack,
                solver.table,
                solver.tables,
            )
            watch.spent(int(tree.registers[NODES]) - before)
            if watch.over() or tree.ints[0, SOLVED]:
                break
        if tree.ints[0, SOLVED]:
            return float(tree.ints[0, VALUE])
        return float(tree.sums[0, NETS] / tree.ints[0, VISITS]) - net

    # -- implementation ----------------------------------------------------------------------

    def _secure(self, edges: int, mover: int, thought: EngineThought) -> EngineThought:
        """Remember the final net score that `mover` can reach after an exact thought."""
        self._secured = _Secured(edges | 1 << thought.edge, mover, thought.value.low)
        return thought

    def _hope(self, edges: int, mover: int) -> int:
        """Return the final net score to test first: the one secured by the last move, or a win."""
        secured = self._secured
        if (
            secured is None
            or secured.seat != mover
            or secured.edges & ~edges  # another line of play: one of these edges is free here
            or secured.final >= 1
        ):
            return 1
        return secured.final

    def _exact(
        self,
        edges: int,
        net: int,
        then: Closure,
        watch: SearchWatch,
        whole: SearchWatch,
        *,
        hope: int,
        trap: bool,
    ) -> EngineThought | None:
        """Find a best move by exact values; None if `watch` ends it before `hope` is proven.

        With `trap` the rest of the time is used to choose among equally good moves.
        """
        solver = self.solver
        # If boxes may be declined, the value of the rest does not follow from `hope`.
        guess = hope - net - then.taken if not then.keeps else 0
        value = solver.bounds(edges, watch, guess=guess)
        if not value.exact and net + value.low < hope:
            return None
        # A proven score is good enough to play for, even if the exact value is still open. Finding
        # a move that reaches it costs little more, and `whole` still has time for that.
        best = solver.best(edges, value.low, watch if value.exact else whole, every=False)
        if not best:
            return None
        edge = best[0]
        if trap and not then.taken and net + value.high <= 0:
            found = self._trap(edges, net, value.low, watch)
            edge = edge if found is None else found
        # The line has no influence on the move, so it gets few nodes.
        pv = solver.line(edges, edge, SearchWatch(watch.over, nodes=2000))
        return EngineThought(
            edge,
            Bounds(net + value.low, net + value.high),
            net + value.low,
            pv,
            watch.nodes,
        )

    def _trap(self, edges: int, net: int, value: int, watch: SearchWatch) -> int | None:
        """Choose, in a position that is not won, the best edge that is hardest for the opponent.

        Returns None if the time was too short, or there is only one best edge.
        """
        best = self.solver.best(edges, value, watch, every=True)
        if best is None or len(best) < 2:
            return None
        # The gain that counts as a mistake of the opponent: a draw in a lost game, else a win.
        target = -net if net + value < 0 else 1 - net
        return best_trap(self.solver, edges, best, target, watch)

    def _sampled(self, edges: int, net: int, then: Closure, watch: SearchWatch) -> EngineThought:
        """Choose a move by playouts; captures come first."""
        board = self.board
        rest = self.sample(then.edges, net + then.taken, watch)
        if then.taken:
            # Taking all is worth taken + rest, declining taken - 2 * keeps - rest.
            edge = next_stroke(board, edges, decline=then.keeps > 0 and rest < -then.keeps)
            estimate = net + then.value(rest)
        else:
            edge, estimate = self._favourite(edges, net)
        left = boxes_left(board, edges)
        # Nothing is proven: either player may get every box that is left.
        return EngineThought(
            edge,
            Bounds(net - left, net + left),
            estimate,
            (edge,),
            int(self._tree.registers[NODES]),
        )

    def _favourite(self, edges: int, net: int) -> tuple[int, float]:
        """Return the most visited move of the tree and its expected final net score.

        A solved move with a better value replaces it. `edges` are the drawn edges at the root.
        """
        ints, sums, moves = self._tree.ints, self._tree.sums, self._tree.moves
        first, count = int(ints[0, FIRST]), int(ints[0, MOVES])
        seen = [row for row in range(first, first + count) if ints[row, VISITS]]
        if not seen:
            # The moves exist only after the second playout.
            return self.solver.cheapest(edges), float(net)
        # Of equally visited moves prefer the one that gives fewer boxes away.
        row = max(seen, key=lambda i: (ints[i, VISITS], -ints[i, CHILD_TAKES]))
        solved = [i for i in seen if ints[i, SOLVED]]
        if solved:
            best = max(solved, key=lambda i: _mean(ints, sums, i))
            if _mean(ints, sums, best) > _mean(ints, sums, row):
                row = best
        estimate = float(sums[row, NETS] / ints[row, VISITS])
        return self.solver.edge_of(edges, int(moves[row, H]), int(moves[row, V])), estimate


def _mean(ints: NDArray[Any], sums: NDArray[Any], row: int) -> float:
    """Return the mean utility of a move."""
    return float(sums[row, 0] / max(1, ints[row, VISITS]))
