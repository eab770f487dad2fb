"""Check what the engine does beyond the reach of the exact search, such as tests of moves."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.search.late import FILE
from benchmarks.search.late_positions import load
from doublecross.bots.api import Limit, NeverStop
from doublecross.bots.engine.candidates import Verdict, best_candidate
from doublecross.bots.engine.engine import Engine, prepare
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.bots.search.forecast import FURTHER, SPEED, Pace, expected_nodes
from doublecross.games.dots_and_boxes.board import board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from tests.bots.search.brute import random_quiet


@pytest.fixture(autouse=True, scope="module")
def kernels() -> None:
    prepare()


def quiet(rng: Random, free: int) -> tuple[Solver, int, dict[int, int]]:
    """Return a solver, a 3x3 position without captures, and the values of its safe edges."""
    shape = board(3, 3)
    solver = Solver(shape, 4)
    while True:
        edges = random_quiet(shape, rng, free)
        children = {edge: solver.child(edges, edge) for edge in shape.members(shape.full & ~edges)}
        safe = {edge: each for edge, each in children.items() if not each.then.taken}
        if len(safe) > 3:
            values = {edge: -solver.bounds(each.then.edges).low for edge, each in safe.items()}
            return Solver(shape, 4), edges, values


def test_the_first_move_that_is_worth_the_target_is_proven() -> None:
    rng = Random(3)
    seen = 0
    for _ in range(10):
        solver, edges, values = quiet(rng, 14)
        order = sorted(values, key=values.__getitem__)
        best = values[order[-1]]
        if best == values[order[0]]:
            continue
        seen += 1
        first = next(edge for edge in order if values[edge] >= best)
        found = best_candidate(solver, edges, order, best, SearchWatch())
        assert found == Verdict(first, proven=True, refuted=False)
        lost = best_candidate(solver, edges, order, best + 2, SearchWatch())
        assert not lost.proven
        assert lost.refuted
        assert lost.edge in order
    assert seen > 3


def test_without_time_the_favourite_of_the_playouts_is_played() -> None:
    solver, edges, values = quiet(Random(5), 14)
    order = list(values)
    watch = SearchWatch(nodes=1)
    watch.spent(1)
    found = best_candidate(solver, edges, order, max(values.values()), watch)
    assert found == Verdict(order[0], proven=False, refuted=False)


def test_tests_of_moves_prove_a_win_that_the_playouts_alone_do_not() -> None:
    """A position from a game, whose exact value takes more nodes than the limit allows."""
    _, positions = load(FILE)
    game = DotsAndBoxes({"rows": 5, "cols": 5})
    nodes, proven = 250_000, 0
    for position in [each for each in positions if each.free == 41 and each.result == "win"][:4]:
        state = position.state(game)
        engine = Engine(game.board, Random(1), 16)
        moves = engine.solver.count_moves(state.edges)
        if expected_nodes(moves) <= nodes:
            continue
        thought = engine.think(state, Limit(nodes=nodes), NeverStop())
        assert thought.nodes <= nodes * 1.1
        if thought.value.low >= 1:
            proven += 1
            assert thought.edge in position.keeps
            assert thought.estimate >= 1
    assert proven


def test_the_pace_follows_the_searches_of_this_machine() -> None:
    pace = Pace()
    assert pace.speed == SPEED
    at_first = pace.affordable(2.0, None, 1)
    assert 0 < at_first < 2 * SPEED  # a node of the exact search takes longer
    pace.learn(50_000, 0.01)  # too short to say anything
    assert pace.speed == SPEED
    for _ in range(8):
        pace.learn(300_000, 0.1)
    known = pace.affordable(2.0, None, 1)
    assert known == pytest.approx(at_first * 3e6 / SPEED)
    assert pace.affordable(2.0, None, 2) == pytest.approx(known * (1 + FURTHER))
    assert pace.affordable(1.0, 1000, 2) == 1000
    for _ in range(8):
        pace.learn(100_000, 0.1)
    assert 1e6 < pace.speed < 1.1e6


def test_a_capture_without_a_choice_takes_hardly_any_search() -> None:
    game = DotsAndBoxes({"rows": 6, "cols": 6})
    # Three edges of the corner box, far from the end: the only good move is to take it.
    corner = game.board.box_edges[0]
    state = game.initial_state(corner[:3])
    engine = Engine(game.board, Random(1), 8)
    thought = engine.think(state, Limit(time_s=600), NeverStop())
    assert thought.edge == corner[3]
    assert thought.nodes < 60_000
