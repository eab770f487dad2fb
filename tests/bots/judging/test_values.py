"""Values of all edges of a position: exact, estimated, and in games without boxes."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.analysis.judgement import Estimate
from doublecross.bots.judging.judge import BoxesJudge, ReviewLimits
from doublecross.bots.judging.limits import Stopped
from doublecross.bots.judging.solved import SolvedJudge, TooLargeError
from doublecross.bots.minimax import minimax
from doublecross.bots.zero.net import Uniform
from doublecross.bots.zero.planes import PLANES
from doublecross.games.api import Game, State
from doublecross.games.registry import game_class
from tests.analysis.judges import value
from tests.bots.judging.test_judge import game_of, random_states

FEW = ReviewLimits(nodes=20, simulations=12, memory_mb=4)


def played_out(state: State, pv: tuple[int, ...]) -> State:
    after = state.clone()
    for action in pv:
        after.apply(action)
    return after


@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (2, 3)])
def test_all_edges_have_their_true_values(rows: int, cols: int) -> None:
    game = game_of(rows, cols)
    judge = BoxesJudge(game.board, Uniform(PLANES), ReviewLimits(memory_mb=4))
    for seed in range(3):
        for state in random_states(game, seed):
            found = judge.values(state)
            true = {
                edge: Estimate(value(played_out(state, (edge,))))  # type: ignore[arg-type]
                for edge in state.legal_actions()
            }
            assert {each.action: each.value for each in found.actions} == true
            assert found.exact
            assert found.value == found.actions[0].value == Estimate(value(state))
            # The line is best play up to the end.
            assert found.pv[0] == found.actions[0].action
            end = played_out(state, found.pv)
            assert end.is_terminal()
            assert end.scores()[0] - end.scores()[1] == found.value.mean
            judgement = judge.judge(state, found.pv[0])
            assert judgement.before == found.value
            assert set(judgement.best) == {
                each.action for each in found.actions if each.value == found.value
            }


def test_what_is_not_proved_is_an_estimate_within_bounds() -> None:
    game = game_of(3, 3)
    judge = BoxesJudge(game.board, Uniform(PLANES), FEW)
    kinds = set()
    for state in random_states(game, 1):
        before = state.serialize()
        found = judge.values(state)
        assert state.serialize() == before
        seat, scores = state.current_player(), state.scores()
        assert sorted(each.action for each in found.actions) == state.legal_actions()
        worths = [each.value.of(seat) for each in found.actions]
        assert worths == sorted(worths, reverse=True)
        assert found.pv[0] == found.actions[0].action
        assert not found.exact or played_out(state, found.pv).is_terminal()
        played_out(state, found.pv)  # every move of it is legal
        left = 9 - sum(scores)
        for each in found.actions:
            assert abs(each.value.mean - (scores[0] - scores[1])) <= left
            assert each.value.exact or each.value.spread >= 0.5
        kinds.add((found.value.exact, found.exact))
    assert kinds >= {(False, False), (True, True)}


def test_a_proved_value_bounds_the_edges_that_are_not_proved() -> None:
    game = game_of(3, 3)
    judge = BoxesJudge(game.board, Uniform(PLANES), ReviewLimits(nodes=2_000, memory_mb=4))
    mixed = 0
    for seed in range(4):
        for state in random_states(game, seed)[:12]:
            found, seat = judge.values(state), state.current_player()
            if found.value.exact and not found.exact:
                mixed += 1
                best = found.value.of(seat)
                assert all(each.value.of(seat) <= best for each in found.actions)
    assert mixed


def test_an_estimate_shows_the_line_of_the_search() -> None:
    game = game_of(4, 4)
    limits = ReviewLimits(nodes=20, simulations=100, memory_mb=8)
    judge = BoxesJudge(game.board, Uniform(PLANES), limits)
    state = game.initial_state()
    found = judge.values(state)
    assert not found.value.exact
    assert len(found.pv) > 1
    judgement = judge.judge(state, found.actions[-1].action)
    assert judgement.pv[0] == judgement.best[0]
    assert judgement.answer
    played_out(state, (found.actions[-1].action, *judgement.answer))


def test_a_search_that_nobody_waits_for_ends() -> None:
    game = game_of(3, 3)
    for limits in (FEW, ReviewLimits(memory_mb=4)):
        judge = BoxesJudge(game.board, Uniform(PLANES), limits)
        with pytest.raises(Stopped):
            judge.values(game.initial_state(), lambda: True)
    with pytest.raises(Stopped):
        SolvedJudge(marks("3x3x3")).values(marks("3x3x3").initial_state(), lambda: True)


def marks(size: str, key: str = "tic-tac-toe") -> Game:
    kind = game_class(key)
    return kind(kind.parse_size(size))


@pytest.mark.parametrize(("key", "size"), [("tic-tac-toe", "3x3x3"), ("connect-four", "4x4x3")])
def test_small_games_are_solved(key: str, size: str) -> None:
    game, rng = marks(size, key), Random(4)
    judge = SolvedJudge(game)
    for _ in range(4):
        state = game.initial_state()
        while len(state.legal_actions()) * state.plies_left() > 30 and not state.is_terminal():
            state.apply(rng.choice(state.legal_actions()))
        while not state.is_terminal():
            found = judge.values(state)
            true = {
                action: minimax(played_out(state, (action,)), root=0).value
                for action in state.legal_actions()
            }
            assert {each.action: each.value.mean for each in found.actions} == true
            assert played_out(state, found.pv).returns()[0] == found.value.mean
            action = rng.choice(state.legal_actions())
            judgement = judge.judge(state, action)
            assert judgement.played.mean == true[action]
            assert played_out(state, (action, *judgement.answer)).is_terminal()
            state.apply(action)


def test_a_large_game_is_refused_until_little_of_it_is_left() -> None:
    game = marks("4x4x4")
    judge = SolvedJudge(game, positions=100)
    state = game.initial_state()
    with pytest.raises(TooLargeError, match=r"Tic-tac-toe 4x4.* cannot be computed\. Ask later"):
        judge.values(state)
    # The first move that completes the row wins at once.
    for action in (0, 4, 1, 5, 2, 6, 8, 9, 10, 11, 13, 12):
        state.apply(action)
    assert judge.values(state).actions[0].action == 3
