"""Count the nodes that fixed positions of real play take: `python -m benchmarks.search.solving`.

The positions come from games that the engine played against itself on 5x5 after a random opening of
safe edges, each move with the same number of nodes. `--make` plays such games for the numbers of
`--free` that `solving.json` lacks, and adds their positions. Nodes of one thread do not depend on
the machine or its load, so they show whether a change of the search is good. CPU seconds do;
`share` is the part of a core for each thread that the process had.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.search.positions import careful
from benchmarks.server.meter import median
from doublecross.bots.api import Limit, NeverStop
from doublecross.bots.engine.engine import Engine
from doublecross.bots.engine.engine import prepare as prepare_engine
from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.exact.solver import SearchWatch, Solver, prepare
from doublecross.games.dots_and_boxes.board import Board, board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes

FILE: Final = Path(__file__).with_name("solving.json")
COUNT: Final = 30
"""Positions for each of them."""
_SIZE: Final = 5
_OPENING: Final = 8
"""Random safe edges at the start of a game."""
_NODES: Final = 20_000
"""The nodes for a move of the engine."""


def make(shape: Board, numbers: list[int]) -> dict[int, list[int]]:
    """Play games until there are enough positions; return the drawn edges by the free edges."""
    if not numbers:
        return {}
    game = DotsAndBoxes({"rows": shape.rows, "cols": shape.cols})
    found: dict[int, list[int]] = {free: [] for free in numbers}
    seed = 0
    while any(len(each) < COUNT for each in found.values()):
        seed += 1
        rng = Random(seed)
        opening = careful(shape, rng, shape.num_edges - _OPENING)
        if opening is None:
            continue
        engine = Engine(shape, rng, 16)
        state = game.initial_state(shape.members(opening))
        while len(state.legal_actions()) > min(numbers):
            thought = engine.think(state, Limit(nodes=_NODES), NeverStop())
            state.apply(thought.edge)
            mine = found.get(len(state.legal_actions()), [])
            quiet = not closure(shape, state.edges).taken
            if quiet and len(mine) < COUNT and state.edges not in mine:
                mine.append(state.edges)
    return found


def load() -> dict[int, list[int]]:
    """Return the positions of the file: sets of drawn edges by the number of free edges."""
    text = json.loads(FILE.read_text())
    return {int(free): [int(edges, 16) for edges in each] for free, each in text.items()}


def measure(
    free: Annotated[str, typer.Option(help="Numbers of free edges.")] = "36,38,40",
    count: Annotated[int, typer.Option(min=1, max=COUNT, help="Positions of each.")] = COUNT,
    memory_mb: Annotated[int, typer.Option(min=1, help="MiB of table.")] = 128,
    threads: Annotated[int, typer.Option(min=1, help="Threads of a search.")] = 1,
    make_them: Annotated[bool, typer.Option("--make", help="Make missing positions.")] = False,
) -> None:
    """Solve the fixed positions, each with an empty table, and print nodes and CPU time."""
    shape = board(_SIZE, _SIZE)
    numbers = [int(number) for number in free.split(",")]
    known = load()
    if make_them:
        prepare_engine()
        known |= make(shape, [number for number in numbers if number not in known])
        text = {str(key): [f"{edges:x}" for edges in known[key]] for key in sorted(known)}
        FILE.write_text(json.dumps(text, indent=1) + "\n")
    prepare()
    solver = Solver(shape, memory_mb, threads)
    table = Table("free edges", "positions", "median nodes", "all nodes", "ns of CPU a node")
    for column in ("median s", "share", "values"):
        table.add_column(column)
    for number in numbers:
        nodes, seconds, cpu, values = [], [], 0.0, 0
        for edges in known[number][:count]:
            solver.clear()
            watch = SearchWatch()
            wall, spent = time.perf_counter(), time.process_time()
            values = values * 53 + solver.bounds(edges, watch).low & 0xFFFF
            cpu += time.process_time() - spent
            seconds.append(time.perf_counter() - wall)
            nodes.append(watch.nodes)
        table.add_row(
            f"{number}",
            f"{len(nodes)}",
            f"{median(nodes):,.0f}",
            f"{sum(nodes):,}",
            f"{cpu / sum(nodes) * 1e9:.0f}",
            f"{median(seconds):.3g}",
            f"{cpu / sum(seconds) / threads:.0%}",
            f"{values:04x}",
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    typer.run(measure)
