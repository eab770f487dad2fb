"""Tic-tac-toe: lines, double lines, openings, names and the drawing, by example."""

from __future__ import annotations

import pytest

from doublecross.games.api import BadOpening, BadParameter, IllegalAction
from doublecross.games.tic_tac_toe.rules import TicTacToe


def make(size: str) -> TicTacToe:
    return TicTacToe(TicTacToe.parse_size(size))


@pytest.mark.parametrize(
    ("size", "count"), [("3x3x3", 8), ("4x4x4", 10), ("1x5x3", 3), ("5x2x4", 4), ("10x10x5", 192)]
)
def test_the_grid_has_all_lines(size: str, count: int) -> None:
    game = make(size)
    lines = game.grid.all_lines
    assert len(lines) == count
    assert {line.bit_count() for line in lines} == {game.grid.line}
    for cell, through in enumerate(game.grid.lines):
        assert set(through) == {line for line in lines if line >> cell & 1}
        assert len(set(through)) == len(through)


def test_a_mark_may_complete_two_lines() -> None:
    state = make("3x3x3").initial_state()
    for action in (0, 3, 1, 4, 5, 6, 8, 7, 2):
        assert not state.is_terminal()
        state.apply(action)
    assert state.scores() == (1, 0)
    assert state.returns() == (1, -1)
    assert state.winning_cells() == (0, 1, 2, 5, 8)


def test_more_than_a_line_wins_too() -> None:
    state = make("1x5x3").initial_state((0, 2, 1))
    assert state.current_player() == 1
    for action in (4, 3):
        state.apply(action)
    assert state.is_terminal()
    assert state.returns() == (0, 0)
    state = make("2x5x3").initial_state()
    for action in (0, 5, 1, 6, 3, 9, 4, 8, 2):
        state.apply(action)
    assert state.winning_cells() == (0, 1, 2, 3, 4)


def test_the_opening_decides_who_moves() -> None:
    game = make("3x3x3")
    assert [game.initial_state(range(n)).current_player() for n in range(4)] == [0, 1, 0, 1]
    assert game.initial_state((4, 0)).owners() == (1, -1, -1, -1, 0, -1, -1, -1, -1)


def test_refusals_of_openings_give_the_reason() -> None:
    game = make("3x3x3")
    for opening, words in (
        ((0, 0), "twice"),
        ((9,), "not a cell"),
        ((0, 3, 1, 4, 2), "already wins"),
        ((0, 3, 1, 4, 2, 8), "already wins"),
        ((0, 1, 2, 4, 3, 5, 7, 6, 8), "nothing to play"),
    ):
        with pytest.raises(BadOpening, match=words):
            game.initial_state(opening)


def test_a_line_must_fit_on_the_board() -> None:
    assert make("1x3x3").num_actions == 3
    for size in ("2x2x3", "3x3x4", "3x3x2"):
        with pytest.raises(BadParameter):
            make(size)


def test_names_count_rows_from_the_bottom() -> None:
    game = make("3x3x3")
    names = " ".join(game.action_name(action) for action in range(9))
    assert names == "a3 b3 c3 a2 b2 c2 a1 b1 c1"


def test_drawing() -> None:
    state = make("3x3x3").initial_state()
    for action in (4, 2, 8):
        state.apply(action)
    assert state.to_ascii().split("\n") == ["   a b c", " 3 . . O", " 2 . X .", " 1 . . X"]
    assert state.to_ascii(mark_last=True).split("\n")[3] == " 1 . .[X]"
    state.undo()
    assert state.to_ascii(mark_last=True).split("\n")[1:3] == [" 3 . .[O]", " 2 . X ."]
    state.undo()
    assert state.to_ascii(mark_last=True).split("\n")[2:] == [" 2 .[X].", " 1 . . ."]


@pytest.mark.parametrize(("size", "count"), [("3x3x3", 8), ("4x5x4", 4)])
def test_symmetries_are_distinct_and_keep_the_lines(size: str, count: int) -> None:
    tables = make(size).grid
    assert len(set(tables.symmetries)) == len(tables.symmetries) == count
    assert tables.symmetries[0] == tuple(range(tables.num_cells))
    for image in tables.symmetries:
        moved = [
            sum(1 << image[cell] for cell in range(tables.num_cells) if line >> cell & 1)
            for line in tables.all_lines
        ]
        assert sorted(moved) == list(tables.all_lines)


def test_marks_are_sets_of_cells() -> None:
    state = make("3x3x3").initial_state((4, 0))
    state.apply(8)
    assert state.marks == (1 << 4 | 1 << 8, 1)
    assert state.key() == (1, 1 << 4 | 1 << 8, 1)


def test_a_mark_after_the_end_is_refused_with_the_reason() -> None:
    state = make("3x3x3").initial_state()
    for action in (0, 3, 1, 4, 2):
        state.apply(action)
    for action, words in ((0, "a3 is marked already"), (8, "The game is over"), (9, "not a cell")):
        with pytest.raises(IllegalAction, match=words):
            state.apply(action)
