"""Check opening books: one entry serves all images of a position, and all entries are correct."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from doublecross.bots.engine.book import FOLDER, OpeningBook, book_for
from doublecross.bots.engine.engine import prepare
from doublecross.bots.engine.make_book import is_hard, make, missing, replies
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.games.api import State
from doublecross.games.dots_and_boxes.board import Board, board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes


@pytest.fixture(autouse=True, scope="module")
def kernels() -> None:
    prepare()


def drawn(tables: Board, rng: Random, most: int) -> int:
    return sum(1 << edge for edge in rng.sample(range(tables.num_edges), rng.randrange(most + 1)))


@pytest.mark.parametrize("size", [(2, 2), (3, 3), (2, 4), (1, 5)])
def test_an_entry_for_a_position_serves_all_its_images(size: tuple[int, int]) -> None:
    tables, rng = board(*size), Random(str(size))
    solver = Solver(tables, 1)
    for _ in range(60):
        edges = drawn(tables, rng, tables.num_edges - 1)
        value = solver.bounds(edges).low
        best = solver.best(edges, value, SearchWatch(), every=True)
        assert best
        book = OpeningBook(tables, {})
        book.add(edges, best[-1], value)
        for symmetry in tables.symmetries:
            image = sum(1 << symmetry[edge] for edge in tables.members(edges))
            entry = book.look_up(image)
            assert entry is not None
            assert entry.value == value
            moves = solver.moves(image, SearchWatch())
            assert moves[entry.edge].low == value


def test_positions_outside_the_book_have_no_entry() -> None:
    tables = board(3, 3)
    book = OpeningBook(tables, {})
    book.add(0, 3, -3)
    assert book.look_up(1) is None


def test_a_book_survives_its_file() -> None:
    tables, rng = board(4, 4), Random(1)
    book = OpeningBook(tables, {})
    for _ in range(50):
        edges = drawn(tables, rng, 12)
        book.add(edges, (~edges & -~edges).bit_length() - 1, rng.randrange(-16, 17))
    assert OpeningBook.from_bytes(tables, book.to_bytes()).entries == book.entries


def turns(state: State) -> set[int]:
    """Return the drawn edges after each turn of the mover that does not end the game."""
    found: set[int] = set()
    mover = state.current_player()
    for edge in state.legal_actions():
        state.apply(edge)
        if not state.is_terminal():
            if state.current_player() == mover:
                found |= turns(state)
            else:
                found.add(state.edges)
        state.undo()
    return found


@pytest.mark.parametrize("free", [2, 4, 6])
def test_replies_are_whole_turns(free: int) -> None:
    game, rng = DotsAndBoxes({"rows": 2, "cols": 2}), Random(free)
    for _ in range(30):
        state = game.initial_state()
        while len(state.legal_actions()) > free:
            state.apply(rng.choice(state.legal_actions()))
        assert set(replies(game.board, state.edges)) == turns(state)


def test_an_interrupted_book_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "3x3.book"
    nodes = 20_000.0
    book = make(3, 3, path, nodes=nodes, memory_mb=1, processes=1)
    solver = Solver(board(3, 3), 8)
    assert list(missing(book, solver, nodes)) == []
    assert len(book) > 10
    for form, entry in book.entries.items():
        assert is_hard(solver, form, nodes)
        assert solver.bounds(form).low == entry.value
        assert solver.moves(form, SearchWatch())[entry.edge].low == entry.value
    # Half of the book is lost; making it again computes the missing half.
    kept = dict(sorted(book.entries.items())[: len(book) // 2])
    path.write_bytes(OpeningBook(book.board, kept).to_bytes())
    assert make(3, 3, path, nodes=nodes, memory_mb=1, processes=1).entries.keys() >= kept.keys()
    again = OpeningBook.from_bytes(board(3, 3), path.read_bytes())
    assert list(missing(again, solver, nodes)) == []


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.book")), ids=lambda path: path.stem)
def test_the_shipped_books_are_correct(path: Path) -> None:
    rows, cols = (int(part) for part in path.stem.split("x"))
    tables = board(rows, cols)
    book = book_for(tables)
    assert book is not None
    assert path.stat().st_size <= 512 * 1024
    solver = Solver(tables, 64)
    # The entries nearest to the end are checked quickly: each follows from its children.
    for form in sorted(book.entries, key=lambda form: (-form.bit_count(), form))[:1]:
        entry = book.entries[form]
        child = solver.child(form, entry.edge)
        assert solver.bounds(form, guess=entry.value).low == entry.value
        assert child.gain + (1 if child.again else -1) * solver.bounds(
            form | 1 << entry.edge
        ).low == (entry.value)
