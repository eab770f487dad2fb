"""Edge names, edge strings and drawn boards of Dots and Boxes."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from doublecross.games.dots_and_boxes import notation
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from tests.games.drawing import read_drawing

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
        drawn, edges, owners = read_drawing(text)
        assert (drawn.params, edges) == (game.params, list(game.board.members(state.edges)))
        assert owners == "".join(
            notation.OWNER_MARKS[owner] if state.edges & mask == mask else " "
            for owner, mask in zip(state.owners(), game.board.box_masks, strict=True)
        )
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
