"""Measure how long searches take, and how much memory: `python -m benchmarks.search`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Final

import typer
from rich.console import Console

from benchmarks import command, machine
from benchmarks.processes import ROOT
from benchmarks.search import measure, report

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
        list[str] | None, typer.Argument(help=f"Which of {', '.join(PARTS)}; all by default.")
    ] = None,
    quick: command.Quick = False,
    rounds: Annotated[
        int | None,
        typer.Option(min=1, help="Alternating rounds; empty boards have their own number."),
    ] = None,
    boards: Annotated[
        str | None, typer.Option(help="Empty boards to solve, such as 3x3,3x4.")
    ] = None,
    memory_mb: Annotated[
        int | None, typer.Option(min=1, help="MiB of table for positions and trees.")
    ] = None,
    out: command.Out = ROOT / "var/benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Measure the searches: time, nodes and memory."""
    chosen = command.chosen(parts, PARTS)
    plan = measure.QUICK if quick else measure.Plan()
    if rounds is not None:
        plan = replace(plan, rounds=rounds, playout_rounds=rounds)
    if memory_mb is not None:
        plan = replace(plan, memory_mb=memory_mb)
    if boards is not None:
        plan = replace(plan, empties=_empties(plan, boards))
    say = Console(stderr=True).print
    command.measure(
        "search",
        chosen,
        lambda name: PARTS[name](plan, say),
        machine.describe(None, machine.SEARCH_LIBRARIES),
        report.lines,
        out,
        markdown,
    )


def _empties(plan: measure.Plan, text: str) -> tuple[measure.Empty, ...]:
    """Return the empty boards that `text` names; the plan knows them, or the full plan does."""
    known = {each.size: each for each in (*measure.Plan().empties, *plan.empties)}
    sizes = text.replace(",", " ").split()
    for size in sizes:
        if size not in known:
            raise typer.BadParameter(
                f"There is no board {size!r} here; there are {', '.join(known)}."
            )
    if not sizes:
        raise typer.BadParameter("Name the boards, such as 3x3,3x4.")
    return tuple(known[size] for size in sizes)


if __name__ == "__main__":
    typer.run(run)
