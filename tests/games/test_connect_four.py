"""Connect Four: falling discs, lines, refusals, names and the drawing, by example."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.games.api import BadOpening, BadParameter, IllegalAction, PieceStyle
from doublecross.games.connect_four.rules import ConnectFour, ConnectFourState


def make(size: str) -> ConnectFour:
    return ConnectFour(ConnectFour.parse_size(size))


def played(size: str, *columns: int) -> ConnectFourState:
    state = make(size).initial_state()
    for column in columns:
        state.apply(column)
    return state


def test_a_disc_falls_onto_the_others() -> None:
    state = played("4x3x3", 1, 1, 1, 0)
    assert state.owners() == (-1, -1, -1, -1, 0, -1, -1, 1, -1, 1, 0, -1)
    assert state.to_ascii(mark_last=True).split("\n") == [
        " a b c",
        " . . .",
        " . X .",
        " . O .",
        "[O]X .",
    ]
    assert state.to_ascii().split("\n")[-1] == " O X ."
    state.undo()
    assert state.to_ascii(mark_last=True).split("\n")[2:4] == [" .[X].", " . O ."]


@pytest.mark.parametrize(
    ("columns", "cells"),
    [
        ((0, 1, 0, 1, 0), (0, 3, 6)),
        ((0, 0, 1, 1, 2), (6, 7, 8)),
        ((0, 1, 1, 2, 2, 0, 2), (2, 4, 6)),
        ((2, 1, 1, 0, 0, 2, 0), (0, 4, 8)),
    ],
)
def test_a_line_wins_in_all_four_directions(
    columns: tuple[int, ...], cells: tuple[int, ...]
) -> None:
    state = played("3x3x3", *columns)
    assert (state.returns(), state.scores()) == ((1, -1), (1, 0))
    assert state.winning_cells() == cells
    assert state.legal_actions() == []


def test_refusals_give_the_reason() -> None:
    state = played("3x4x3", 0, 0, 0)
    with pytest.raises(IllegalAction, match="Column a is full"):
        state.apply(0)
    with pytest.raises(IllegalAction, match="4 is not a column of Connect Four 3x4x3"):
        state.apply(4)
    won = played("3x4x3", 0, 1, 0, 1, 0)
    with pytest.raises(IllegalAction, match="The game is over"):
        won.apply(1)
    with pytest.raises(IllegalAction, match="Column a is full"):
        won.apply(0)


def test_refusals_of_openings_give_the_reason() -> None:
    game = make("3x3x3")
    for opening, words in (
        ((0, 0, 0, 0), "full column a"),
        ((3,), "not a column"),
        ((-1,), "not a column"),
        ((0, 1, 0, 1, 0), "already wins with a"),
        ((0, 1, 0, 1, 0, 2), "already wins with a"),
        ((0, 1, 2, 1, 0, 0, 1, 2, 2), "nothing to play"),
    ):
        with pytest.raises(BadOpening, match=words):
            game.initial_state(opening)


def test_names_are_the_letters_of_the_columns() -> None:
    game = make("6x7x4")
    assert [game.action_name(column) for column in range(7)] == list("abcdefg")
    assert (game.parse_action("G"), game.parse_action(" 6 ")) == (6, 6)
    for text in ("h", "7", "aa", "a1", ""):
        with pytest.raises(IllegalAction, match="not a column"):
            game.parse_action(text)


def test_a_column_is_one_region_over_its_holes() -> None:
    geometry = make("2x3x3").geometry()
    assert (geometry.pieces, geometry.dots) == (PieceStyle.DISC, False)
    corners = [[geometry.points[c] for c in region.corners] for region in geometry.regions]
    assert corners == [[(x, 0), (x + 1, 0), (x + 1, 2), (x, 2)] for x in range(3)]


def test_openings_have_four_discs_from_25_cells_on() -> None:
    for size, length in (("4x6x4", 2), ("5x5x4", 4), ("6x7x4", 4)):
        (opening,) = make(size).openings(Random(1), 1).found
        assert len(opening) == length


def test_the_budget_of_a_search_counts_drops(monkeypatch: pytest.MonkeyPatch) -> None:
    # The first disc has three columns to fall into; a drop costs ten nodes of the budget.
    game = make("3x3x3")
    monkeypatch.setattr("doublecross.games.connect_four.openings.BUDGET", 29)
    with pytest.raises(BadParameter, match="too rare"):
        game.openings(Random(1), 9, 1)
    monkeypatch.setattr("doublecross.games.connect_four.openings.BUDGET", 30)
    assert len(game.openings(Random(1), 9, 1).found) == 2
