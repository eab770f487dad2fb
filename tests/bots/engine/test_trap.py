"""Check the choice among equally good edges of a lost game, against brute force."""

from __future__ import annotations

from random import Random

from doublecross.bots.api import Limit, NeverStop
from doublecross.bots.engine.engine import Engine, prepare
from doublecross.bots.engine.trap import best_trap
from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.games.dots_and_boxes.board import Board, board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from tests.bots.search.brute import random_quiet, table


def safe(shape: Board, edges: int) -> list[int]:
    return [
        edge
        for edge in shape.members(shape.full & ~edges)
        if not closure(shape, edges | 1 << edge).taken
    ]


def share(shape: Board, edges: int, edge: int, target: int) -> float | None:
    """Return the share of safe replies to `edge` after which the mover can reach `target`.

    Return None when the edge, or each reply, hands boxes over.
    """
    after = edges | 1 << edge
    replies = safe(shape, after)
    if edge not in safe(shape, edges) or not replies:
        return None
    return sum(table(3, 3)[after | 1 << reply] >= target for reply in replies) / len(replies)


def test_the_edge_with_most_losing_replies_is_found() -> None:
    rng, shape = Random(4), board(3, 3)
    solver = Solver(shape, 4)
    differing = 0
    for _ in range(150):
        edges = random_quiet(shape, rng, rng.randint(8, 20))
        value = int(table(3, 3)[edges])
        best = solver.best(edges, value, SearchWatch(), every=True) or ()
        target = value + 2
        shares = {edge: share(shape, edges, edge, target) for edge in best}
        known = [each for each in shares.values() if each is not None]
        found = best_trap(solver, edges, best, target, SearchWatch())
        if not known:
            assert found is None
            continue
        assert found is not None
        assert shares[found] == max(known)
        differing += shares[found] != shares[best[0]]
    assert differing > 15


def test_without_time_there_is_no_choice() -> None:
    shape = board(3, 3)
    assert best_trap(Solver(shape, 1), 0, (0, 1, 2), -1, SearchWatch(seconds=0)) is None


def test_the_engine_sets_traps_and_stays_exact() -> None:
    rng = Random(11)
    game = DotsAndBoxes({"rows": 3, "cols": 3})
    prepare()
    engine = Engine(game.board, Random(1), 8)
    lost = 0
    for _ in range(60):
        edges = random_quiet(game.board, rng, rng.randint(10, 18))
        state = game.initial_state(game.board.members(edges))
        value = int(table(3, 3)[edges])
        thought = engine.think(state, Limit(nodes=200_000), NeverStop())
        assert thought.value == (value, value)
        child = engine.solver.move(edges, thought.edge)
        assert child == (value, value)
        if value > 0:
            continue
        target = 0 if value < 0 else 1
        shares = {
            edge: share(game.board, edges, edge, target)
            for edge in engine.solver.best(edges, value, SearchWatch(), every=True) or ()
        }
        known = [each for each in shares.values() if each is not None]
        if known:
            lost += 1
            assert shares[thought.edge] == max(known)
    assert lost > 10
