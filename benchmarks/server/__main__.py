"""Measure the cost of moves, spectators and idle connections: `python -m benchmarks.server`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from benchmarks import command, machine
from benchmarks.processes import ROOT, Process
from benchmarks.server import measure, report
from benchmarks.server.against import KINDS
from benchmarks.server.processes import Subject

Part = Callable[[measure.Plan, Subject, Process, measure.Say], measure.Numbers]

PARTS: Final[dict[str, Part]] = {
    "play": measure.play,
    "tournament": measure.tournament,
    "watch": measure.watch,
    "idle": measure.idle,
}


def run(
    parts: Annotated[
        list[str] | None, typer.Argument(help=f"Which of {', '.join(PARTS)}; all by default.")
    ] = None,
    quick: command.Quick = False,
    rounds: Annotated[int | None, typer.Option(min=1, help="Number of alternating rounds.")] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.05, help="Seconds of a round of moves.")
    ] = None,
    rooms: Annotated[int | None, typer.Option(min=1, help="Rooms at once.")] = None,
    pace_s: Annotated[
        float | None, typer.Option(min=0.1, help="Seconds of the latency measurement.")
    ] = None,
    idle: Annotated[
        str | None, typer.Option(help="Numbers of idle connections, such as 1000,5000.")
    ] = None,
    spectators: Annotated[int | None, typer.Option(min=1, help="Spectators of one room.")] = None,
    crowd_seconds: Annotated[
        float | None, typer.Option(min=0.05, help="Seconds of a round with spectators.")
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(help=f"Other servers that play the same games: {', '.join(KINDS)}."),
    ] = None,
    root: Annotated[Path, typer.Option(help="The source tree whose server to measure.")] = ROOT,
    out: command.Out = measure.VAR / "benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Compare the server, with its database on disk, with bare websocket servers."""
    chosen = command.chosen(parts, PARTS)
    for name in against or ():
        if name not in KINDS:
            raise typer.BadParameter(f"There is no server {name!r}; there is {', '.join(KINDS)}.")
    if against and "play" not in chosen:
        raise typer.BadParameter("Only the part play can be compared with another server.")
    given: dict[str, Any] = {
        "rounds": rounds,
        "seconds": seconds,
        "rooms": rooms,
        "pace_s": pace_s,
        "idle": None if idle is None else tuple(int(n) for n in idle.split(",")),
        "spectators": spectators,
        "crowd_seconds": crowd_seconds,
        "against": tuple(against or ()),
        "root": root.resolve(),
    }
    plan = replace(
        measure.QUICK if quick else measure.Plan(),
        **{name: value for name, value in given.items() if value is not None},
    )
    say = Console(stderr=True).print

    def part(name: str) -> measure.Numbers:
        with measure.session(plan) as (server, generator):
            return PARTS[name](plan, server, generator, say)

    measure.VAR.mkdir(exist_ok=True)
    described = machine.describe(measure.VAR)
    command.measure("server", chosen, part, described, report.lines, out, markdown)


if __name__ == "__main__":
    typer.run(run)
