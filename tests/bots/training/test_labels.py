"""The teacher `labels` agrees with the solver."""

import numpy as np
import pytest

from doublecross.bots.search.exact.solver import Solver
from doublecross.bots.training.settings import TrainError, TrainSettings
from doublecross.bots.training.teachers.labels import Labeller, LabelRange, range_of
from doublecross.bots.training.teachers.samples import Samples
from doublecross.games.dots_and_boxes.board import Board, board

SMALL = board(2, 3)


@pytest.fixture(scope="module")
def made() -> Samples:
    return Labeller(SMALL, 4).make(150, "test")


def drawn_of(samples: Samples, row: int) -> int:
    return sum(1 << int(edge) for edge in np.flatnonzero(samples.drawn[row]))


def test_scores_are_the_values_of_the_solver(made: Samples) -> None:
    solver = Solver(SMALL, 4)
    for row in range(0, len(made), 7):
        assert solver.bounds(drawn_of(made, row)) == (made.score[row], made.score[row])


def test_the_edges_with_most_weight_are_best_edges(made: Samples) -> None:
    solver = Solver(SMALL, 4)
    for row in range(0, len(made), 7):
        edges = drawn_of(made, row)
        worth = solver.moves(edges)
        # A safe edge is a move of its own, so its weight is that of the move.
        safe = [
            edge
            for edge in np.flatnonzero(made.legal[row])
            if solver.child(edges, int(edge)).then.taken == 0
        ]
        for edge in safe:
            for other in safe:
                if worth[int(edge)].low > worth[int(other)].low:
                    assert made.policy[row, edge] > made.policy[row, other]


def test_weights_are_on_free_edges_and_add_up(made: Samples) -> None:
    assert not (made.legal & made.drawn).any()
    assert not made.policy[~made.legal].any()
    assert (abs(made.policy.sum(1, dtype=int) - 255) <= SMALL.num_edges // 2).all()


def test_ownership_adds_up_to_the_score(made: Samples) -> None:
    assert made.owned.any()
    assert not made.owned.all()  # some games had mistakes
    left = ~made.drawn[:, np.array(SMALL.box_edges)].all(2)
    net = ((made.ownership / 127.5 - 1) * left).sum(1)
    assert np.allclose(net[made.owned], made.score[made.owned], atol=0.05)


def test_the_seed_decides() -> None:
    one, again, other = (Labeller(SMALL, 4).make(30, seed) for seed in (1, 1, 2))
    assert (one.drawn == again.drawn).all()
    assert (one.policy == again.policy).all()
    assert one.drawn.shape != other.drawn.shape or (one.drawn != other.drawn).any()


def test_positions_that_take_too_long_are_left_out() -> None:
    made = Labeller(SMALL, 4).make(5, 1, LabelRange(17, 17, 120))
    free = (~made.drawn).sum(1)
    assert free.max() < 17


@pytest.mark.parametrize("size", [board(3, 3), board(5, 5)], ids=["3x3", "5x5"])
def test_small_boards_are_labelled_from_the_first_move(size: Board) -> None:
    assert (range_of(size).most == size.num_edges) == (size.num_edges <= 24)


def test_labels_begin_at_the_number_of_free_edges_in_the_settings() -> None:
    within = range_of(board(5, 5), 30)
    assert (within.least, within.most) == (16, 30)
    assert range_of(board(5, 5)).most == 28
    assert range_of(board(4, 4), 99).most == 30
    with pytest.raises(TrainError, match="label_edges is from 16 to 36, not 15"):
        TrainSettings(label_edges=15)
