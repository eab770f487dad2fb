"""Edge names, edge strings and drawn boards of Dots and Boxes."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doublecross.games.api import BadRecord
from doublecross.games.dots_and_boxes import notation
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes

quick = settings(max_examples=100, derandomize=True, database=None)


def test_names_follow_the_lattice() -> None:
    game = DotsAndBoxes()
    # The top left box of 5x5 has its centre at b10.
    assert [game.action_name(e) for e in game.board.box_edges[0]] == ["b11", "b9", "a10", "c10"]
    # The bottom right box has its centre at j2.
    assert [game.action_name(e) for e in game.board.box_edges[24]] == ["j3", "j1", "i2", "k2"]
    big = DotsAndBoxes({"rows": 10, "cols": 10})
    assert (big.action_name(0), big.action_name(219)) == ("b21", "u2")


def test_only_edges_have_names() -> None:
    game = DotsAndBoxes({"rows": 2, "cols": 3})
    names = {game.action_name(edge) for edge in range(game.num_actions)}
    for x in range(26):
        for y in range(12):
            name = f"{chr(97 + x)}{y}"
            assert (name in names) == ((x + y) % 2 == 0 and x < 7 and 1 <= y <= 5)


@quick
@given(st.integers(1, 10), st.integers(1, 10), st.randoms(use_true_random=False), st.booleans())
def test_drawings_and_edge_strings_are_read_back(
    rows: int, cols: int, rng: Random, rim: bool
) -> None:
    game = DotsAndBoxes({"rows": rows, "cols": cols})
    opening = rng.sample(range(game.num_actions), rng.randrange(game.num_actions))
    state = game.initial_state(opening)
    for _ in range(rng.randrange(game.num_actions)):
        if not state.is_terminal():
            state.apply(rng.choice(state.legal_actions()))
    last = state.history()[-1] if state.ply else None
    for mark in (None, last):
        text = notation.draw(state.board, state.edges, state.owners(), last=mark, rim=rim)
        assert text.isascii()
        assert text.count("#") == (0 if mark is None else 3 if mark < (rows + 1) * cols else 1)
        drawing = notation.read_drawing(text + "\n")
        assert (drawing.rows, drawing.cols) == (rows, cols)
        assert (drawing.edges, drawing.owners) == (state.edges, state.owners())
    if rim:
        assert text == state.to_ascii(mark_last=True)


def test_drawing_by_hand() -> None:
    state = DotsAndBoxes({"rows": 2, "cols": 2}).initial_state((1, 3, 5, 8, 7))
    for action in (0, 2, 6, 9):
        state.apply(action)
    assert state.to_ascii(mark_last=True).split("\n") == [
        "   a b c d e",
        " 5 +---+---+",
        " 4 | A | * |",
        " 3 +---+---+",
        " 2 #",
        " 1 +   +---+",
    ]


def test_the_example_in_the_documentation_is_a_board() -> None:
    assert notation.__doc__ is not None
    drawing = notation.read_drawing(dedent(notation.__doc__.split("::\n")[1]).rstrip())
    game = DotsAndBoxes({"rows": 2, "cols": 2})
    drawn = {game.action_name(edge) for edge in game.board.members(drawing.edges)}
    assert drawn == {"b5", "a4", "c4", "b3", "d3", "c2"}
    assert drawing.owners == (0, -1, -1, -1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "+",
        "+---+",
        "+---+\n|   |\n+---+",  # complete, but without an owner
        "+---+\n| A  \n+---+",  # with an owner, but not complete
        "+---+\n| C |\n+---+",
        "+---+\n|A  |\n+---+",
        "+---+\n| A |\n+-- +",
        "+---+\n! A |\n+---+",
        "+---+\n| A |x\n+---+",
        "+---o\n| A |\n+---+",
        "+---+\n| A |\n",
        "+---+--\n| A |\n+---+",
        "\n".join(["+" + "   +" * 11] + ["", "+" + "   +" * 11] * 2),
        "\n".join(["+   +"] + ["", "+   +"] * 11),
        "٣",
    ],
)
def test_bad_drawings_are_refused(text: str) -> None:
    with pytest.raises(BadRecord, match=r"^[A-Z].*\.$"):
        notation.read_drawing(text)


@quick
@given(st.text(alphabet="+-|#AB* a1b2\n\r\t", max_size=60) | st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(BadRecord):
        notation.read_drawing(text)
