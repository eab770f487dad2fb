"""Measure the browser page in Chromium: `python -m benchmarks.page`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final

import typer

from benchmarks import command, machine
from benchmarks.page import measure, report
from benchmarks.processes import ROOT

PARTS: Final[dict[str, Callable[[measure.Plan], measure.Numbers]]] = {
    "checkout": measure.visit,
    "bundle": measure.bundled,
    "click": measure.click,
}


def run(
    parts: Annotated[
        list[str] | None, typer.Argument(help=f"Which of {', '.join(PARTS)}; all by default.")
    ] = None,
    quick: command.Quick = False,
    out: command.Out = ROOT / "var/benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Measure first visits and moves in Chromium, on a server of its own."""
    chosen = command.chosen(parts, PARTS)
    plan = measure.QUICK if quick else measure.Plan()
    command.measure(
        "page",
        chosen,
        lambda name: PARTS[name](plan),
        machine.describe(None, ("websockets", "starlette", "uvicorn", "playwright")),
        report.lines,
        out,
        markdown,
    )


if __name__ == "__main__":
    typer.run(run)
