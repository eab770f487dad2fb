"""Find balanced openings by exact values and by playouts."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from doublecross.bots.judging.balance import (
    NO_BALANCE,
    PATIENCE,
    Balance,
    TooFewError,
    exact_balance,
    find_balanced,
    playout_balance,
)
from doublecross.games.registry import GAMES, make_game

BOARD = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
WIDE = make_game("dots-and-boxes")


@pytest.mark.parametrize("key", GAMES)
def test_all_openings_of_a_game_come_once_and_begin_with_those_of_the_seed(key: str) -> None:
    game = make_game(key)
    every = game.openings(Random(1), 1000, 1)
    search = find_balanced(game, 1, 1, NO_BALANCE)
    assert sorted(opening for opening, _ in islice(search, len(every.found))) == sorted(every.found)
    with pytest.raises(TooFewError, match="There are no more"):
        next(search)


def test_exact_values_are_those_of_the_player_to_move() -> None:
    assert exact_balance(BOARD, 10**6, 0).figure(tuple(range(11))) == 1
    lines = exact_balance(make_game("tic-tac-toe"), 10**5, 0)
    assert lines.figure((0, 4)) == 0
    assert lines.figure((0, 1, 4)) == -1  # the second seat cannot stop two lines
    assert exact_balance(WIDE, 1000, 0).figure((0,)) is None


def test_playouts_have_the_same_share_with_the_same_seed() -> None:
    shares = [playout_balance(BOARD, 20, 10, 3).figure((0, 5)) for _ in range(2)]
    assert shares[0] == shares[1]
    assert playout_balance(BOARD, 4, 10, 3).figure(tuple(range(11))) == 100


def test_the_search_gives_up_with_the_figures() -> None:
    figures = iter([None, *range(2, PATIENCE + 2)])
    never = Balance(lambda _: next(figures), 0, 1, "value {:+g}")
    with pytest.raises(TooFewError) as error:
        next(find_balanced(WIDE, 1, None, never))
    assert str(error.value) == (
        "None of the last 200 openings was balanced: they had from value +2 to value +200, and 1"
        " took too many nodes; choose another length or a wider range."
    )


def test_the_nodes_of_a_figure_do_not_depend_on_the_openings_before() -> None:
    game = make_game("dots-and-boxes", {"rows": 3, "cols": 3})
    openings = game.openings(Random(1), 6, 8).found
    figure = exact_balance(game, 150, 0).figure
    assert figure(openings[-1]) is None
    assert [figure(opening) for opening in openings][-1] is None
