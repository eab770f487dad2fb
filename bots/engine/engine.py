"""The engine: find the best move within the limits, and its value.

Theory of operation
-------------------
The engine forecasts how many nodes the exact search will take from the number of moves (safe edges
and openings). The logarithm of the number of nodes grows by 0.44 with each move, on boards from 3x6
to 6x6, and half of the forecasts are right within a factor of 1.5 (`expected_nodes`).

- If the exact value is within reach, the engine computes it. It first asks the question that
  decides the game: can the player to move still win?
- If it is a little out of reach, playouts that end in exact values
  (`doublecross.bots.search.sampling.playout_tree`) rank the moves, and the exact search tests them
  in this order (`doublecross.bots.engine.candidates`). A test takes far fewer nodes than the value
  of the position.
- Otherwise the playouts choose the move.

With a network, the search of `doublecross.bots.zero` takes the place of the playouts
(`doublecross.bots.engine.net_search`).

Positions of the opening book (`doublecross.bots.engine.book`) need no search.

Captures need no search either: the engine makes them, and the exact or sampled value of the rest
decides whether to decline the last boxes.

On boards of more than 49 boxes playouts end in estimates
(`doublecross.bots.search.sampling.sketch`) until about half of the boxes are taken.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

from doublecross.bots.api import Limit, StopFlag
from doublecross.bots.clock import now
from doublecross.bots.engine.book import book_for
from doublecross.bots.engine.candidates import best_candidate
from doublecross.bots.engine.net_search import NetSearch
from doublecross.bots.engine.playouts import MOST, Playouts
from doublecross.bots.engine.pondering import Pondering
from doublecross.bots.engine.thought import EngineThought
from doublecross.bots.engine.trap import best_trap
from doublecross.bots.search.exact.analysis import analyse
from doublecross.bots.search.exact.bounds import Bounds
from doublecross.bots.search.exact.closure import Closure, boxes_left, closure
from doublecross.bots.search.exact.layout import corner, kernels_for
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.bots.search.forecast import Pace, expected_nodes
from doublecross.bots.search.jit import warm_up
from doublecross.bots.turns import next_stroke
from doublecross.bots.zero.net import Evaluator
from doublecross.games.dots_and_boxes.board import Board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

FEW: Final = 12
"""The number of moves from which a playout is solved exactly, with some dozens of nodes."""
FEW_SHORT: Final = 14
"""The same under a limit of at most `_SHORT` nodes: fewer playouts, but more accurate ones."""
_SHORT: Final = 0.5e6
"""With more nodes, about half a second, the tree grows deep enough for cheaper playouts."""
_DEFAULT_S: Final = 1.0
"""Seconds for a search without any limit."""
TABLE_SHARE: Final = 0.7
"""The part of the memory for the transposition table; a sixteenth of it goes to the nimbers."""
TREE_SHARE: Final = 0.25
"""The part of the memory for the playout tree; the search with a network gets half of it."""
_TRIED: Final = 1.0
"""The exact search is tried if its forecast is at most this many times what the limits allow."""
_TESTED: Final = 5.0
"""The same for tests of single moves."""
_TESTED_NET: Final = 20.0
"""The same with a network, which more often ranks a good move first."""
_GLANCE: Final = 30_000
"""Nodes for the estimate of a position in which the next capture needs no decision."""
_LIKELY_WON: Final = 1.0
"""With a larger expected net score, moves are tested for a win before one for a draw."""
_RANKING: Final = 0.5
"""The part of the limits for the playouts that decide which moves are tested first."""
_RANKING_NET: Final = 0.1
"""The same for the search with a network, whose order soon changes little."""


def prepare(shape: Board | None = None) -> None:
    """Compile the kernels for boards like `shape`; this takes time only once on each machine.

    Without `shape`, they are those for boards of up to 64 dots.
    """
    name, board = kernels_for("engine", shape)
    warm_up(name, lambda: _use_kernels(board))


def _use_kernels(board: Board) -> None:
    engine, edges = Engine(board, Random(1), 1), corner(board)
    analyse(engine.solver, edges, SearchWatch(), every_move=True)
    engine.sample(edges, 0, SearchWatch(nodes=2000))


class _Secured(NamedTuple):
    """The final net score that `seat` can reach after its last move; `edges` are drawn then."""

    edges: int
    seat: int
    final: int


class Engine:
    """Searches the positions of one game on `board`; `memory_mb` bounds the sum of its tables.

    The exact search uses up to `threads` threads. With a `net` its search takes the place
    of the playouts.
    """

    def __init__(
        self,
        board: Board,
        rng: Random,
        memory_mb: float,
        threads: int = 1,
        *,
        net: Evaluator | None = None,
    ) -> None:
        self.board = board
        self.book = book_for(board)
        self.solver = Solver(board, memory_mb * TABLE_SHARE, threads)
        self.pace = Pace()
        tree_mb = memory_mb * TREE_SHARE / (1 if net is None else 2)
        self.playouts = Playouts(self.solver, tree_mb, rng, FEW, self.pace)
        self._sampler: Playouts | NetSearch = self.playouts
        self._tested, self._ranking = _TESTED, _RANKING
        if net is not None:
            self._sampler = NetSearch(board, net, tree_mb, rng, self.pace)
            self._tested, self._ranking = _TESTED_NET, _RANKING_NET
        self.pondering = Pondering(self.solver, self.playouts)
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
        wanted = self.pondering.left(then.edges, expected_nodes(moves))
        can = self._affordable(seconds, limit.nodes)
        hope = self._hope(edges, mover)
        short = can < _SHORT and self.board.num_boxes <= MOST
        self.playouts.few = FEW_SHORT if short else FEW
        if not sampling or wanted < _TRIED * can:
            # Forecasts are inexact. The less certain the success, the more time the playouts keep.
            share = 0.9 if sampling else 1.0
            part = _part(watch, limit.nodes, seconds, share)
            found = self._exact(edges, net, then, part, watch, hope=hope, trap=sampling)
            # `part` has counted its nodes separately; the playouts get only the rest.
            watch.spent(part.nodes)
            if found is not None:
                return self._secure(edges, mover, found)
        if then.taken or wanted >= self._tested * can:
            thought = self._sampled(edges, net, then, watch)
        else:
            part = _part(watch, watch.nodes_left, watch.seconds_left, self._ranking)
            self._sampler.run(edges, net, part)
            watch.spent(part.nodes)
            thought = self._test(edges, net, watch, hope)
            if thought.value.low >= hope:
                return self._secure(edges, mover, thought)
        # A sampled move proves no score.
        self._secured = None
        return thought

    def ponder(self, state: DotsAndBoxesState, stop: StopFlag) -> None:
        """Search the likely replies to `state` until `stop` is set.

        The opponent is to move in `state`, which must not be over.
        """
        self.pondering.run(state, self._hope(state.edges, 1 - state.current_player()), stop)

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
        can = self._affordable(seconds, limit.nodes)
        self.playouts.few = FEW
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
        return self.playouts.run(edges, net, watch)

    # -- implementation ----------------------------------------------------------------------

    def _affordable(self, seconds: float | None, nodes: int | None) -> float:
        """Return how many nodes the limits allow."""
        return self.pace.affordable(seconds, nodes, self._threads)

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
        # The pv has no influence on the move, so it gets few nodes.
        pv = solver.pv(edges, edge, SearchWatch(watch.over, nodes=2000))
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

    def _sampled(
        self,
        edges: int,
        net: int,
        then: Closure,
        watch: SearchWatch,
    ) -> EngineThought:
        """Choose a move by playouts, or with a network; captures come first."""
        sampler = self._sampler
        if then.taken and not then.keeps:
            left = watch.nodes_left
            watch = SearchWatch(watch.over, nodes=_GLANCE if left is None else min(_GLANCE, left))
        rest = sampler.run(then.edges, net + then.taken, watch)
        if not then.taken:
            order, mean = sampler.ranking(edges)
            return self._unproven(edges, net, order[0], net if mean is None else mean, watch)
        # Taking all is worth taken + rest, declining taken - 2 * keeps - rest.
        decline = then.keeps > 0 and rest < -then.keeps
        edge = next_stroke(self.board, edges, decline=decline)
        return self._unproven(edges, net, edge, net + then.value(rest), watch)

    def _test(self, edges: int, net: int, watch: SearchWatch, hope: int) -> EngineThought:
        """Test the moves of a position without captures in the order of the ranking before.

        A test asks whether the move reaches the final net score `hope`. If that is a win and the
        board allows draws, there are two rounds: one for a win, one for a draw. The more likely of
        both comes first.
        """
        order, mean = self._sampler.ranking(edges)
        mean = net if mean is None else mean
        hopes = [hope]
        if hope > 0 and self.board.num_boxes % 2 == 0:
            hopes = [hope, 0] if mean > _LIKELY_WON else [0, hope]
        edge, proven = order[0], None
        for each in hopes:
            verdict = best_candidate(self.solver, edges, order, each - net, watch)
            if verdict.proven:
                edge, proven = verdict.edge, each
            elif proven is None:
                edge = verdict.edge
            # Without time another round would know less than this one; a win and a refuted draw
            # leave nothing to test.
            if watch.over() or proven == hope or (verdict.refuted and each < hope):
                break
        thought = self._unproven(edges, net, edge, mean, watch)
        if proven is None:
            return thought
        estimate = max(float(proven), thought.estimate)
        return replace(thought, value=Bounds(proven, thought.value.high), estimate=estimate)

    def _unproven(
        self, edges: int, net: int, edge: int, estimate: float, watch: SearchWatch
    ) -> EngineThought:
        """Return a thought about a move of which nothing is proven."""
        # Either player may get every box that is left.
        left = boxes_left(self.board, edges)
        bounds = Bounds(net - left, net + left)
        return EngineThought(edge, bounds, estimate, (edge,), watch.nodes)


def _part(
    whole: SearchWatch, nodes: int | None, seconds: float | None, share: float
) -> SearchWatch:
    """Return a watch for a share of `nodes` and of `seconds`, which also ends with `whole`."""
    return SearchWatch(
        whole.over,
        seconds=None if seconds is None else seconds * share,
        nodes=None if nodes is None else max(1, int(nodes * share)),
    )
