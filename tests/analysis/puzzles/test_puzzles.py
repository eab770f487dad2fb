"""The puzzles of the package: read, unlike each other, and true by the solver."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest

from doublecross.analysis.puzzles.book import FIRST_DAY, read_book, write_book
from doublecross.analysis.puzzles.canonical import canonical_form
from doublecross.analysis.puzzles.kinds import KINDS
from doublecross.analysis.puzzles.puzzle import Puzzle, PuzzleError
from doublecross.analysis.shipped.puzzles import puzzles
from doublecross.bots.teaching.choosing import fault
from doublecross.bots.teaching.exact_judge import ExactJudge
from doublecross.games.dots_and_boxes.board import board

BOOK = puzzles()
FAST = 12
"""How many of the smallest puzzles the fast test verifies."""


def test_there_are_many_of_every_kind_and_difficulty() -> None:
    assert len(BOOK.puzzles) >= 300
    kinds = Counter(puzzle.kind for puzzle in BOOK.puzzles)
    difficulties = Counter(puzzle.difficulty for puzzle in BOOK.puzzles)
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 25
    assert set(difficulties) == {1, 2, 3, 4, 5}
    assert min(difficulties.values()) >= 40
    assert len(write_book(BOOK.puzzles, BOOK.command)) < 100_000


def test_the_file_is_as_the_command_writes_it() -> None:
    text = write_book(BOOK.puzzles, BOOK.command)
    assert read_book(text) == BOOK
    assert BOOK.command.startswith("doublecross puzzles make --seed ")


def test_no_two_are_alike() -> None:
    forms = Counter(
        canonical_form(puzzle.game.board, puzzle.state().edges) for puzzle in BOOK.puzzles
    )
    assert max(forms.values()) == 1
    assert all(form.name() in BOOK.by_id for form in forms)


def _verified(chosen: list[Puzzle]) -> None:
    judges: dict[str, ExactJudge] = {}
    for puzzle in chosen:
        judge = judges.setdefault(puzzle.size, ExactJudge(puzzle.game.board))
        assert fault(puzzle, judge) is None


@pytest.mark.search
def test_small_ones_are_true() -> None:
    smallest = sorted(BOOK.puzzles, key=lambda puzzle: (puzzle.size, len(puzzle.costs)))[:FAST]
    assert len({puzzle.kind for puzzle in smallest}) > 2
    _verified(smallest)


@pytest.mark.slow
@pytest.mark.search
def test_all_are_true() -> None:
    _verified(list(BOOK.puzzles))


@pytest.mark.search
def test_a_false_puzzle_is_found() -> None:
    puzzle = min(BOOK.puzzles, key=lambda puzzle: len(puzzle.costs))
    judge = ExactJudge(puzzle.game.board)
    changes: tuple[dict[str, Any], ...] = (
        {"net": puzzle.net - 2},
        {"kind": "loop"},
        {"turns": puzzle.turns + 1},
    )
    for change in changes:
        said = fault(replace(puzzle, **change), judge)
        assert said is not None
        assert puzzle.id in said


def test_every_free_edge_has_a_cost_and_the_keeping_ones_are_few() -> None:
    for puzzle in BOOK.puzzles:
        values = puzzle.first_values()
        seat = puzzle.state().current_player()
        assert values.value.of(seat) == puzzle.net
        assert {each.action for each in values.actions} == set(puzzle.state().legal_actions())
        assert 0 < len(puzzle.keeping) <= len(values.actions) / 2
        assert values.actions[0].action == puzzle.keeping[0]


# -- alike ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(2, 3), (3, 3), (4, 5)])
def test_images_have_the_same_form(size: tuple[int, int]) -> None:
    shape = board(*size)
    rng = Random(str(size))
    for _ in range(20):
        edges = rng.getrandbits(shape.num_edges)
        form = canonical_form(shape, edges)
        for symmetry in shape.symmetries:
            image = sum(1 << symmetry[edge] for edge in shape.members(edges))
            assert canonical_form(shape, image) == form
            assert canonical_form(shape, image).name() == form.name()


def test_the_outer_edges_of_a_corner_are_interchangeable() -> None:
    shape = board(3, 3)
    top, _, left, right = shape.box_edges[0]
    others = 1 << 10 | 1 << 17
    assert canonical_form(shape, others | 1 << top) == canonical_form(shape, others | 1 << left)
    assert canonical_form(shape, others | 1 << top) != canonical_form(shape, others | 1 << right)
    assert canonical_form(shape, others) != canonical_form(shape, others | 1 << top)


# -- the daily puzzle ----------------------------------------------------------------------------


def test_each_puzzle_has_its_day_before_any_repeats() -> None:
    days = [FIRST_DAY + timedelta(days=number) for number in range(len(BOOK.puzzles))]
    assert {BOOK.of_day(day) for day in days} == set(BOOK.puzzles)
    assert BOOK.of_day(days[-1] + timedelta(days=1)) == BOOK.of_day(FIRST_DAY)
    assert BOOK.of_day(date(2025, 12, 31)) == BOOK.of_day(days[-1])


# -- files with faults ---------------------------------------------------------------------------


def _with(**changes: object) -> str:
    header, value, *_ = write_book(BOOK.puzzles[:1], "c").splitlines()
    return f"{header}\n{json.dumps(json.loads(value) | changes)}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "does not begin with a header"),
        ("{}\n{}\n", "does not begin with a header"),
        ("[", "Line 1 of the puzzles is not JSON."),
        (_with(kind="riddle"), "There is no kind 'riddle'"),
        (_with(difficulty=6), "has a difficulty from 1 to 5"),
        (_with(difficulty="1"), "difficulty of a puzzle is not '1'."),
        (_with(moves="a1"), "are wrong. 'a1' is not an edge"),
        (_with(moves="b7 b7"), "drawn already"),
        (_with(size="3"), "The size of a puzzle is like 4x5, not '3'."),
        (_with(size="99x99"), "The size of a puzzle is wrong."),
        (_with(costs="0"), "digits."),
        (_with(costs="1" * len(BOOK.puzzles[0].costs)), "keeps the value."),
        (_with(size="4x4", moves="b9", costs="0" * 39), "The header does not describe"),
        (_with(more=1), "A puzzle is an object with the fields"),
    ],
)
def test_a_fault_is_said_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(PuzzleError, match=re.escape(said)):
        read_book(text)


def test_a_puzzle_stands_once_in_a_file() -> None:
    text = write_book([BOOK.puzzles[0]] * 2, "c")
    with pytest.raises(PuzzleError, match="same id"):
        read_book(text)
