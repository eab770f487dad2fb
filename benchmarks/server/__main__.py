"""`python -m benchmarks.server`: what a move, a spectator and an idle connection cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from benchmarks import machine
from benchmarks.server import measure, report
from benchmarks.server.processes import ROOT, BenchmarkError, Process, Subject

Part = Callable[[measure.Plan, Subject, Process, measure.Say], measure.Numbers]

PARTS: Final[dict[str, Part]] = {
    "play": measure.play,
    "watch": measure.watch,
    "idle": measure.idle,
}


def run(
    parts: Annotated[
        list[str] | None, typer.Argument(help=f"which of {', '.join(PARTS)}; all by default")
    ] = None,
    quick: Annotated[bool, typer.Option(help="seconds instead of minutes, rough figures")] = False,
    rounds: Annotated[int | None, typer.Option(min=1, help="alternating rounds")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.05, help="of a round of moves")] = None,
    rooms: Annotated[int | None, typer.Option(min=1)] = None,
    pace_s: Annotated[float | None, typer.Option(min=0.1, help="of the latency's run")] = None,
    idle: Annotated[str | None, typer.Option(help="numbers of connections, as 1000,5000")] = None,
    spectators: Annotated[int | None, typer.Option(min=1)] = None,
    crowd_seconds: Annotated[float | None, typer.Option(min=0.05, help="of their rounds")] = None,
    root: Annotated[Path, typer.Option(help="a tree with benchmarks, whose server is run")] = ROOT,
    out: Annotated[Path, typer.Option(help="folder of the JSON file")] = measure.VAR / "benchmarks",
    markdown: Annotated[bool, typer.Option(help="print the table as Markdown too")] = False,
) -> None:
    """Measure the server, its log on disk, against bare websockets doing nothing."""
    chosen = parts or list(PARTS)
    for name in chosen:
        if name not in PARTS:
            raise typer.BadParameter(f"{name!r} is none of {', '.join(PARTS)}.")
    given: dict[str, Any] = {
        "rounds": rounds,
        "seconds": seconds,
        "rooms": rooms,
        "pace_s": pace_s,
        "idle": None if idle is None else tuple(int(n) for n in idle.split(",")),
        "spectators": spectators,
        "crowd_seconds": crowd_seconds,
        "root": root.resolve(),
    }
    plan = replace(
        measure.QUICK if quick else measure.Plan(),
        **{name: value for name, value in given.items() if value is not None},
    )
    console = Console()
    say = Console(stderr=True).print
    measure.VAR.mkdir(exist_ok=True)
    results: dict[str, Any] = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine.describe(measure.VAR),
    }
    try:
        for name in chosen:
            with measure.session(plan) as (server, generator):
                results[name] = PARTS[name](plan, server, generator, say)
    except BenchmarkError as error:
        Console(stderr=True).print(f"[red]{error}[/]")
        raise typer.Exit(1) from None
    report.print_table(results, console)
    console.print(f"[dim]written to {report.write(results, out)}[/]", highlight=False)
    if markdown:
        print(report.markdown(results))


if __name__ == "__main__":
    typer.run(run)
