"""`python -m benchmarks.search`: how long boards and positions take to solve, and what memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from benchmarks import machine
from benchmarks.search import measure, report
from benchmarks.server.processes import ROOT, BenchmarkError

Part = Callable[[measure.Plan, measure.Say], measure.Numbers]

PARTS: Final[dict[str, Part]] = {
    "boards": measure.boards,
    "positions": measure.positions,
    "textbook": measure.textbook,
    "against": measure.against,
    "mcts": measure.mcts,
}


def run(
    parts: Annotated[
        list[str] | None, typer.Argument(help=f"which of {', '.join(PARTS)}; all by default")
    ] = None,
    quick: Annotated[bool, typer.Option(help="seconds instead of minutes, rough figures")] = False,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="alternating rounds, but for empty boards")
    ] = None,
    boards: Annotated[str | None, typer.Option(help="empty boards to solve, as 3x3,3x4")] = None,
    memory_mb: Annotated[
        int | None, typer.Option(min=1, help="MiB of table for positions and trees")
    ] = None,
    out: Annotated[Path, typer.Option(help="folder of the JSON file")] = ROOT / "var/benchmarks",
    markdown: Annotated[bool, typer.Option(help="print the table as Markdown too")] = False,
) -> None:
    """Measure the searches: time, nodes and memory."""
    chosen = parts or list(PARTS)
    for name in chosen:
        if name not in PARTS:
            raise typer.BadParameter(f"{name!r} is none of {', '.join(PARTS)}.")
    plan = measure.QUICK if quick else measure.Plan()
    if rounds is not None:
        plan = replace(plan, rounds=rounds, playout_rounds=rounds)
    if memory_mb is not None:
        plan = replace(plan, memory_mb=memory_mb)
    if boards is not None:
        plan = replace(plan, empties=_empties(plan, boards))
    say = Console(stderr=True).print
    results: dict[str, Any] = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine.describe(None, machine.SEARCH_LIBRARIES),
    }
    try:
        for name in chosen:
            results[name] = PARTS[name](plan, say)
    except BenchmarkError as error:
        Console(stderr=True).print(f"[red]{error}[/]")
        raise typer.Exit(1) from None
    console = Console()
    report.print_table(results, console)
    console.print(f"[dim]written to {report.write(results, out)}[/]", highlight=False)
    if markdown:
        print(report.markdown(results))


def _empties(plan: measure.Plan, text: str) -> tuple[measure.Empty, ...]:
    """The empty boards called in `text`, those of the plan or of the whole one."""
    known = {each.size: each for each in (*measure.Plan().empties, *plan.empties)}
    sizes = text.replace(",", " ").split()
    for size in sizes:
        if size not in known:
            raise typer.BadParameter(f"{size!r} is none of {', '.join(known)}.")
    if not sizes:
        raise typer.BadParameter("Say which boards, as 3x3,3x4.")
    return tuple(known[size] for size in sizes)


if __name__ == "__main__":
    typer.run(run)
