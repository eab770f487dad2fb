"""The search with a network: exact values, the prior, the simulations, reuse, halving."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.exact.solver import Solver
from doublecross.bots.zero import planes as p
from doublecross.bots.zero.gumbel import RootStatistics, halve
from doublecross.bots.zero.net import Evaluator, Net, NetError, Uniform
from doublecross.bots.zero.search import ZeroSearch
from doublecross.games.dots_and_boxes.board import Board, board
from tests.bots.zero.tiny import GAME, save_net

SIZE = board(4, 4)


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Net:
    path = tmp_path_factory.mktemp("nets") / "tiny.onnx"
    return Net.load(save_net(path), GAME, p.PLANES)


def quiet(size: Board, rng: Random, free: int) -> int:
    """Return a random position without captures with about `free` free edges."""
    while True:
        edges = sum(1 << e for e in rng.sample(range(size.num_edges), size.num_edges - free))
        then = closure(size, edges).edges
        if then != size.full:
            return then


def search(size: Board, net: Evaluator, **settings: float | bool) -> ZeroSearch:
    return ZeroSearch(size, net, Random(1), memory_mb=8, **settings)  # type: ignore[arg-type]


def test_the_search_alone_proves_values() -> None:
    """Without the exact search, and with a network that knows nothing."""
    size = board(3, 3)
    solver = Solver(size, 1)
    looks = search(size, Uniform(p.PLANES), exact=False)
    rng = Random(3)
    exact = openings = 0
    for _ in range(25):
        edges = quiet(size, rng, rng.randint(9, 14))
        net_score = rng.randint(-2, 2)
        value = solver.bounds(edges).low
        result = looks.run(edges, net_score, 4000, gumbel=False)
        assert result.low <= net_score + value <= result.high
        reached = net_score + solver.move(edges, result.edge).low
        # A won game need not be won by as much as possible.
        assert reached == net_score + value or reached > 0
        exact += result.exact
        openings += any(move.keeps for move in result.moves)
    assert exact > 20
    assert openings > 2


def test_bounds_always_contain_the_value(net: Net) -> None:
    size = board(3, 3)
    solver = Solver(size, 4)
    rng = Random(5)
    some = 0
    for _ in range(15):
        edges = quiet(size, rng, rng.randint(14, 20))
        value = solver.bounds(edges).low
        result = search(size, net, exact_moves=6).run(edges, 1, 60)
        assert result.low <= 1 + value <= result.high
        some += 0 < result.high - result.low < 12
    assert some >= 2


def test_exact_leaves_make_the_result_exact(net: Net) -> None:
    size = board(3, 3)
    solver = Solver(size, 4)
    rng = Random(7)
    for _ in range(5):
        edges = quiet(size, rng, 16)
        result = search(size, net).run(edges, 0, 200, gumbel=False)
        assert result.exact
        assert result.score == solver.bounds(edges).low
        assert result.simulations < 200
        assert solver.move(edges, result.edge).low == result.score


def test_each_search_spends_exactly_its_simulations(net: Net) -> None:
    looks = search(SIZE, net, exact=False)
    for simulations in (1, 2, 7, 50):
        result = looks.run(0, 0, simulations)
        assert result.simulations == result.tries.sum() == simulations
        assert result.evaluations <= simulations + 1
    with pytest.raises(ValueError, match="a simulation at least"):
        looks.run(0, 0, 0)


def test_the_prior_decides_without_other_knowledge(tmp_path: Path) -> None:
    """The network prefers edges of the border, and thinks that all scores are equal."""
    weights = np.zeros((2, p.PLANES, 3, 3), np.float32)
    # A horizontal edge in the uppermost row: there is no board above it.
    weights[0, p.ON_BOARD, 0, 1] = weights[1, p.ON_BOARD, 1, 1] = -8
    flat = np.zeros((p.PLANES, 61), np.float32)
    path = save_net(tmp_path / "border.onnx", policy=weights, score=flat)
    net = Net.load(path, GAME, p.PLANES)
    result = search(SIZE, net, exact=False).run(0, 0, 1, gumbel=False)
    assert result.edge < 4
    chosen = {e: float(x) for e, x in enumerate(result.policy_by_edge(SIZE))}
    assert sum(chosen[e] for e in (0, 1, 2, 3)) > 0.9
    assert sum(chosen.values()) == pytest.approx(1)
    tries = search(SIZE, net, exact=False).run(0, 0, 200, gumbel=False).tries
    assert tries[[m.edges[0] < 4 for m in result.moves]].sum() > 120


def test_the_prior_of_an_opening_is_that_of_all_its_edges(net: Net) -> None:
    size = board(1, 4)
    # A free row of verticals after the first box: a chain of three, and a junction without chains.
    edges = sum(1 << e for e in (1, 2, 5, 6))
    result = search(size, net, exact=False).run(edges, 0, 1)
    logits = net.evaluate(p.encode(size, result.edges)[None]).policy.reshape(-1)[p.cells(size)]
    want = np.array([np.exp(logits[list(move.edges)]).sum() for move in result.moves])
    assert max(len(move.edges) for move in result.moves) > 1
    assert np.allclose(result.priors, want / want.sum(), atol=1e-4)


def test_equal_seeds_give_equal_searches(net: Net) -> None:
    one, two = (search(SIZE, net).run(0, 0, 100) for _ in range(2))
    assert one.tries.tolist() == two.tries.tolist()
    assert (one.edge, one.utility) == (two.edge, two.utility)
    other = ZeroSearch(SIZE, net, Random(2), memory_mb=8).run(0, 0, 100)
    assert other.tries.tolist() != one.tries.tolist()


def test_the_next_move_begins_with_the_tree_of_this_one(net: Net) -> None:
    looks = search(SIZE, net, exact=False)
    first = looks.run(0, 0, 300, gumbel=False)
    played = 1 << first.edge
    fresh = search(SIZE, net, exact=False).run(played, 0, 50, gumbel=False)
    again = looks.run(played, 0, 50, gumbel=False)
    assert fresh.visits.sum() == 50
    assert again.visits.sum() > 50
    assert again.evaluations < fresh.evaluations
    looks.forget()
    assert looks.run(played, 0, 50, gumbel=False).visits.sum() == 50


def test_a_full_tree_is_emptied_and_the_search_still_answers(net: Net) -> None:
    looks = ZeroSearch(SIZE, net, Random(1), exact=False, memory_mb=0.05)
    result = looks.run(0, 0, 500)
    assert 0 < result.simulations < 500
    assert looks.run(1, 0, 5).simulations == 5


def test_a_network_of_another_form_is_refused() -> None:
    with pytest.raises(NetError, match="has 7 planes"):
        ZeroSearch(SIZE, Uniform(7), Random(1))


class _Bandit:
    """Moves with fixed utilities, and a budget of simulations."""

    def __init__(self, utilities: list[float], simulations: int, noise: float = 0) -> None:
        self.utilities = np.array(utilities)
        self.visits = np.zeros(len(utilities), np.int64)
        self.simulations = simulations
        self.order: list[int] = []
        self.noise = np.array([Random(1).gauss(0, noise) for _ in utilities])

    def statistics(self) -> RootStatistics:
        logits = np.full(len(self.visits), -np.log(len(self.visits)))
        return RootStatistics(logits, self.noise, self.visits, self.utilities, 0.0)

    def allowed(self, *, last: bool) -> np.ndarray:  # type: ignore[type-arg]
        return np.ones(len(self.visits), bool)

    def visit(self, move: int) -> bool:
        self.visits[move] += 1
        self.order.append(move)
        return False

    def is_over(self, done: int) -> bool:
        return done >= self.simulations

    def expected(self, done: int) -> float:
        return self.simulations


@pytest.mark.parametrize(
    ("moves", "simulations", "tries"),
    [
        (16, 200, {3: 8, 9: 4, 21: 2, 49: 2}),
        (16, 400, {6: 8, 18: 4, 43: 2, 97: 2}),
        (40, 16, {0: 24, 1: 16}),
        (4, 4, {1: 4}),
        (1, 9, {9: 1}),
    ],
)
def test_halving_visits_the_moves_as_in_the_paper(
    moves: int, simulations: int, tries: dict[int, int]
) -> None:
    bandit = _Bandit([i / moves for i in range(moves)], simulations)
    result = halve(bandit, bandit)
    assert Counter(result.tries.tolist()) == tries
    assert result.done == simulations
    if simulations > moves:
        assert result.move == moves - 1


def test_the_improved_policy_prefers_better_moves() -> None:
    now = RootStatistics(
        np.log(np.array([0.5, 0.25, 0.25])),
        np.zeros(3),
        np.array([4, 4, 0]),
        np.array([-0.5, 0.5, 0.0]),
        0.2,
    )
    # The mean of the visited moves by their priors is -1/6; with the root's own utility 0.2 it
    # gives (0.2 - 8/6) / 9 for the move without visits.
    assert now.completed().tolist() == pytest.approx([-0.5, 0.5, (0.2 - 8 / 6) / 9])
    policy = now.improved()
    assert policy.sum() == pytest.approx(1)
    assert policy[1] > 0.9
    assert policy[2] > policy[0]
