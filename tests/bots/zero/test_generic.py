"""Other games with a network: planes of their grids, and the search in Python."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

from doublecross.bots.zero import grids as g
from doublecross.bots.zero.generic import GenericSearch
from doublecross.bots.zero.net import Net, NetError, Uniform
from doublecross.games.api import State
from doublecross.games.registry import GAMES, game_class
from tests.bots.zero.tiny import save_net

BLANK = Uniform(g.GENERIC_PLANES, span=1, actions=1)
TIC = game_class("tic-tac-toe")()
FOUR = game_class("connect-four")()


@cache
def value(history: tuple[int, ...]) -> int:
    """Return the result of tic-tac-toe with best play, for seat 0."""
    state = TIC.initial_state()
    for action in history:
        state.apply(action)
    if state.is_terminal():
        return round(state.returns()[0])
    best = max if state.current_player() == 0 else min
    return best(value((*history, action)) for action in state.legal_actions())


def random_tic(rng: Random, plies: int) -> State:
    while True:
        state = TIC.initial_state()
        while state.ply < plies and not state.is_terminal():
            state.apply(rng.choice(state.legal_actions()))
        if not state.is_terminal():
            return state


def test_an_action_of_connect_four_aims_at_the_cell_where_the_disc_falls() -> None:
    grid = g.grid_of(FOUR)
    assert (grid.rows, grid.cols, len(grid.cells)) == (6, 7, 42)
    assert grid.actions[2] == (2, 9, 16, 23, 30, 37)
    state = FOUR.initial_state()
    for action in (2, 2, 0):
        state.apply(action)
    planes = g.encode_state(state)
    assert planes.shape == (g.GENERIC_PLANES, 6, 7)
    # Seat 1 is to move. Its disc lies on the first one.
    assert planes[g.SECOND].min() == 1
    assert np.argwhere(planes[g.MINE]).tolist() == [[4, 2]]
    assert np.argwhere(planes[g.THEIRS]).tolist() == [[5, 0], [5, 2]]
    assert planes[g.EMPTY].sum() == 39
    assert sorted(g.targets(state).items()) == [
        *((0, (28,)), (1, (36,)), (2, (23,)), (3, (38,)), (4, (39,)), (5, (40,)), (6, (41,))),
    ]
    assert np.flatnonzero(planes[g.LEGAL]).tolist() == [23, 28, 36, 38, 39, 40, 41]
    assert state.history() == (2, 2, 0)


def test_only_the_empty_cells_of_tic_tac_toe_are_legal() -> None:
    state = TIC.initial_state()
    state.apply(4)
    planes = g.encode_state(state)
    assert planes[g.LEGAL].tolist() == [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
    assert planes[g.ON_BOARD].min() == 1
    assert planes[g.LEFT, 0, 0] == pytest.approx(8 / 9)


def test_dots_and_boxes_is_no_grid_and_other_games_are() -> None:
    seen = {key: g.is_grid(kind().geometry()) for key, kind in GAMES.items()}
    assert seen == {key: key != "dots-and-boxes" for key in GAMES}
    with pytest.raises(NetError, match="cannot see the board of Dots and Boxes"):
        g.grid_of(game_class("dots-and-boxes")())


def test_the_search_proves_the_result_of_tic_tac_toe() -> None:
    rng = Random(2)
    exact = 0
    for _ in range(12):
        state = random_tic(rng, rng.randint(2, 5))
        result = GenericSearch(TIC, BLANK, Random(1)).run(state, 700, gumbel=False)
        sign = 1 if state.current_player() == 0 else -1
        want = sign * value(state.history())
        assert result.low <= want <= result.high
        exact += result.low == result.high
        assert sign * value((*state.history(), result.action)) == want
    assert exact > 6


def test_simulations_seeds_and_reuse() -> None:
    state = FOUR.initial_state()
    one, two = (GenericSearch(FOUR, BLANK, Random(4)).run(state, 60) for _ in range(2))
    assert one.simulations == one.tries.sum() == one.visits.sum() == 60
    assert one.evaluations == 61
    assert one.tries.tolist() == two.tries.tolist()
    search = GenericSearch(FOUR, BLANK, Random(4))
    first = search.run(state, 200, gumbel=False)
    state.apply(first.action)
    again = search.run(state, 20, gumbel=False)
    assert again.visits.sum() > 20
    other = FOUR.initial_state()
    other.apply(first.action)
    other.apply(3)
    assert GenericSearch(FOUR, BLANK, Random(4)).run(other, 20).visits.sum() == 20


def test_the_prior_of_an_action_is_that_of_its_targets(tmp_path: Path) -> None:
    path = save_net(
        tmp_path / "four.onnx", game="connect-four", planes=g.GENERIC_PLANES, actions=1, span=1
    )
    net = Net.load(path, "connect-four", g.GENERIC_PLANES)
    state = FOUR.initial_state()
    result = GenericSearch(FOUR, net, Random(1)).run(state, 1)
    logits = net.evaluate(g.encode_state(state)[None]).policy[0, 0]
    want = np.exp(logits[5])
    assert np.allclose(result.priors, want / want.sum(), atol=1e-5)


def test_a_network_of_dots_and_boxes_is_refused() -> None:
    with pytest.raises(NetError, match="needs 7 and 1"):
        GenericSearch(TIC, Uniform(24), Random(1))


def test_a_winning_move_needs_no_network() -> None:
    state = TIC.initial_state()
    for action in (0, 3, 1, 4):
        state.apply(action)
    search = GenericSearch(TIC, BLANK, Random(1))
    result = search.run(state, 1)
    assert (result.low, result.high, result.action, result.evaluations) == (1, 1, 2, 0)
    # The improved policy has only winning moves.
    assert result.policy.tolist() == [1.0, 0.0, 0.0, 0.0, 0.0]
    state.apply(8)
    # The opponent wins at once; nothing else matters.
    assert search.run(state, 1).action == 5
