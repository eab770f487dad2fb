"""Parameters of games as sizes, titles and errors for users."""

from __future__ import annotations

import pytest

from doublecross.games.api import BadParameter, Game
from doublecross.games.connect_four.rules import ConnectFour
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.nim.rules import Nim
from doublecross.games.registry import make_game
from doublecross.games.tic_tac_toe.rules import TicTacToe


@pytest.mark.parametrize(
    ("kind", "size", "title"),
    [
        (DotsAndBoxes, "5x5", "Dots and Boxes 5x5"),
        (DotsAndBoxes, "2x3", "Dots and Boxes 2x3"),
        (TicTacToe, "3x3x3", "Tic-tac-toe 3x3"),
        (TicTacToe, "5x6x4", "Tic-tac-toe 5x6, marks in a row to win: 4"),
        (ConnectFour, "6x7x4", "Connect Four 6x7"),
        (ConnectFour, "6x7x5", "Connect Four 6x7, discs in a row to win: 5"),
    ],
)
def test_titles_name_the_size_and_what_is_unusual(kind: type[Game], size: str, title: str) -> None:
    assert kind(kind.parse_size(size)).full_title == title
    assert repr(kind(kind.parse_size(size))) == f"<{kind.title} {size}>"


def test_a_size_may_have_capitals_and_commas_and_leave_out_the_rules_of_the_end() -> None:
    for text in ("4x3", "4X3", "4,3"):
        assert DotsAndBoxes.parse_size(text) == {"rows": 4, "cols": 3}
    assert ConnectFour.parse_size("5x6") == {"rows": 5, "cols": 6, "line": 4}
    assert Nim.parse_size("2x2x0x0") == {"a": 2, "b": 2, "c": 0, "d": 0, "misere": 1}


@pytest.mark.parametrize(
    ("kind", "size"),
    [(DotsAndBoxes, "4"), (ConnectFour, "6"), (TicTacToe, "3"), (Nim, "3"), (Nim, "2x3x5")],
)
def test_a_size_that_does_not_name_the_whole_board_is_refused(kind: type[Game], size: str) -> None:
    words = f"{size!r} has too few numbers for {kind.title}; write it like {kind.default_size()}"
    with pytest.raises(BadParameter, match=words):
        kind.parse_size(size)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4x", "'4x' is not a size; write it like 5x5"),
        ("100000x1", "is not a size"),
        ("99999x1", "Rows of boxes of Dots and Boxes must be from 1 to 10, not 99999"),
        ("1x0", "Columns of boxes of Dots and Boxes must be from 1 to 10, not 0"),
        ("1x2x3", "too many numbers; write it like 5x5"),
    ],
)
def test_faults_of_a_size_have_their_reason(text: str, words: str) -> None:
    with pytest.raises(BadParameter, match=words):
        DotsAndBoxes.parse_size(text)


def test_faults_of_parameters_have_their_reason() -> None:
    for params, words in (
        ({"depth": 1}, "Tic-tac-toe has no parameter 'depth'"),
        ({"rows": 3.0}, "Rows of Tic-tac-toe must be a whole number"),
        ({"rows": True}, "Rows of Tic-tac-toe must be a whole number"),
        ({"rows": 11}, "must be from 1 to 10, not 11"),
        ({"line": 4}, "A line of 4 does not fit on 3x3 cells"),
    ):
        with pytest.raises(BadParameter, match=words):
            TicTacToe(params)


def test_both_ends_of_a_range_are_allowed() -> None:
    assert make_game("dots-and-boxes", {"rows": 1, "cols": 10}).size == "1x10"
    assert make_game("tic-tac-toe", {"rows": 1, "cols": 10, "line": 10}).size == "1x10x10"


def test_games_differ_by_key_and_parameters() -> None:
    games = [DotsAndBoxes(), DotsAndBoxes({"rows": 4}), TicTacToe(), ConnectFour(), Nim()]
    assert len(set(games)) == len(games)
    assert DotsAndBoxes() == DotsAndBoxes({"rows": 5, "cols": 5})
    assert DotsAndBoxes() != "Dots and Boxes 5x5"
