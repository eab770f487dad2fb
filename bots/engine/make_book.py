"""`python -m doublecross.bots.engine.make_book 4x4`: make an opening book with the exact solver.

Theory of operation
-------------------
The book contains the positions that arise from its own moves and all replies of the opponent, both
as the first and as the second player. It contains a position only if solving it would take more
than `--nodes` nodes by the forecast `expected_nodes`, or more than 2.5 times as many by a second
forecast, which takes into account that boxes without any edge make a position harder.

The processes solve the positions with most drawn edges first, because their results in the table
speed up the earlier positions. All processes share one table. An entry is a single word, so
concurrent writes cannot damage it.

The program saves the book from time to time, so it can be stopped and continued later.
"""

from __future__ import annotations

import math
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from time import monotonic

import numpy as np

from doublecross.bots.engine.book import FOLDER, OpeningBook, canonical
from doublecross.bots.engine.engine import prepare
from doublecross.bots.search.exact.closure import closure, gained
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.bots.search.exact.table import new_table
from doublecross.bots.search.forecast import expected_nodes
from doublecross.games.dots_and_boxes.board import Board, board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes

UNTOUCHED_SHARE = 2.5
"""The second forecast is compared with this many times `--nodes`."""
SAVE_S = 30.0
"""Seconds between two writes of the file."""

_solver: Solver | None = None
_memory: SharedMemory | None = None


def start(rows: int, cols: int, shared: str) -> None:
    """Prepare a process: its solver uses the table in the shared memory `shared`."""
    global _solver, _memory
    prepare()
    # Keep a reference: the memory is unmapped when the object is deleted.
    _memory = SharedMemory(shared)
    # The shared table replaces the solver's own, which can therefore be tiny.
    _solver = Solver(board(rows, cols), 0.1)
    _solver.whole = _solver.table = np.ndarray(_memory.size // 8, np.uint64, _memory.buf)


def solve(edges: int) -> tuple[int, int, int]:
    """Return the position, a best edge and the position's value."""
    assert _solver is not None
    value = _solver.bounds(edges).low
    best = _solver.best(edges, value, SearchWatch(), every=False)
    assert best
    return edges, best[0], value


def is_hard(solver: Solver, edges: int, nodes: float) -> bool:
    """Return whether solving a position would take more than `nodes` nodes, by the forecasts."""
    tables = solver.board
    then = closure(tables, edges)
    if then.edges == tables.full:
        return False
    moves = solver.count_moves(then.edges)
    untouched = sum(not mask & then.edges for mask in tables.box_masks)
    return (
        expected_nodes(moves) > nodes or untouched_nodes(moves, untouched) > UNTOUCHED_SHARE * nodes
    )


def untouched_nodes(moves: int, untouched: int) -> float:
    """Estimate the nodes for a position with `moves` moves and `untouched` boxes without an edge.

    The formula is fitted to 180 positions each at the end of the books for 3x5 and 4x4. Two thirds
    of them are within a factor of 1.4.
    """
    return math.exp(0.3 + 0.41 * moves + 0.325 * untouched)


def missing(book: OpeningBook, solver: Solver, nodes: float) -> Iterator[int]:
    """Yield the reachable positions that the book lacks, each once, in canonical form."""
    tables = book.board
    seen: set[int] = set()
    waiting = [0]
    waiting += [1 << edge for edge in range(tables.num_edges)]
    while waiting:
        form, _ = canonical(tables, waiting.pop())
        if form in seen or not is_hard(solver, form, nodes):
            continue
        seen.add(form)
        entry = book.look_up(form)
        if entry is None:
            yield form
            continue
        after = form | 1 << entry.edge
        # The same player moves again, so the book needs the next position too.
        if solver.child(form, entry.edge).again:
            waiting.append(after)
            continue
        waiting += replies(tables, after)


def replies(tables: Board, edges: int) -> list[int]:
    """Return all positions after a turn of the opponent: one edge, or captures and then one."""
    found: list[int] = []
    for edge in tables.members(tables.full & ~edges):
        after = edges | 1 << edge
        if gained(tables, edges, edge):
            found += replies(tables, after)
        else:
            found.append(after)
    return found


def make(
    rows: int, cols: int, path: Path, *, nodes: float, memory_mb: float, processes: int
) -> OpeningBook:
    """Make the book of a board in the file `path`, continuing a book that is there."""
    tables = board(rows, cols)
    book = (
        OpeningBook.from_bytes(tables, path.read_bytes())
        if path.exists()
        else OpeningBook(tables, {})
    )
    table = new_table(memory_mb)
    memory = SharedMemory(create=True, size=table.nbytes)
    began = saved = monotonic()
    try:
        scout = Solver(tables, 0.1)
        with ProcessPoolExecutor(
            processes, get_context("spawn"), start, (rows, cols, memory.name)
        ) as pool:
            # New entries make further positions reachable, so repeat until none is missing.
            while positions := sorted(missing(book, scout, nodes), key=int.bit_count, reverse=True):
                for number, (edges, edge, value) in enumerate(pool.map(solve, positions), 1):
                    book.add(edges, edge, value)
                    if monotonic() - saved > SAVE_S or number == len(positions):
                        saved = monotonic()
                        path.write_bytes(book.to_bytes())
                        sys.stderr.write(
                            f"{rows}x{cols}: {number} of {len(positions)} positions, "
                            f"{len(book)} in the book, {saved - began:.0f} s\n"
                        )
    finally:
        memory.close()
        memory.unlink()
    return book


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = ArgumentParser(description="Make an opening book with the exact solver.")
    parser.add_argument("size", help="the board in boxes, such as 4x4")
    parser.add_argument(
        "--nodes", type=float, default=4e6, help="leave out positions that take fewer nodes"
    )
    parser.add_argument("--memory-mb", type=float, default=1024, help="size of the table in MiB")
    parser.add_argument("--processes", type=int, default=2, help="number of processes")
    parser.add_argument("--out", type=Path, help="the file; by default that of the program")
    given = parser.parse_args(arguments)
    size = DotsAndBoxes.parse_size(given.size)
    path = given.out or FOLDER / f"{size['rows']}x{size['cols']}.book"
    path.parent.mkdir(exist_ok=True)
    make(
        size["rows"],
        size["cols"],
        path,
        nodes=given.nodes,
        memory_mb=given.memory_mb,
        processes=given.processes,
    )


if __name__ == "__main__":
    main()
