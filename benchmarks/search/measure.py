"""Measure searches in child processes and summarise the results.

Rounds alternate between what is compared, so a machine that becomes slower slows all of it. Nodes
and values are deterministic; a difference between rounds is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.processes import BenchmarkError, Process
from benchmarks.search.positions import sample
from benchmarks.server.meter import median
from doublecross.games.dots_and_boxes.board import board

Say = Callable[[str], None]
Numbers = dict[str, Any]

_MODULE: Final = "benchmarks.search.child"
_SEED: Final = 20
"""The seed of the positions."""


@dataclass(frozen=True, slots=True)
class Empty:
    """An empty board to solve with a table of `memory_mb` MiB, in so many rounds."""

    size: str
    memory_mb: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Sample:
    """A number of positions of careful play with `free` free edges."""

    size: str
    free: int
    count: int

    @property
    def name(self) -> str:
        """Its name in results and tables."""
        return f"{self.size} with {self.free} free edges"

    def positions(self) -> list[int]:
        """Return the positions, always the same ones; a larger `count` adds to them."""
        rows, cols = self.size.split("x")
        return sample(board(int(rows), int(cols)), self.free, self.count, _SEED)


@dataclass(frozen=True, slots=True)
class Playouts:
    """A first move of mcts with a number of simulations."""

    game: str
    size: str
    simulations: int
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its name in results and tables."""
        options = "".join(f", {name} {value}" for name, value in self.options.items())
        return f"{self.game} {self.size}{options}"


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to measure. `rounds` holds for all but `empties`, which have their own."""

    rounds: int = 3
    empties: tuple[Empty, ...] = (Empty("3x3", 16, 7), Empty("3x4", 64, 5), Empty("4x4", 512, 1))
    samples: tuple[Sample, ...] = (
        Sample("5x5", 36, 40),
        Sample("5x5", 38, 20),
        Sample("5x5", 40, 10),
    )
    memory_mb: int = 128
    size: str = "5x5"
    depths: tuple[int, ...] = (3, 4, 5, 6)
    both: tuple[Sample, ...] = (Sample("3x3", 14, 6), Sample("3x3", 15, 6), Sample("3x3", 16, 6))
    repeats: int = 11
    playouts: tuple[Playouts, ...] = (
        Playouts("dots-and-boxes", "5x5", 100_000),
        Playouts("dots-and-boxes", "5x5", 200_000, {"rollout": "random"}),
        Playouts("dots-and-boxes", "10x10", 20_000),
        Playouts("tic-tac-toe", "3x3", 5_000),
    )
    playout_rounds: int = 7


QUICK: Final = Plan(
    rounds=1,
    empties=(Empty("3x3", 16, 3), Empty("3x4", 64, 1)),
    samples=(Sample("5x5", 36, 20), Sample("5x5", 38, 10), Sample("5x5", 40, 4)),
    both=(Sample("3x3", 14, 2), Sample("3x3", 16, 1)),
    repeats=5,
    playouts=(
        Playouts("dots-and-boxes", "5x5", 30_000),
        Playouts("dots-and-boxes", "5x5", 60_000, {"rollout": "random"}),
        Playouts("dots-and-boxes", "10x10", 5_000),
        Playouts("tic-tac-toe", "3x3", 2_000),
    ),
    playout_rounds=3,
)


def worker() -> Process:
    """Start a new process; return it when its kernels are compiled and loaded."""
    process = Process(_MODULE)
    try:
        process.read()
    except BaseException:
        process.stop()
        raise
    return process


def boards(plan: Plan, say: Say) -> Numbers:
    """Solve empty boards, each in a process of its own: time, nodes and memory."""
    rows: dict[str, list[Numbers]] = {each.size: [] for each in plan.empties}
    for number in range(max(each.rounds for each in plan.empties)):
        for each in plan.empties:
            if number >= each.rounds:
                continue
            say(f"solving {each.size}, table of at most {each.memory_mb} MiB")
            with worker() as process:
                row = process.ask("empty", size=each.size, memory_mb=each.memory_mb)
            rows[each.size].append(row)
            say(f"  {row['seconds']:.3g} s, {row['peak_bytes'] / 1e6:.0f} MB")
    found = {}
    for each in plan.empties:
        mine = rows[each.size]
        found[each.size] = {
            "memory_mb": each.memory_mb,
            "value": same(row["value"] for row in mine),
            "nodes": same(row["nodes"] for row in mine),
            "seconds": summary(row["seconds"] for row in mine),
            "per_s": summary(row["nodes"] / row["seconds"] for row in mine),
            "peak_bytes": max(row["peak_bytes"] for row in mine),
            "before_bytes": max(row["before_bytes"] for row in mine),
            "busy": busy(mine),
            "rounds": mine,
        }
    return found


def positions(plan: Plan, say: Say) -> Numbers:
    """Solve positions of careful play.

    The figures are the median and the extremes over the positions, each of which has its median
    over the rounds.
    """
    drawn = [each.positions() for each in plan.samples]
    rounds: list[list[list[Numbers]]] = [[] for _ in plan.samples]
    for _ in range(plan.rounds):
        for each, mine, edges in zip(plan.samples, rounds, drawn, strict=True):
            say(f"solving {each.count} positions, {each.name}")
            with worker() as process:
                answer = process.ask(
                    "solve", size=each.size, memory_mb=plan.memory_mb, positions=edges
                )
            mine.append(answer["rows"])
    found = {}
    for each, mine, edges in zip(plan.samples, rounds, drawn, strict=True):
        times = [median(row["seconds"] for row in runs) for runs in zip(*mine, strict=True)]
        nodes = [same(row["nodes"] for row in runs) for runs in zip(*mine, strict=True)]
        found[each.name] = {
            "free": each.free,
            "count": each.count,
            "memory_mb": plan.memory_mb,
            "seconds": summary(times),
            "nodes": summary(nodes),
            "per_s": sum(nodes) / sum(times),
            "busy": busy(row for rows in mine for row in rows),
            "positions": [f"{position:x}" for position in edges],
            "rounds": mine,
        }
    return found


def textbook(plan: Plan, say: Say) -> Numbers:
    """Time the textbook alpha-beta to each depth on an empty board."""
    rows: dict[bool, list[list[Numbers]]] = {False: [], True: []}
    with worker() as process:
        for _ in range(plan.rounds):
            for table, mine in rows.items():
                say(f"textbook alpha-beta on {plan.size}, {'with' if table else 'without'} table")
                answer = process.ask("trees", size=plan.size, depths=plan.depths, table=table)
                mine.append(answer["rows"])
    found = []
    for table, mine in rows.items():
        for depth, runs in zip(plan.depths, zip(*mine, strict=True), strict=True):
            found.append(
                {
                    "depth": depth,
                    "table": table,
                    "seconds": summary(run["seconds"] for run in runs),
                    "nodes": same(run["nodes"] for run in runs),
                }
            )
    return {
        "size": plan.size,
        "searches": found,
        # Over all searches: the shallow ones are too short for a share of their own.
        "busy": busy(run for mine in rows.values() for runs in mine for run in runs),
    }


def against(plan: Plan, say: Say) -> Numbers:
    """Compare the exact solver with the textbook alpha-beta on positions that both can solve.

    Both start with empty tables and take turns. They must find the same values.
    """
    found = {}
    with worker() as process:
        for each in plan.both:
            say(f"both solve {each.count} positions, {each.name}")
            rounds: list[Sequence[Numbers]] = []
            for _ in range(plan.rounds):
                answer = process.ask(
                    "against",
                    size=each.size,
                    memory_mb=1,
                    positions=each.positions(),
                    repeats=plan.repeats,
                )
                rounds.append(answer["rows"])
            pairs = [pair for rows in rounds for pair in rows]
            found[each.name] = {
                "count": each.count,
                "time_ratio": summary(_ratios(pairs, "seconds")),
                "node_ratio": summary(_ratios(pairs, "nodes")),
                "textbook_s": summary(pair["textbook"]["seconds"] for pair in pairs),
                "exact_s": summary(pair["exact"]["seconds"] for pair in pairs),
                "busy": busy(pair["textbook"] for pair in pairs),
                "rounds": rounds,
            }
    return found


def mcts(plan: Plan, say: Say) -> Numbers:
    """Measure simulations a second from the start of a game."""
    rows: dict[str, list[Numbers]] = {each.name: [] for each in plan.playouts}
    with worker() as process:
        for number in range(plan.playout_rounds):
            if not number:
                say(f"mcts, {plan.playout_rounds} rounds each")
            for each in plan.playouts:
                row = process.ask(
                    "simulate",
                    game=each.game,
                    size=each.size,
                    simulations=each.simulations,
                    memory_mb=plan.memory_mb,
                    options=dict(each.options),
                )
                rows[each.name].append(row)
    return {
        name: {
            "per_s": summary(row["simulations"] / row["seconds"] for row in mine),
            "busy": busy(mine),
            "rounds": mine,
        }
        for name, mine in rows.items()
    }


def summary(values: Iterable[float]) -> dict[str, float]:
    """Return the median, the least and the most."""
    known = list(values)
    return {"median": median(known), "least": min(known), "most": max(known)}


def same(values: Iterable[int]) -> int:
    """Return the number that all values are.

    Raises:
        BenchmarkError: they differ, so the runs were not the same search.
    """
    known = set(values)
    if len(known) != 1:
        raise BenchmarkError(f"The same search gave {', '.join(map(str, sorted(known)))}.")
    return known.pop()


def busy(rows: Iterable[Numbers]) -> float:
    """Return the share of a core that the searches had while they were timed."""
    known = list(rows)
    return float(sum(row["cpu_s"] for row in known) / sum(row["seconds"] for row in known))


def _ratios(pairs: Iterable[Numbers], key: str) -> list[float]:
    return [pair["textbook"][key] / pair["exact"][key] for pair in pairs]
