"""The rules of Dots and Boxes: examples, and comparisons with a slow and simple version."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.games.api import BadOpening
from doublecross.games.dots_and_boxes.board import GROUND, board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from tests.fakes.slow_dots_and_boxes import SlowGame

SIZES = [(1, 1), (1, 6), (2, 2), (3, 2), (4, 4), (5, 5), (3, 9), (10, 10)]


def make(rows: int, cols: int) -> DotsAndBoxes:
    return DotsAndBoxes({"rows": rows, "cols": cols})


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_bitboards_against_sets_and_grids(rows: int, cols: int) -> None:
    game = make(rows, cols)
    rng = Random(f"{rows}x{cols}")
    for number in range(2 + 200 // (rows * cols)):
        size = rng.randrange(game.num_actions) if number % 2 else 0
        opening = tuple(rng.sample(range(game.num_actions), size))
        state, slow = game.initial_state(opening), SlowGame(rows, cols, opening)
        while slow.legal():
            assert state.legal_actions() == slow.legal()
            assert state.current_player() == slow.mover
            assert state.scores() == slow.scores()
            assert state.owners() == slow.owners()
            action = rng.choice(slow.legal())
            state.apply(action)
            slow.play(action)
        assert state.is_terminal()
        assert state.scores() == slow.scores()
        assert state.owners() == slow.owners()
        assert sum(state.scores()) + sum(slow.owner[b] == -1 for b in slow.boxes) == rows * cols


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_tables_against_the_numbering(rows: int, cols: int) -> None:
    tables, slow = board(rows, cols), SlowGame(rows, cols)
    assert tables.num_edges == len(slow.edges)
    assert board(rows, cols) is tables
    for number, (kind, r, c) in enumerate(slow.edges):
        x, y = (2 * c + 1, 2 * r) if kind == "h" else (2 * c, 2 * r + 1)
        assert tables.place(number) == (x, y)
        assert tables.edge_at(x, y) == number
        sides = [slow.boxes.index(b) for b in slow.boxes if (kind, r, c) in slow.around(b)]
        assert sorted(b for b in tables.edge_boxes[number] if b != GROUND) == sides
    for box, edges in enumerate(tables.box_edges):
        assert {slow.edges[edge] for edge in edges} == slow.around(slow.boxes[box])
        assert tables.box_masks[box] == sum(1 << edge for edge in edges)
    assert len(tables.symmetries) == (8 if rows == cols else 4)
    assert len(set(tables.symmetries)) == len(tables.symmetries)
    assert tables.symmetries[0] == tuple(range(tables.num_edges))
    for image in tables.symmetries:
        assert sorted(image) == list(range(tables.num_edges))
        for edges in tables.box_edges:
            assert sum(1 << image[edge] for edge in edges) in tables.box_masks


def test_refusals_of_openings_give_the_reason() -> None:
    game = make(1, 1)
    for opening, words in (
        ((0, 0), "twice"),
        ((4,), "not an edge"),
        ((0, 1, 2, 3), "nothing to play"),
    ):
        with pytest.raises(BadOpening, match=words):
            game.initial_state(opening)
