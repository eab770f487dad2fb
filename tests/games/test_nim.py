"""Nim: heaps, the last object, names, openings and the drawing, by example."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.games.api import BadOpening, IllegalAction, PieceStyle
from doublecross.games.nim.rules import Nim


def make(size: str) -> Nim:
    return Nim(Nim.parse_size(size))


def test_a_size_of_zero_leaves_a_heap_out() -> None:
    assert [make(size).heaps.sizes for size in ("2x3x5x7", "2x3x0x4", "2x3x4x0")] == [
        (2, 3, 5, 7),
        (2, 3, 4),
        (2, 3, 4),
    ]


def test_titles_have_heaps_and_the_kind_of_play() -> None:
    assert make("1x3x5x7x1").full_title == "Nim 1-3-5-7, misère"
    assert make("3x4x5x0x0").full_title == "Nim 3-4-5, normal play"


def test_names_have_a_letter_and_the_place_in_the_heap() -> None:
    game = make("2x4x3x0x0")
    names = ["a1", "a2", "b1", "b2", "b3", "b4", "c1", "c2", "c3"]
    assert [game.action_name(action) for action in range(9)] == names
    assert [game.parse_action(name.upper()) for name in names] == list(range(9))
    for text in ("d1", "a3", "b5", "c4", "a0", "9", ""):
        with pytest.raises(IllegalAction, match="not an object of Nim 2-4-3"):
            game.parse_action(text)
    with pytest.raises(IllegalAction, match="9 is not an object"):
        game.action_name(9)


def test_refusals_give_the_reason() -> None:
    state = make("2x4x3x0x0").initial_state()
    state.apply(3)
    with pytest.raises(IllegalAction, match="Object b3 is taken already"):
        state.apply(4)
    for opening, words in (
        ((0, 1), "takes a2 twice"),
        ((9,), "not an object"),
        ((-1,), "not an object"),
        ((0, 2, 6), "nothing to play"),
    ):
        with pytest.raises(BadOpening, match=words):
            state.game.initial_state(opening)


def test_the_opening_decides_who_moves_and_owns() -> None:
    state = make("2x4x3x0x0").initial_state((3, 7))
    assert state.owners() == (-1, -1, -1, 0, 0, 0, -1, 1, 1)
    assert (state.current_player(), state.left) == (0, (2, 1, 1))


def test_openings_have_two_actions_from_6_objects_on() -> None:
    lengths = {}
    for size in ("2x3x0x0x0", "2x4x0x0x0", "1x3x5x7x1"):
        (opening,) = make(size).openings(Random(1), 1).found
        lengths[size] = len(opening)
    assert lengths == {"2x3x0x0x0": 0, "2x4x0x0x0": 2, "1x3x5x7x1": 2}


def test_drawing() -> None:
    state = make("1x3x2x0x0").initial_state()
    state.apply(2)
    assert state.to_ascii().split("\n") == ["   1 2 3", " a |", " b | . .", " c | |"]
    assert state.to_ascii(mark_last=True).split("\n")[1:] == [" a |", " b |[.].", " c | |"]
    state.apply(5)
    assert state.to_ascii(mark_last=True).split("\n")[2:] == [" b | . .", " c |[.]"]


def test_heaps_are_centred_rows() -> None:
    geometry = make("1x3x2x0x0").geometry()
    assert (geometry.width, geometry.height) == (3, 3)
    assert (geometry.pieces, geometry.dots) == (PieceStyle.OBJECT, False)
    first = [geometry.points[cell.corners[0]] for cell in geometry.cells]
    assert first == [(1, 0), (0, 1), (1, 1), (2, 1), (0.5, 2), (1.5, 2)]
    assert [(r.action, r.corners) for r in geometry.regions] == [
        (c.index, c.corners) for c in geometry.cells
    ]
