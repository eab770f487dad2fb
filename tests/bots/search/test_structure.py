"""Check the structure of positions: words, safe edges, openings, keys, and cancelled parts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import NamedTuple

import pytest

from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.exact.kernel import new_stack
from doublecross.bots.search.exact.layout import layout
from doublecross.bots.search.exact.solver import Solver
from doublecross.bots.search.exact.structure import scan
from doublecross.games.dots_and_boxes.board import GROUND, Board, board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import (
    Chain,
    Loop,
    analyse_edges,
    boxes_given,
    safe_edges,
)
from tests.bots.search.brute import quiet, random_quiet, table, value_of

SIZES = [(1, 6), (3, 3), (5, 5), (7, 7), (10, 2), (8, 8), (10, 10)]


class Opening(NamedTuple):
    """The result of `scan` for a chain or loop that may be opened: its free edges."""

    edges: int
    takes: int
    keeps: int


class Scanned(NamedTuple):
    """The result of `scan` for a position, as sets of edges."""

    edges: int
    boxes: int
    value: int
    key: int
    safe: tuple[int, ...]
    openings: list[Opening]


def scanned(shape: Board, edges: int) -> Scanned:
    where = layout(shape)
    stack = new_stack(shape.num_edges, kind=where.kind)
    h, v = (where.kind.word(word) for word in where.words(edges))
    rows = stack.move_h[0], stack.move_v[0], stack.takes[0], stack.keeps[0]
    found = scan(h, v, where.tables, *rows, stack.scratch)
    h, v, boxes, value, key, safe_h, safe_v, number, _, _ = found
    openings = [
        Opening(edges_of(shape, open_h, open_v), int(takes), int(keeps))
        for open_h, open_v, takes, keeps in zip(*(row[:number] for row in rows), strict=True)
    ]
    safe = tuple(shape.members(edges_of(shape, safe_h, safe_v)))
    return Scanned(
        shape.full & ~edges_of(shape, h, v), int(boxes), int(value), int(key), safe, openings
    )


def edges_of(shape: Board, h: int, v: int) -> int:
    """Return the edges that two words encode."""
    words = int(h), int(v)
    place = layout(shape).place
    found = sum(1 << edge for edge, (word, bit) in enumerate(place) if words[word] >> bit & 1)
    assert found.bit_count() == words[0].bit_count() + words[1].bit_count()
    return found


def state_of(shape: Board, edges: int) -> DotsAndBoxesState:
    game = DotsAndBoxes({"rows": shape.rows, "cols": shape.cols})
    return game.initial_state(shape.members(edges))


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_words_are_the_free_edges(rows: int, cols: int) -> None:
    rng = Random(1)
    shape = board(rows, cols)
    for edges in (0, shape.full, *(rng.getrandbits(shape.num_edges) for _ in range(200))):
        h, v = layout(shape).words(edges)
        assert edges_of(shape, h, v) == shape.full & ~edges


def test_each_edge_has_a_place_beside_its_boxes() -> None:
    # The four sides of a box are H, H one stride up, V and V one bit up, at the box's own bit.
    shape = board(5, 7)
    place = layout(shape).place
    assert len(set(place)) == shape.num_edges
    for box, (top, bottom, left, right) in enumerate(shape.box_edges):
        bit = box // 7 * 8 + box % 7
        assert [place[edge] for edge in (top, bottom, left, right)] == [
            (0, bit),
            (0, bit + 8),
            (1, bit),
            (1, bit + 1),
        ]


@pytest.mark.parametrize(
    ("rows", "cols", "bits"), [(7, 7, 64), (1, 10, 64), (5, 10, 128), (7, 8, 128), (10, 10, 128)]
)
def test_words_are_as_short_as_possible(rows: int, cols: int, bits: int) -> None:
    assert layout(board(rows, cols)).kind.bits == bits


def test_boards_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 128 bits"):
        Solver(board(11, 11))


def positions(shape: Board, number: int, free: int) -> list[int]:
    """Return positions with nothing to capture: parts of the board, and whole boards with edges
    that give no box its third edge.
    """
    rng = Random(f"{shape.rows} {shape.cols} {number}")
    found = [random_quiet(shape, rng, rng.randint(8, free)) for _ in range(number)]
    for _ in range(number // 4):
        edges, order = 0, list(range(shape.num_edges))
        rng.shuffle(order)
        for edge in order[: rng.randint(0, len(order))]:
            if quiet(shape, edges | 1 << edge):
                edges |= 1 << edge
        found.append(edges)
    return found


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_safe_edges_are_those_of_the_rules(rows: int, cols: int) -> None:
    shape = board(rows, cols)
    for edges in positions(shape, 100, 60):
        found = scanned(shape, edges)
        if found.key == 0:
            assert not analyse_edges(shape, edges).junctions
            continue
        # Cancelled chains have no safe edges, and corners only change which of two edges is free.
        assert found.safe == safe_edges(state_of(shape, found.edges))
        assert len(found.safe) == len(safe_edges(state_of(shape, edges)))
        assert found.boxes == sum(found.edges & mask != mask for mask in shape.box_masks)


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_openings_are_those_of_the_structure(rows: int, cols: int) -> None:
    shape = board(rows, cols)
    alone = 0
    for edges in positions(shape, 100, 60):
        found = scanned(shape, edges)
        if found.key == 0:
            continue
        parts = analyse_edges(shape, found.edges)
        assert not parts.opened
        joined, short, long, loops = [], [], [], []
        for part in (*parts.chains, *parts.loops):
            opening = opening_of(shape, found.edges, part)
            if isinstance(part, Loop):
                loops.append(opening)
            elif part.ends != (GROUND, GROUND):
                joined.append(opening)
            else:
                (long if part.is_long else short).append(opening)
        lone = [min(kind, key=lambda o: o.takes) for kind in (short, long, loops) if kind]
        alone += bool(lone)
        assert sorted(o for o in found.openings if o in joined) == sorted(joined)
        # Among equal ones any choice is correct.
        assert Counter(o[1:] for o in found.openings if o not in joined) == Counter(
            o[1:] for o in lone
        )
        assert all(o in joined + short + long + loops for o in found.openings)
        # Nothing remains that could cancel: isolated chains of one length below 3.
        assert max(Counter(o.takes for o in short).values(), default=0) <= 1
    assert alone or (rows, cols) in [(3, 3)]


def opening_of(shape: Board, edges: int, part: Chain | Loop) -> Opening:
    """Return the boxes that drawing an edge of `part` gives away, by the rules."""
    stroke = part.edges[0]
    if isinstance(part, Chain) and len(part) == 2:
        stroke = part.edges[1]
    then = closure(shape, edges | 1 << stroke)
    assert then.taken == boxes_given(state_of(shape, edges), stroke)
    return Opening(then.edges & ~edges, then.taken, then.keeps)


@pytest.mark.parametrize(
    ("rows", "cols"), [(3, 3), (2, 4), (4, 5), (7, 7), (8, 8), (10, 10), (10, 8)]
)
def test_a_position_and_its_images_are_one(rows: int, cols: int) -> None:
    shape = board(rows, cols)
    solver = Solver(shape, memory_mb=4)
    keys = set()
    for edges in positions(shape, 70, 13)[:70]:
        images = {
            sum(1 << image[edge] for edge in shape.members(edges)) for image in shape.symmetries
        }
        found = {scanned(shape, image)[1:4] for image in images}
        assert len(found) == 1
        keys.add(found.pop()[2])
        values = set()
        for image in images:
            solver.clear()
            values.add(solver.bounds(image))
        assert len(values) == 1
    assert len(keys) > 20


@pytest.mark.parametrize(("rows", "cols"), [(1, 7), (2, 4), (3, 3)])
def test_a_key_never_has_two_values(rows: int, cols: int) -> None:
    rng = Random(5)
    shape = board(rows, cols)
    values = table(rows, cols)
    seen: dict[tuple[int, int], tuple[int, int]] = {}
    with_key = 0
    for _ in range(2_500):
        edges = 0
        order = rng.sample(range(shape.num_edges), rng.randint(0, shape.num_edges))
        for edge in order:
            after = edges | 1 << edge
            # Some boxes are completed at once, so that not all boxes remain.
            edges = closure(shape, after).edges if rng.random() < 0.2 else edges
            edges = after if quiet(shape, after) else edges
        found = scanned(shape, edges)
        if found.key == 0:
            assert found.value == values[edges]
            continue
        with_key += 1
        first = seen.setdefault((found.key, found.boxes), (int(values[edges]), edges))
        assert first[0] == values[edges], (shape.members(edges), shape.members(first[1]))
        # Leaving out these edges changes no value.
        assert values[found.edges] == values[edges]
    assert 50 < len(seen) < 0.8 * with_key


def test_a_key_never_has_two_values_on_a_large_board() -> None:
    shape = board(5, 5)
    seen: dict[tuple[int, int], int] = {}
    met = 0
    for edges in positions(shape, 1_200, 13)[:1_200]:
        found = scanned(shape, edges)
        value = value_of(shape, edges)
        if found.key == 0:
            assert found.value == value
            continue
        met += (found.key, found.boxes) in seen
        assert seen.setdefault((found.key, found.boxes), value) == value
    assert met > 80
    assert len(seen) > 250


@pytest.mark.parametrize("pair", [1, 2])
def test_two_equal_short_chains_that_stand_alone_cancel(pair: int) -> None:
    # A part of 7x7 away from two corners, and in these corners a chain of 1 or of 2 each, with
    # both ends at the ground.
    rng = Random(pair)
    shape = board(7, 7)
    corners = ((0, 1)[:pair], (48, 47)[:pair])
    near = shape.box_masks[0] | shape.box_masks[1] | shape.box_masks[47] | shape.box_masks[48]
    tried = 0
    while tried < 120:
        edges = random_quiet(shape, rng, 10)
        if edges & near != near:
            continue
        tried += 1
        with_pair = edges
        for boxes in corners:
            with_pair &= ~chain_to_the_ground(shape, boxes)
        parts = analyse_edges(shape, with_pair)
        assert sum(len(c) == pair and c.ends == (GROUND, GROUND) for c in parts.chains) >= 2
        alone, both = scanned(shape, edges), scanned(shape, with_pair)
        assert value_of(shape, with_pair) == value_of(shape, edges)
        assert both.value == alone.value
        assert both.key == alone.key
        if both.key:
            assert both.boxes == alone.boxes
            assert both.safe == alone.safe
            assert Counter(o[1:] for o in both.openings) == Counter(o[1:] for o in alone.openings)
        # One of the two alone does not cancel: it is a different position.
        single = edges & ~chain_to_the_ground(shape, corners[0])
        assert scanned(shape, single).key != alone.key or alone.key == 0
        assert Solver(shape, memory_mb=0.001).bounds(single) == (value_of(shape, single),) * 2


def chain_to_the_ground(shape: Board, boxes: tuple[int, ...]) -> int:
    """Return the edges of a chain along the upper or lower border: from the ground sideways into
    the first box, a corner, from box to box and out of the last one across the border.
    """
    horizontals = (shape.rows + 1) * shape.cols
    outside = [
        [edge for edge in shape.box_edges[box] if GROUND in shape.edge_boxes[edge]] for box in boxes
    ]
    sideways = next(edge for edge in outside[0] if edge >= horizontals)
    across = next(edge for edge in outside[-1] if edge < horizontals)
    path = 1 << sideways | 1 << across
    for a, b in pairwise(boxes):
        path |= shape.box_masks[a] & shape.box_masks[b]
    return path


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (5, 5)])
def test_the_edge_for_an_opening_gives_its_boxes_away(rows: int, cols: int) -> None:
    # An opening may use the edges of a second chain, behind a junction, that opens only this one.
    shape = board(rows, cols)
    where, solver = layout(shape), Solver(shape, memory_mb=1)
    behind = 0
    for edges in positions(shape, 150, 14):
        for opening in scanned(shape, edges).openings:
            h, v = where.words(shape.full & ~opening.edges)
            edge = solver.edge_of(edges, h, v)
            then = closure(shape, edges | 1 << edge)
            assert (then.taken, then.keeps) == (opening.takes, opening.keeps)
            behind += any(
                closure(shape, edges | 1 << other).taken < opening.takes
                for other in shape.members(opening.edges & ~edges)
            )
    assert behind
