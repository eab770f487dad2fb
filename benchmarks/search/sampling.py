"""Compare playouts with the search of a network: `python -m benchmarks.search.sampling NET`.

Both rank the moves of positions that the exact search decides: can the player to move still win?
The positions come from random careful play. Those that are lost count for nothing, and those that
every safe edge wins. Neither side gets tests of moves or an exact search of the whole position, so
this measures the sampling of `champion` alone. Both have the same processor time for a move.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Annotated, Final

import numpy as np
import typer

from benchmarks.search.positions import safe_edges, sample
from doublecross.bots.clock import count_cpu_time
from doublecross.bots.engine.engine import FEW_SHORT, prepare
from doublecross.bots.engine.net_search import NetSearch
from doublecross.bots.engine.playouts import Playouts
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.bots.search.forecast import Pace
from doublecross.bots.zero.net import Net
from doublecross.bots.zero.planes import PLANES
from doublecross.bots.zero.search import prepare as prepare_search
from doublecross.games.dots_and_boxes.board import Board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.stats.means import share_interval

_MEMORY_MB: Final = 16.0
"""MiB for the tree of each side, and for the table at the ends of playouts."""
_BATCH: Final = 20


def decided(board: Board, free: int, count: int, seed: int) -> list[tuple[int, set[int]]]:
    """Return positions with `free` free edges, and the edges that keep the win."""
    judge = Solver(board, 256)
    found: list[tuple[int, set[int]]] = []
    while len(found) < count:
        seed += 1
        for edges in sample(board, free, _BATCH, seed):
            judge.clear()
            if not judge.at_least(edges, 1, SearchWatch()):
                continue
            keeps = set(judge.best(edges, 1, SearchWatch(), every=True) or ())
            if not set(safe_edges(board, edges)) <= keeps:
                found.append((edges, keeps))
    return found[:count]


def choose(sampler: Playouts | NetSearch, edges: int, seconds: float) -> int:
    """Return the edge that the playouts or the network prefer."""
    sampler.run(edges, 0, SearchWatch(seconds=seconds))
    return sampler.ranking(edges)[0][0]


def main(
    net: Annotated[Path, typer.Argument(help="The network.")],
    free: Annotated[int, typer.Option(help="Free edges.")] = 38,
    count: Annotated[int, typer.Option(min=1, help="Positions.")] = 200,
    seconds: Annotated[float, typer.Option(help="Seconds of processor time for a move.")] = 0.1,
    size: Annotated[str, typer.Option(help="Board size.")] = "5x5",
    seed: Annotated[int, typer.Option(help="Seed of the positions.")] = 1,
) -> None:
    """Print how many wins each side keeps, and the difference with its 95% interval."""
    network = Net.load(net, DotsAndBoxes.key, PLANES)
    board = DotsAndBoxes(DotsAndBoxes.parse_size(size)).board
    prepare(board)
    prepare_search(board)
    count_cpu_time()
    kept: list[tuple[bool, bool]] = []
    for number, (edges, keeps) in enumerate(decided(board, free, count, 1000 * seed)):
        rng, solver = Random(f"{seed} {number}"), Solver(board, _MEMORY_MB)
        playouts = Playouts(solver, _MEMORY_MB, rng, FEW_SHORT, Pace())
        guided = NetSearch(board, network, _MEMORY_MB, rng, Pace())
        kept.append(
            (choose(playouts, edges, seconds) in keeps, choose(guided, edges, seconds) in keeps)
        )
    both = np.array(kept, float)
    for name, wins in zip(("playouts", "network"), both.T, strict=True):
        interval = share_interval(int(wins.sum()), count)
        print(
            f"{name}: {int(wins.sum())} of {count} wins kept, {wins.mean():.1%} "
            f"({interval.low:.1%} to {interval.high:.1%})"
        )
    difference = both[:, 1] - both[:, 0]
    error = 1.96 * difference.std() / count**0.5
    print(f"network - playouts: {difference.mean():+.1%} +- {error:.1%}")


if __name__ == "__main__":
    typer.run(main)
