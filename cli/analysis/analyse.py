"""Solve a position of Dots and Boxes and value every move: `doublecross analyse`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.analysis.position import read_position
from doublecross.cli.shared.console import INTERRUPTED, Problem
from doublecross.cli.shared.options import AsJson
from doublecross.cli.shared.parsing import need_engines

if TYPE_CHECKING:
    from doublecross.bots.search.exact.solver import Solver
    from doublecross.games.dots_and_boxes.board import Board

_MOST_MB: Final = 1 << 16
_MOST_THREADS: Final = 64


def analyse(
    size: Annotated[
        str | None,
        typer.Argument(metavar="SIZE", help="Board size, such as 4x4.", show_default=False),
    ] = None,
    edges: Annotated[
        str | None,
        typer.Option(
            "--edges",
            "-e",
            help="Edges that are drawn, by number or name, such as 0,7 or b3,c2.",
            show_default="none",
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", "-r", help="Take the position from this file of records."),
    ] = None,
    game: Annotated[
        int | None,
        typer.Option(min=1, help="Which game of the file, from 1.", show_default="1"),
    ] = None,
    ply: Annotated[
        int | None,
        typer.Option(
            min=0, help="Take the position after so many moves.", show_default="all of them"
        ),
    ] = None,
    time: Annotated[float, typer.Option("--time", "-t", help="The most seconds to search.")] = 60.0,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="The most nodes to search.", show_default="no limit")
    ] = None,
    memory: Annotated[
        int,
        typer.Option(min=1, max=_MOST_MB, metavar="MB", help="Memory for the transposition table."),
    ] = 128,
    threads: Annotated[
        int,
        typer.Option(min=1, max=_MOST_THREADS, metavar="N", help="Processor cores to search with."),
    ] = 1,
    best_only: Annotated[
        bool, typer.Option("--best-only", help="Find only the best edges.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Solve a position of Dots and Boxes: its value, the best edges, the value of each edge.

    Values are net scores with best play: the boxes that the player to move gets from here on, minus
    those of the opponent. A large board is only solved within a minute when many edges are drawn.

    A value that is not solved in time is given as bounds. Ctrl-C stops the search and prints what
    it has found so far.

    Example: doublecross analyse 3x4 --edges b3,c2,c4
    """
    if not (math.isfinite(time) and time > 0):
        raise Problem("--time must be a number of seconds above zero.")
    position = read_position(size, edges, record, game, ply)
    state = position.state
    need_engines()
    from doublecross.bots.search.exact import analysis
    from doublecross.cli.analysis.progress import Interrupt, SearchLimits, searching
    from doublecross.cli.analysis.show import print_json, print_page

    limits = SearchLimits(time, nodes)
    solver = _solver(state.board, memory, threads)
    free = len(state.legal_actions())
    with Interrupt() as interrupt, searching(state.game.size, free, limits, interrupt) as view:
        found = analysis.analyse(
            solver, state.edges, view.watch, every_move=not best_only, report=view.update
        )
    (print_json if as_json else print_page)(position, found, view.effort(found))
    if interrupt.asked:
        raise typer.Exit(INTERRUPTED)


def _solver(board: Board, memory_mb: int, threads: int) -> Solver:
    """Return a solver for `board`; the first call compiles its kernels."""
    from doublecross.bots.search.exact.solver import Solver, prepare

    prepare(board)
    try:
        return Solver(board, memory_mb, threads)
    except MemoryError:
        raise Problem(
            f"There are not {memory_mb} MB of memory for the table; set less with --memory."
        ) from None
