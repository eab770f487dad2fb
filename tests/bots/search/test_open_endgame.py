"""Check the endgame of `control` rollouts against exact values."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.bots.search.chance import seeded
from doublecross.bots.search.exact.solver import Solver
from doublecross.bots.search.sampling import board as ob
from doublecross.bots.search.sampling.endgame import control_rollout, value_of_openings
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import analyse, safe_edges


def out_of_safe_edges(rows: int, cols: int, seed: int) -> DotsAndBoxesState:
    """Return a random position in which the mover must open a chain or loop."""
    rng = Random(seed)
    state = DotsAndBoxes({"rows": rows, "cols": cols}).initial_state()
    while safe := safe_edges(state):
        state.apply(rng.choice(safe))
    return state


@pytest.mark.parametrize(
    ("rows", "cols", "right"), [(1, 6, 60), (2, 4, 58), (4, 4, 50), (5, 5, 45), (3, 7, 45)]
)
def test_openings_are_valued_as_best_play_does(rows: int, cols: int, right: int) -> None:
    """Values are exact without junctions; of all 60 positions at least `right` are exact."""
    game = DotsAndBoxes({"rows": rows, "cols": cols})
    solver = Solver(game.board, 8)
    same = 0
    for seed in range(60):
        state = out_of_safe_edges(rows, cols, seed)
        value = value_of_openings(
            ob.tables_of(game.board),
            ob.position_of(state),
            ob.scratch_of(game.board),
            seeded(Random(seed)),
        )
        best = solver.bounds(state.edges).low
        assert (value - best) % 2 == 0
        if not analyse(state).junctions:
            assert value == best
        same += value == best
    assert same >= right


@pytest.mark.parametrize("drawn", [0, 20, 60, 120])
def test_a_rollout_gives_every_box_to_somebody(drawn: int) -> None:
    game = DotsAndBoxes({"rows": 8, "cols": 9})
    scratch, chance = ob.scratch_of(game.board), seeded(Random(2))
    for seed in range(20):
        rng = Random(seed)
        state = game.initial_state()
        for _ in range(drawn):
            state.apply(rng.choice(state.legal_actions()))
        position = ob.position_of(state)
        control_rollout(ob.tables_of(game.board), position, scratch, chance)
        first, second = int(position.counts[0]), int(position.counts[1])
        assert first + second == 72
        assert first >= state.scores()[0]
        assert second >= state.scores()[1]


def test_the_player_who_must_open_first_loses_by_control() -> None:
    # Two chains of 5, side by side: the first opened gives 5, but the taker leaves two of them
    # and gets the other chain. The rules player's rollout shares them out.
    game = DotsAndBoxes({"rows": 2, "cols": 5})
    board = game.board
    state = game.initial_state(range(15))
    assert not safe_edges(state)
    position = ob.position_of(state)
    mover = state.current_player()
    control_rollout(ob.tables_of(board), position, ob.scratch_of(board), seeded(Random(1)))
    assert position.counts[1 - mover] - position.counts[mover] == 6
