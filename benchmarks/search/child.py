"""Run searches in a child process, a new one for each measurement of memory.

`python -m benchmarks.search.child` compiles or loads the kernels and writes a line of JSON when it
is ready. Then it reads requests from standard input, each a JSON object ``{"do": ..., ...}`` on one
line. It answers each by one line on standard output, with the result or with ``error``.
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from benchmarks.server.meter import median, peak_rss_bytes
from doublecross.bots.alphabeta import TranspositionTable, alphabeta
from doublecross.bots.api import Limit, NeverStop
from doublecross.bots.mcts.bot import MctsBot
from doublecross.bots.mcts.dots import warm_up_kernels
from doublecross.bots.search.exact.solver import SearchWatch, Solver, prepare
from doublecross.games.api import State
from doublecross.games.dots_and_boxes.board import Board
from doublecross.games.dots_and_boxes.board import board as make_board
from doublecross.games.registry import game_class

Numbers = dict[str, Any]

_TEXTBOOK_MB: Final = 128
"""The size of the textbook alpha-beta's table, in MiB: its default."""


class _Clock:
    """Measures wall-clock seconds, and CPU seconds of this process, since it was made."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def stop(self) -> Numbers:
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return {"seconds": wall, "cpu_s": cpu}


def empty(size: str, memory_mb: int) -> Numbers:
    """Solve the empty board; also return the peak memory of this process before and after."""
    before = peak_rss_bytes()
    solver = Solver(_board(size), memory_mb)
    return {
        **_solve(solver, 0),
        "before_bytes": before,
        "peak_bytes": peak_rss_bytes(),
    }


def solve(size: str, memory_mb: int, positions: Sequence[int]) -> Numbers:
    """Solve each of the positions, given by their drawn edges. Clear the table before each."""
    solver = Solver(_board(size), memory_mb)
    rows = []
    for edges in positions:
        solver.clear()
        rows.append(_solve(solver, edges))
    return {"rows": rows}


def trees(size: str, depths: Sequence[int], table: bool) -> Numbers:
    """Search the empty board to each depth with the textbook alpha-beta.

    With `table` each search has a new transposition table, otherwise none.
    """
    rows = []
    for depth in depths:
        state = _state("dots-and-boxes", size)
        transpositions = TranspositionTable(_TEXTBOOK_MB) if table else None
        clock = _Clock()
        result = alphabeta(state, depth, table=transpositions)
        rows.append({**clock.stop(), "depth": depth, "nodes": result.nodes})
    return {"rows": rows}


def against(size: str, memory_mb: int, positions: Sequence[int], repeats: int) -> Numbers:
    """Solve each position by the textbook alpha-beta with a new table, and by the exact solver.

    The exact solver is so fast that the median of `repeats` runs counts.

    Raises:
        ValueError: the two find different values.
    """
    board = _board(size)
    solver = Solver(board, memory_mb)
    rows = []
    for edges in positions:
        state = _state("dots-and-boxes", size, board.members(edges))
        table = TranspositionTable(_TEXTBOOK_MB)
        clock = _Clock()
        result = alphabeta(state, table=table)
        textbook = {**clock.stop(), "nodes": result.nodes}
        runs = []
        for _ in range(repeats):
            solver.clear()
            runs.append(_solve(solver, edges))
        if result.value != runs[0]["value"]:
            raise ValueError(f"{edges:x} on {size}: {result.value} against {runs[0]['value']}.")
        exact = {
            "seconds": median(run["seconds"] for run in runs),
            "cpu_s": median(run["cpu_s"] for run in runs),
            "nodes": runs[0]["nodes"],
        }
        rows.append({"textbook": textbook, "exact": exact})
    return {"rows": rows}


def simulate(
    game: str, size: str, simulations: int, memory_mb: int, options: Mapping[str, str]
) -> Numbers:
    """Time one move of mcts from the start of the game, with an empty tree."""
    bot = MctsBot(Random(1), {**options, "simulations": simulations})
    state, limit = _state(game, size), Limit(memory_mb=memory_mb)
    clock = _Clock()
    choice = bot.choose(state, limit, NeverStop())
    return {**clock.stop(), "simulations": choice.nodes}


def _solve(solver: Solver, edges: int) -> Numbers:
    watch = SearchWatch()
    clock = _Clock()
    value = solver.bounds(edges, watch)
    return {**clock.stop(), "nodes": watch.nodes, "value": value.low}


def _board(size: str) -> Board:
    rows, cols = size.split("x")
    return make_board(int(rows), int(cols))


def _state(game: str, size: str, opening: Sequence[int] = ()) -> State:
    kind = game_class(game)
    return kind(kind.parse_size(size)).initial_state(opening)


def main() -> None:
    """Answer requests until standard input closes."""
    prepare()
    warm_up_kernels()
    print(json.dumps({"ready": True}), flush=True)
    jobs: dict[str, Callable[..., Numbers]] = {
        job.__name__: job for job in (empty, solve, trees, against, simulate)
    }
    for line in sys.stdin:
        order = json.loads(line)
        try:
            result = jobs[order.pop("do")](**order)
        except Exception as error:  # noqa: BLE001 - the parent process gets it and stops
            result = {"error": f"{error}", "trace": traceback.format_exc()}
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
