"""The planes of a position: masks, structure, order of the edges, symmetries."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from doublecross.bots.search.exact.layout import layout
from doublecross.bots.zero import planes as p
from doublecross.games.dots_and_boxes.board import Board, board


def drawn(size: Board, names: set[int]) -> int:
    assert names <= set(range(size.num_edges))
    return sum(1 << edge for edge in names)


def by_edge(size: Board, grid: NDArray[np.float32]) -> list[float]:
    """Return the values of the edges in two planes (2, R+1, C+1)."""
    return [float(x) for x in grid.reshape(-1)[p.cells(size)]]


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (2, 3), (4, 2), (3, 3), (10, 10)])
def test_edges_are_in_the_order_of_the_rules(rows: int, cols: int) -> None:
    size = board(rows, cols)
    grid = np.arange(2 * (rows + 1) * (cols + 1)).reshape(2, rows + 1, cols + 1)
    seen = [int(x) for x in grid.reshape(-1)[p.cells(size)]]
    want = [int(grid[0, r, c]) for r in range(rows + 1) for c in range(cols)]
    want += [int(grid[1, r, c]) for r in range(rows) for c in range(cols + 1)]
    assert seen == want


def test_an_empty_board_shows_where_edges_and_boxes_are() -> None:
    size = board(2, 3)
    planes = p.encode(size, 0)
    assert planes.shape == (p.PLANES, 3, 4)
    assert planes[p.ON_BOARD].all()
    for has, free, safe in ((p.HAS_H, p.FREE_H, p.SAFE_H), (p.HAS_V, p.FREE_V, p.SAFE_V)):
        assert (planes[has] == planes[free]).all()
        assert (planes[has] == planes[safe]).all()
    assert planes[p.HAS_H].tolist() == [[1, 1, 1, 0]] * 3
    assert planes[p.HAS_V].tolist() == [[1, 1, 1, 1]] * 2 + [[0, 0, 0, 0]]
    assert (planes[p.FOUR_FREE] == planes[p.HAS_BOX]).all()
    assert planes[p.HAS_BOX].tolist() == [[1, 1, 1, 0]] * 2 + [[0, 0, 0, 0]]
    # 17 free edges and 6 boxes: 11 strokes pass the turn.
    assert planes[p.TURNS_ODD].all()
    assert planes[p.CONTROL_ODD].all()
    assert not planes[p.BOXES_ODD].any()
    assert planes[p.SHARE_LEFT].min() == 1


def test_chains_and_loops_have_their_lengths() -> None:
    # The upper row is a chain of 3; the four boxes on the left below it are a loop.
    size = board(3, 3)
    free = {12, 13, 14, 15} | {6, 7, 17, 21}
    planes = p.encode(size, drawn(size, set(range(size.num_edges)) - free))
    assert planes[p.LONG_CHAIN].tolist() == [[1, 1, 1, 0]] + [[0, 0, 0, 0]] * 3
    assert planes[p.LENGTH].tolist() == [
        [3 / 8, 3 / 8, 3 / 8, 0],
        [1 / 2, 1 / 2, 0, 0],
        [1 / 2, 1 / 2, 0, 0],
        [0, 0, 0, 0],
    ]
    assert (planes[p.INDEPENDENT] == (planes[p.LENGTH] > 0)).all()
    # 8 free edges, 7 boxes, 1 long chain.
    assert planes[p.TURNS_ODD].min() == 1
    assert planes[p.CONTROL_ODD].max() == 0
    assert planes[p.BOXES_ODD].min() == 1


def test_a_loop_is_no_chain() -> None:
    size = board(2, 2)
    inner = {2, 3, 7, 10}
    edges = drawn(size, set(range(size.num_edges)) - inner)
    planes = p.encode(size, edges)
    assert planes[p.LOOP].sum() == 4
    assert planes[p.LENGTH].max() == 0.5
    assert not planes[p.LONG_CHAIN].any()
    assert not planes[p.SAFE_H].any()
    assert (planes[p.CONTROL_ODD] == planes[p.TURNS_ODD]).all()


def test_a_chain_at_a_junction_is_not_independent() -> None:
    # Only the top left box has a drawn edge on two sides; its other neighbours are junctions.
    size = board(2, 2)
    planes = p.encode(size, drawn(size, {0, 6}))
    assert planes[p.CHAIN_OF_1, 0, 0] == 1
    assert planes[p.INDEPENDENT].sum() == 0
    # The two edges of that box are not safe any more.
    assert planes[p.SAFE_H, 1, 0] == 0
    assert planes[p.SAFE_V, 0, 1] == 0
    assert planes[p.SAFE_H].sum() + planes[p.SAFE_V].sum() == 8


def test_a_box_with_three_drawn_edges_is_marked() -> None:
    size = board(1, 2)
    edges = drawn(size, {0, 2, 4})
    planes = p.encode(size, edges)
    assert planes[p.ONE_FREE].tolist() == [[1, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (2, 4)])
def test_planes_turn_with_the_board(rows: int, cols: int) -> None:
    size = board(rows, cols)
    rng = Random(rows)
    boxes = {frozenset(edges): box for box, edges in enumerate(size.box_edges)}
    for _ in range(30):
        share = rng.random()
        edges = drawn(size, {e for e in range(size.num_edges) if rng.random() < share})
        planes = p.encode(size, edges)
        for image in size.symmetries:
            turned = p.encode(size, drawn(size, {image[e] for e in size.members(edges)}))
            for h, v in ((p.FREE_H, p.FREE_V), (p.SAFE_H, p.SAFE_V)):
                here, there = by_edge(size, planes[[h, v]]), by_edge(size, turned[[h, v]])
                assert all(there[image[e]] == here[e] for e in range(size.num_edges))
            of_box = p.box_cells(size)
            for plane in range(p.ONE_FREE, p.PLANES):
                here = planes[plane].reshape(-1)[of_box].tolist()
                there = turned[plane].reshape(-1)[of_box].tolist()
                for box, sides in enumerate(size.box_edges):
                    assert there[boxes[frozenset(image[e] for e in sides)]] == here[box]


def test_all_ways_to_encode_agree() -> None:
    size = board(4, 3)
    rng = Random(4)
    sets = [rng.getrandbits(size.num_edges) for _ in range(20)]
    bits = np.array([[s >> e & 1 for e in range(size.num_edges)] for s in sets], bool)
    words = layout(size).kind.array((20, 2))
    for row, drawn_edges in enumerate(sets):
        words[row, 0], words[row, 1] = layout(size).words(drawn_edges)
    one_by_one = np.stack([p.encode(size, s) for s in sets])
    assert (p.encode_drawn(size, bits) == one_by_one).all()
    assert (p.encode_words(size, words) == one_by_one).all()
