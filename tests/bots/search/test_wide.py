"""Check words of 128 bits: their operations, and the search with them against that with 64 bits."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from doublecross.bots.search.bits import ONE, ZERO, bit, fold, has, lowest, narrow, popcount, size
from doublecross.bots.search.exact import layout as layouts
from doublecross.bots.search.exact import solver as solvers
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.bots.search.jit import kernel
from doublecross.bots.search.wide import NARROW, WordKind, word_kind
from doublecross.games.dots_and_boxes.board import Board, board
from tests.bots.search.brute import random_quiet, value_of

WIDE = word_kind(128)


@kernel
def logic(a: Any, b: Any) -> Any:
    """Return the results of the operators that combine two words."""
    joined = a
    joined |= b
    either = ZERO
    if a == b:
        either = a
    either ^= a
    either ^= b
    return a & b, joined, either, ~a, a + b, a - b, a + ONE, a == b, a != b, a < b, a > b


@kernel
def moves(word: Any, shift: int, index: int, out: Any) -> Any:
    """Return the results of the other operations on a word, and write some of them to `out`."""
    out[1, 0] = word >> shift
    out[1, 1] = ONE
    left = word
    count = 0
    while left != ZERO:
        left &= left - ONE
        count += 1
    return (
        word << shift,
        word & (~word + ONE),
        popcount(word),
        lowest(word),
        narrow(word),
        size(word),
        bit(index, word),
        has(word, index),
        fold(word),
        count,
    )


@pytest.mark.parametrize("kind", [NARROW, WIDE], ids=["64", "128"])
def test_operations_are_those_of_whole_numbers(kind: WordKind) -> None:
    rng = Random(1)
    full = (1 << kind.bits) - 1
    folded = {}
    for _ in range(150):
        a, b = (rng.getrandbits(kind.bits) >> rng.randrange(kind.bits) for _ in range(2))
        if rng.random() < 0.1:
            b = a
        assert logic(kind.word(a), kind.word(b)) == (
            *(
                a & b,
                a | b,
                b if a == b else a ^ b,
                a ^ full,
                a + b & full,
                a - b & full,
                a + 1 & full,
            ),
            *(a == b, a != b, a < b, a > b),
        )
        out = kind.array((2, 2))
        shift, index = rng.randrange(64), rng.randrange(kind.bits)
        found = moves(kind.word(a), shift, index, out)
        assert found[:8] == (
            *(a << shift & full, a & -a, a.bit_count()),
            *((a & -a).bit_length() - 1 if a else kind.bits, a & 2**64 - 1, kind.bits // 8),
            *(1 << index, a >> index & 1),
        )
        assert found[9] == a.bit_count()
        folded[found[8]] = a
        assert [int(out[row, column]) for row in (0, 1) for column in (0, 1)] == [
            0,
            0,
            a >> shift,
            1,
        ]
    assert len(folded) == len(set(folded.values()))


def test_a_board_takes_the_shortest_words() -> None:
    assert word_kind(64) is NARROW
    assert word_kind(65) is WIDE
    with pytest.raises(ValueError, match="at most 128 bits"):
        word_kind(129)


def wide_solver(shape: Board, monkeypatch: pytest.MonkeyPatch) -> Solver:
    """Return a solver that uses words of 128 bits on a board for which 64 are enough."""
    with monkeypatch.context() as patch:
        patch.setattr(layouts, "word_kind", lambda bits: WIDE)
        patch.setattr(solvers, "layout", layouts.layout.__wrapped__)
        return Solver(shape, memory_mb=1)


@pytest.mark.parametrize(("rows", "cols", "free"), [(2, 2, 12), (3, 3, 18), (4, 4, 20), (7, 7, 20)])
def test_long_words_find_the_values_of_short_ones_with_the_same_nodes(
    rows: int, cols: int, free: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(f"{rows} {cols}")
    shape = board(rows, cols)
    short, long = Solver(shape, memory_mb=1), wide_solver(shape, monkeypatch)
    assert (short.kind.bits, long.kind.bits) == (64, 128)
    for _ in range(25):
        edges = random_quiet(shape, rng, free)
        found = []
        for solver in (short, long):
            solver.clear()
            watch = SearchWatch()
            found.append((solver.bounds(edges, watch), watch.nodes))
        assert found[0] == found[1]
        assert found[0][0] == (value_of(shape, edges),) * 2
