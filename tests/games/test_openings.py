"""Collecting openings: drawing, the complete search, and what the sentences claim."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from doublecross.games.api import BadParameter, Game, Openings
from doublecross.games.connect_four.rules import ConnectFour
from doublecross.games.dots_and_boxes.openings import default_length
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.nim.rules import Nim
from doublecross.games.openings import BudgetError, Opening, collect
from doublecross.games.tic_tac_toe.openings import canonical, find_openings
from doublecross.games.tic_tac_toe.rules import TicTacToe


def collected(wanted: int, whole: int, budget: bool = True) -> Openings:
    """Collect openings that drawing never finds."""

    def everything() -> Iterator[Opening]:
        if not budget:
            raise BudgetError
        return iter([(number,) for number in range(whole)])

    return collect(Random(1), wanted, lambda _: None, everything, "of 1 thing")


@pytest.mark.parametrize(
    ("wanted", "whole", "sentence"),
    [
        (0, 0, "no openings of 1 thing, no two alike."),
        (1, 3, "1 opening of 1 thing, no two alike."),
        (2, 3, "2 openings of 1 thing, no two alike."),
        (3, 3, "3 openings of 1 thing, no two alike."),
        (4, 3, "There are only 3 openings of 1 thing, fewer than the 4 wanted."),
        (4, 1, "There is only 1 opening of 1 thing, fewer than the 4 wanted."),
        (4, 0, "There are no openings of 1 thing, fewer than the 4 wanted."),
    ],
)
def test_the_search_decides_when_drawing_stalls(wanted: int, whole: int, sentence: str) -> None:
    result = collected(wanted, whole)
    assert result.sentence == sentence
    assert result.short == (whole < wanted)
    assert len(set(result.found)) == len(result.found) == min(wanted, whole)
    assert set(result.found) <= {(number,) for number in range(whole)}


def test_drawing_goes_on_while_it_finds_new_openings() -> None:
    draws: list[Opening | None] = []

    def draw(rng: Random) -> Opening | None:
        draws.append(None)
        return (len(draws) // 150,)  # Each opening turns up 150 times in a row.

    def everything() -> Iterator[Opening]:
        raise AssertionError

    result = collect(Random(1), 5, draw, everything, "of 1 thing")
    assert result.found == ((0,), (1,), (2,), (3,), (4,))


def test_drawing_stops_after_200_draws_without_a_new_opening() -> None:
    draws: list[int] = []

    def draw(rng: Random) -> Opening | None:
        draws.append(1)
        return (7,) if len(draws) == 100 else None

    result = collect(Random(1), 2, draw, lambda: iter([(7,), (8,)]), "of 1 thing")
    assert len(draws) == 300
    assert set(result.found) == {(7,), (8,)}


def test_a_request_beyond_the_budget_names_what_it_found() -> None:
    with pytest.raises(BadParameter, match="too rare: 0 of 5 turned up at random"):
        collected(5, 9, budget=False)


@pytest.mark.parametrize(
    ("game", "limit", "unit"),
    [
        (DotsAndBoxes(), 60, "edge"),
        (TicTacToe(), 9, "mark"),
        (ConnectFour(), 42, "disc"),
        (Nim(), 16, "action"),
    ],
)
def test_refusals_name_the_greatest_length(game: Game, limit: int, unit: str) -> None:
    game.openings(Random(1), 0, limit)
    for length in (-1, limit + 1):
        with pytest.raises(BadParameter, match=f"from 0 to {limit} {unit}s, not {length}"):
            game.openings(Random(1), 0, length)
    with pytest.raises(BadParameter, match="a whole number from 0, not -1"):
        game.openings(Random(1), -1)


def test_sentences_of_tic_tac_toe_count_marks() -> None:
    game = TicTacToe(TicTacToe.parse_size("4x5x4"))
    assert [game.openings(Random(1), 1, n).sentence for n in (1, 2)] == [
        "1 opening of 1 mark on 4x5 with 4 in a row, no two alike.",
        "1 opening of 2 marks on 4x5 with 4 in a row, no two alike.",
    ]


def test_default_lengths_of_dots_and_boxes() -> None:
    sizes = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (10, 10))
    boards = [DotsAndBoxes({"rows": rows, "cols": cols}).board for rows, cols in sizes]
    assert [default_length(board) for board in boards] == [1, 2, 3, 4, 4, 8]


def test_default_lengths_of_lines() -> None:
    for size, length in (("3x8x3", 2), ("5x5x5", 4), ("10x10x5", 4)):
        (opening,) = TicTacToe(TicTacToe.parse_size(size)).openings(Random(1), 1).found
        assert len(opening) == length


def test_more_edges_than_can_be_safe_need_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    # 5x5 allows at most 20 + (50 - 20) / 2 = 35 safe edges.
    monkeypatch.setattr("doublecross.games.dots_and_boxes.openings.BUDGET", 1000)
    found = DotsAndBoxes().openings(Random(1), 1, 36)
    assert found.sentence.startswith("There are no openings of 36 safe edges on 5x5")


def test_the_budget_of_tic_tac_toe_counts_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    # On 3x4 there are 12 positions with one mark; a position costs ten nodes of the budget.
    grid = TicTacToe(TicTacToe.parse_size("3x4x3")).grid
    for budget, enough in ((119, False), (120, True)):
        monkeypatch.setattr("doublecross.games.tic_tac_toe.openings.BUDGET", budget)
        if enough:
            assert find_openings(grid, Random(1), 99, 1).short
        else:
            with pytest.raises(BadParameter, match="too rare"):
                find_openings(grid, Random(1), 99, 1)


def test_openings_of_tic_tac_toe_are_in_canonical_form() -> None:
    game = TicTacToe(TicTacToe.parse_size("4x4x4"))
    grid = game.grid
    for opening in game.openings(Random(1), 20, 4).found:
        assert canonical(grid, opening) == opening
    # Seat 0 in two corners, seat 1 beside one of them; seats are not exchanged.
    assert canonical(grid, (15, 14, 3, 13)) == canonical(grid, (12, 13, 0, 14))
    assert canonical(grid, (15, 14)) == (0, 1)
    assert canonical(grid, (14, 15)) == (1, 0)
