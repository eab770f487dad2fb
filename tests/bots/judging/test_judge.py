"""The judge of `doublecross review`: exact near the end, estimates with an error before."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.bots.judging.judge import BoxesJudge, ReviewLimits
from doublecross.bots.search.exact.solver import Solver
from doublecross.bots.zero.net import Uniform
from doublecross.bots.zero.planes import PLANES
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from tests.analysis.judges import BruteJudge


def game_of(rows: int, cols: int) -> DotsAndBoxes:
    return DotsAndBoxes({"rows": rows, "cols": cols})


def random_states(game: DotsAndBoxes, seed: int) -> list[DotsAndBoxesState]:
    rng, state, found = Random(seed), game.initial_state(), []
    while not state.is_terminal():
        found.append(state.clone())
        state.apply(rng.choice(state.legal_actions()))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_exact_judgements_are_right(seed: int) -> None:
    game, brute = game_of(2, 3), BruteJudge()
    judge = BoxesJudge(game.board, Uniform(PLANES))
    rng = Random(seed)
    for state in random_states(game, seed):
        action = rng.choice(state.legal_actions())
        found, true = judge.judge(state, action), brute.judge(state, action)
        assert (found.before, found.played) == (true.before, true.played)
        assert set(found.best) == set(true.best)
        assert found.every
        assert found.pv[0] == found.best[0]
        assert found.best[0] == action or action not in true.best


def test_without_enough_nodes_values_are_estimates() -> None:
    game = game_of(3, 3)
    limits = ReviewLimits(nodes=20, simulations=8, memory_mb=4)
    judge = BoxesJudge(game.board, Uniform(PLANES), limits)
    exact = {True: 0, False: 0}
    for state in random_states(game, 1):
        action = state.legal_actions()[0]
        found = judge.judge(state, action)
        exact[found.exact] += 1
        assert found.before.exact or found.before.spread > 0.5
        assert found.cost(state.current_player()).net >= 0
        assert all(edge in state.legal_actions() for edge in found.best)
        if found.exact and len(state.legal_actions()) < 12:
            value = Solver(game.board, 1).bounds(state.edges).low
            mine = found.before.of(state.current_player())
            scores = state.scores()
            mover = state.current_player()
            assert mine == scores[mover] - scores[1 - mover] + value
    assert exact[True] > 3
    assert exact[False] > 3


def test_judgements_are_the_same_every_time() -> None:
    game = game_of(3, 3)
    limits = ReviewLimits(nodes=20, simulations=8, memory_mb=4)
    runs = []
    for _ in range(2):
        judge = BoxesJudge(game.board, Uniform(PLANES), limits)
        runs.append(
            [judge.judge(state, state.legal_actions()[0]) for state in random_states(game, 2)]
        )
    assert runs[0] == runs[1]


def test_a_loss_is_not_hidden_when_no_best_edge_was_found_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = game_of(2, 2)
    judge = BoxesJudge(game.board, Uniform(PLANES))
    monkeypatch.setattr(judge._solver, "best", lambda *_args, **_given: ())
    state = game.initial_state([game.parse_action(name) for name in ("a4", "a2", "c4")])
    found = judge.judge(state, game.parse_action("b5"))
    assert not found.every
    assert found.best != (game.parse_action("b5"),)
    assert found.cost(state.current_player()).boxes > 0
