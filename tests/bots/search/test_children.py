"""Check the keys and bounds of children, which a search finds without a scan of the whole board."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from doublecross.bots.search.exact.children import bounds_after, look_up
from doublecross.bots.search.exact.kernel import after, new_stack
from doublecross.bots.search.exact.layout import IMAGES, layout
from doublecross.bots.search.exact.ordering import DONE, list_moves
from doublecross.bots.search.exact.structure import scan
from doublecross.bots.search.exact.table import new_table, store
from doublecross.games.dots_and_boxes.board import board
from tests.bots.search.brute import random_quiet


@pytest.mark.parametrize("images", [0, 1])
@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (4, 5), (7, 7), (8, 8)])
def test_the_key_of_a_child_is_that_of_its_scan(rows: int, cols: int, images: int) -> None:
    shape = board(rows, cols)
    where = layout(shape)
    tables = where.tables._replace(masks=where.tables.masks.copy())
    tables.masks[IMAGES] = images
    stack, other = (new_stack(shape.num_edges, kind=where.kind) for _ in range(2))
    table = new_table(1)
    rng = Random(f"{rows} {cols}")
    compared = openings = 0
    for _ in range(150):
        edges = random_quiet(shape, rng, rng.randint(10, shape.num_edges))
        words = [where.kind.word(word) for word in where.words(edges)]
        row = stack.move_h[0], stack.move_v[0], stack.takes[0], stack.keeps[0]
        found = scan(*words, tables, *row, stack.scratch)
        h, v, boxes, _, key, safe_h, safe_v, num, short, spare = found
        if not key:
            continue
        h, v, safe_h, safe_v, short = (
            where.kind.word(int(word)) for word in (h, v, safe_h, safe_v, short)
        )
        spare = np.uint64(spare)
        rows_of = stack.move_h, stack.move_v, stack.takes, stack.keeps, stack.order
        openings += num
        num = list_moves(
            0, num, h, v, safe_h, safe_v, short, spare, tables.masks, stack.nimbers, *rows_of
        )
        stack.order[0, :num] = 0
        position = 0, num, h, v, boxes, safe_h, safe_v
        best, move = look_up(*position, -100, 100, tables, table, stack.scratch, *rows_of)
        # The table is empty, but of two chains that cancel each player gets one.
        assert best >= -boxes
        assert move == -1
        for i in range(num):
            rest = [
                where.kind.word(int(word) & ~int(moves[0, i]))
                for word, moves in ((h, stack.move_h), (v, stack.move_v))
            ]
            row = other.move_h[0], other.move_v[0], other.takes[0], other.keeps[0]
            child = scan(*rest, tables, *row, other.scratch)
            assert stack.scratch.keys[i] == child[4]
            if child[4]:
                assert stack.scratch.sizes[i] == child[2]
                compared += 1
        # A child whose value is known decides its move.
        i = next((i for i in range(num) if stack.scratch.keys[i]), None)
        if i is None:
            continue
        left = int(stack.scratch.sizes[i])
        known = np.zeros_like(table)
        store(known, stack.scratch.keys[i], left, -left, -left, 1)
        worth = after(stack.takes[0, i], stack.keeps[0, i], -left)
        same = [j for j in range(num) if stack.scratch.keys[j] == stack.scratch.keys[i]]
        best, move = look_up(*position, worth - 1, worth, tables, known, stack.scratch, *rows_of)
        assert best >= worth
        assert move in same
        best, move = look_up(*position, worth, worth + 1, tables, known, stack.scratch, *rows_of)
        assert move == -1 or move in same[1:]
        assert stack.order[0, i] == DONE
    assert compared > 300
    assert openings > 50


def test_bounds_of_a_move_hold_for_all_values_between_those_of_its_child() -> None:
    for takes, keeps in ((0, 0), (1, 0), (2, 0), (5, 2), (8, 4)):
        for low in range(-9, 10):
            for high in range(low, 10, 2):
                values = [after(takes, keeps, x) for x in range(low, high + 1, 2)]
                assert bounds_after(takes, keeps, low, high) == (min(values), max(values))
