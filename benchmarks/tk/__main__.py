"""Measure how fast a window draws boards and clicked edges: `python -m benchmarks.tk`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Final

import typer

from benchmarks import command, machine
from benchmarks.processes import ROOT
from benchmarks.tk import measure, report, screen

Part = Callable[[measure.Plan], measure.Numbers]

PARTS: Final[dict[str, Part]] = {
    "first": measure.first,
    "click": measure.click,
    "screen-first": screen.first,
    "screen-click": screen.click,
}


def run(
    parts: Annotated[
        list[str] | None, typer.Argument(help=f"Which of {', '.join(PARTS)}; all by default.")
    ] = None,
    quick: command.Quick = False,
    size: Annotated[str | None, typer.Option(help="Board size, such as 10x10.")] = None,
    out: command.Out = ROOT / "var/benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Measure the board in a window, alone and in the whole screen of a game.

    It times the first drawing and clicks. It needs a display.
    """
    chosen = command.chosen(parts, PARTS)
    plan = measure.QUICK if quick else measure.Plan()
    if size is not None:
        plan = replace(plan, size=size)
    command.measure(
        "tk",
        chosen,
        lambda name: PARTS[name](plan),
        {**machine.describe(None, machine.TK_LIBRARIES), **measure.software()},
        lambda results: report.lines(results, plan.size),
        out,
        markdown,
    )


if __name__ == "__main__":
    typer.run(run)
