"""Games between nets and perfect players, and the figures that come from them."""

from random import Random

import pytest

from doublecross.bots.training.judging.games import (
    NetPlayer,
    PerfectPlayer,
    Player,
    play_out,
    priors,
)
from doublecross.bots.training.judging.searching import SearchPlayer
from doublecross.bots.training.judging.truth import measure
from doublecross.bots.training.positions import BoardTools
from doublecross.bots.training.settings import TrainError
from doublecross.bots.training.teachers.selfplay import SelfPlay
from doublecross.bots.zero.net import SPAN, Uniform
from doublecross.bots.zero.planes import PLANES
from doublecross.games.dots_and_boxes.board import board


@pytest.fixture(scope="module")
def tools() -> BoardTools:
    return BoardTools(board(2, 3), 4)


def test_perfect_players_reach_the_value_and_lose_nothing(tools: BoardTools) -> None:
    rng = Random(1)
    for _ in range(20):
        start = tools.start(rng.randint(10, 17), rng)
        value = tools.value(start)
        played = play_out(tools, (PerfectPlayer(rng), PerfectPlayer(rng)), start, judged=17)
        assert played.net == value
        assert played.lost == (0, 0)
        assert played.best == played.moves


def test_boxes_lost_explain_the_result_of_a_game(tools: BoardTools) -> None:
    rng = Random(2)
    player = NetPlayer(Uniform(PLANES), rng)
    lost = 0
    for _ in range(20):
        start = tools.start(17, rng)
        pair: tuple[Player, Player] = (player, PerfectPlayer(rng))
        played = play_out(tools, pair, start, judged=17)
        assert played.net == tools.value(start) - played.lost[0]
        lost += played.lost[0]
    assert lost > 0


def test_priors_are_those_of_the_edges(tools: BoardTools) -> None:
    words, count, _ = tools.moves(tools.start(12, Random(3)))
    found = priors(Uniform(PLANES), tools.board, words, tools.row, count)
    edges = [
        int(tools.row.move_h[i]).bit_count() + int(tools.row.move_v[i]).bit_count()
        for i in range(count)
    ]
    # All edges are equally likely, so a move is as likely as it has edges.
    assert found == pytest.approx([number / sum(edges) for number in edges])


def test_a_search_with_the_solver_loses_less_than_a_net_that_knows_nothing(
    tools: BoardTools,
) -> None:
    net = Uniform(PLANES)
    alone = measure(tools, net, games=10, positions=20, seed="1", player=NetPlayer(net))
    player = SearchPlayer(tools.board, net, 16, Random(1))
    searched = measure(tools, net, games=10, positions=40, seed="1", player=player)
    assert searched.best > alone.best
    assert searched.lost < alone.lost


def test_self_play_makes_samples_with_exact_results(tools: BoardTools) -> None:
    made = SelfPlay(tools.board, None, 8).make(20, 1)
    again = SelfPlay(tools.board, None, 8).make(20, 1)
    assert (made.drawn == again.drawn).all()
    assert (made.policy == again.policy).all()
    assert not (made.legal & made.drawn).any()
    assert abs(made.score).max() <= min(SPAN, tools.board.num_boxes)
    assert ((made.policy.sum(1, dtype=int) - 255).__abs__() < 10).all()


def test_self_play_on_a_board_that_is_solved_at_once_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("doublecross.bots.training.teachers.selfplay.MOST_PROVED", 5)
    with pytest.raises(TrainError, match="as small as 2x2 the search proves every position"):
        SelfPlay(board(2, 2), None, 8).make(1, 1)
