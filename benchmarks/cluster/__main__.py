"""Measure what a cluster costs, and how long its nodes' ends last: `python -m benchmarks.cluster`.

It starts PostgreSQL, NATS and the nodes itself, all on this machine.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from benchmarks import command, machine
from benchmarks.cluster import measure, report
from benchmarks.cluster.world import World
from benchmarks.server.measure import VAR, raise_open_files

Part = Callable[[measure.Plan, World, measure.Say], measure.Numbers]

PARTS: Final[dict[str, Part]] = {
    "forward": measure.forward,
    "apart": measure.apart,
    "watch": measure.watch,
    "kill": measure.kill,
    "drain": measure.drain,
}


def run(
    parts: Annotated[
        list[str] | None, typer.Argument(help=f"Which of {', '.join(PARTS)}; all by default.")
    ] = None,
    quick: command.Quick = False,
    rounds: Annotated[int | None, typer.Option(min=1, help="Number of alternating rounds.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.1, help="Seconds of a round.")] = None,
    rate: Annotated[float | None, typer.Option(min=1, help="Moves per second.")] = None,
    lives: Annotated[int | None, typer.Option(min=1, help="How many nodes end.")] = None,
    live_rooms: Annotated[
        int | None, typer.Option(min=1, help="Rooms of a node that ends.")
    ] = None,
    out: command.Out = VAR / "benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Measure forwarded moves, spectators at several nodes, and the end of a node."""
    chosen = command.chosen(parts, PARTS)
    given: dict[str, Any] = {
        "rounds": rounds,
        "seconds": seconds,
        "rate": rate,
        "lives": lives,
        "live_rooms": live_rooms,
    }
    plan = replace(
        measure.QUICK if quick else measure.Plan(),
        **{name: value for name, value in given.items() if value is not None},
    )
    raise_open_files(4 * max(plan.spectators, plan.live_rooms) + 500)
    say = Console(stderr=True).print
    VAR.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=VAR, prefix="bench-") as folder:
        world = World(Path(folder))
        try:
            command.measure(
                "cluster",
                chosen,
                lambda name: PARTS[name](plan, world, say),
                machine.describe(VAR),
                report.lines,
                out,
                markdown,
            )
        finally:
            world.close()


if __name__ == "__main__":
    typer.run(run)
