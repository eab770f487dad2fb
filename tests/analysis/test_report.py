"""Reports: costs, accuracy and the turning point of whole games."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.analysis.accuracy import accuracy
from doublecross.analysis.judgement import Cost, Estimate, Judgement
from doublecross.analysis.report import GameReport, MoveReport, make_report, turning_point
from doublecross.games.api import GameError, State
from doublecross.games.registry import make_game
from tests.analysis.judges import BruteJudge, score

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
SURE = Cost(0.0)


def report(actions: list[int]) -> GameReport:
    return make_report(GAME, (), actions, BruteJudge())


def random_game(seed: int) -> list[int]:
    rng, state = Random(seed), GAME.initial_state()
    while not state.is_terminal():
        state.apply(rng.choice(state.legal_actions()))
    return list(state.history())


@pytest.mark.parametrize("seed", range(20))
def test_what_both_players_lost_explains_the_result(seed: int) -> None:
    actions = random_game(seed)
    found = report(actions)
    end = score(GAME.replay((), actions))
    lost = [sum(m.cost.net for m in found.moves if m.seat == seat) for seat in (0, 1)]
    # The first player wins 2x2 by 2 if nobody loses anything.
    assert 2 - lost[0] + lost[1] == end
    assert [move.action for move in found.moves] == actions
    assert [move.ply for move in found.moves] == list(range(12))


@pytest.mark.parametrize("seed", range(20))
def test_after_the_turning_point_the_result_stands(seed: int) -> None:
    actions = random_game(seed)
    found = report(actions)
    result = (end := score(GAME.replay((), actions))) and (1 if end > 0 else -1)
    if found.turning is None:
        assert all(move.before.winner() == result for move in found.moves)
        return
    assert found.turning_sure
    turn = found.moves[found.turning]
    assert turn.before.winner() != result
    assert all(move.before.winner() == result for move in found.moves[found.turning + 1 :])
    # Nobody turns a game against themselves by a move that costs nothing.
    assert turn.cost.net > 0


def test_the_costliest_move_is_found_for_each_player() -> None:
    found = report(random_game(3))
    for seat in (0, 1):
        worst = found.worst(seat)
        costs = [move.cost.net for move in found.moves if move.seat == seat]
        assert (worst.cost.net if worst else 0) == max(costs)


def test_best_play_has_an_accuracy_of_100_percent_and_no_turning_point() -> None:
    judge, state = BruteJudge(), GAME.initial_state()
    while not state.is_terminal():
        state.apply(judge.judge(state, state.legal_actions()[0]).best[0])
    found = report(list(state.history()))
    assert found.accuracy == (100.0, 100.0)
    assert found.turning is None
    assert found.worst(0) is None


def test_the_last_move_has_no_choice_and_is_not_judged() -> None:
    found = report(random_game(1))
    assert found.moves[-1].judgement is None
    assert found.moves[-1].before == found.moves[-1].after


def test_a_game_that_is_not_over_has_a_report_without_a_turning_point() -> None:
    actions = random_game(2)[:5]
    found = report(actions)
    assert len(found.moves) == 5
    assert found.turning is None
    assert make_report(GAME, (), [], BruteJudge()).accuracy == (None, None)


def test_an_opening_is_not_judged() -> None:
    actions = random_game(4)
    whole, late = report(actions), make_report(GAME, actions[:4], actions[4:], BruteJudge())
    assert [move.cost for move in late.moves] == [move.cost for move in whole.moves[4:]]


def test_progress_is_reported_after_each_move() -> None:
    seen: list[tuple[int, int]] = []
    make_report(GAME, (), random_game(5), BruteJudge(), lambda done, of: seen.append((done, of)))
    assert seen == [(n, 12) for n in range(1, 13)]


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(GameError):
        report([0, 0])


def test_accuracy_weighs_turns() -> None:
    assert accuracy([]) is None
    assert accuracy([0, 0]) == 100
    assert accuracy([1]) == 50
    assert accuracy([0, 2]) == pytest.approx(62.5)


def test_an_uncertain_value_decides_nothing() -> None:
    assert Estimate(1.0, 0.4).winner() == 1
    assert Estimate(-1.0, 0.6).winner() is None
    assert Estimate(0.0).winner() == 0
    assert not Judgement(Estimate(2.0, 0.5), Estimate(1.0, 0.5), (1,)).cost(0).sure
    assert Judgement(Estimate(2.0, 0.3), Estimate(-1.0, 0.3), (1,)).cost(0).sure
    # What is good for seat 0 costs it nothing.
    assert Judgement(Estimate(0.0), Estimate(2.0), (1,)).cost(0) == Cost(0.0)
    assert Judgement(Estimate(0.0), Estimate(2.0), (1,)).cost(1).boxes == 1


def move(ply: int, before: Estimate) -> MoveReport:
    return MoveReport(ply, 0, 0, before, before, SURE, None, ())


def test_the_turning_point_is_uncertain_with_estimates() -> None:
    moves = [move(0, Estimate(0.0)), move(1, Estimate(3.0, 0.5)), move(2, Estimate(1.0))]
    assert turning_point(moves, 1) == (0, False)
    moves = [move(0, Estimate(0.0)), move(1, Estimate(1.0, 2.0)), move(2, Estimate(1.0))]
    assert turning_point(moves, 1) == (None, False)
    assert turning_point(moves, -1) == (2, True)


def test_a_state_is_left_as_it_was() -> None:
    class Spy(BruteJudge):
        def judge(self, state: State, action: int) -> Judgement:
            before = state.history()
            found = super().judge(state, action)
            assert state.history() == before
            return found

    make_report(GAME, (), random_game(6), Spy())
