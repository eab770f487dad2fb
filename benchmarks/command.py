"""What the commands of the benchmarks share: options, the choice of parts, and what is done with
the figures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from benchmarks import figures
from benchmarks.processes import BenchmarkError

Quick = Annotated[bool, typer.Option(help="seconds instead of minutes, rough figures")]
Out = Annotated[Path, typer.Option(help="folder of the JSON file")]
Markdown = Annotated[bool, typer.Option(help="print the tables as Markdown too")]


def chosen(parts: Sequence[str] | None, known: Collection[str]) -> list[str]:
    """The `parts` to measure, all that are `known` by default.

    Raises:
        typer.BadParameter: one of them is not known.
    """
    for name in parts or ():
        if name not in known:
            raise typer.BadParameter(f"{name!r} is none of {', '.join(known)}.")
    return list(parts or known)


def measure(
    title: str,
    parts: Sequence[str],
    of: Callable[[str], Mapping[str, Any]],
    machine: Mapping[str, str],
    lines: Callable[[Mapping[str, Any]], list[figures.Line]],
    out: Path,
    markdown: bool,
) -> None:
    """Measure each of the `parts` with `of`; print the `lines` of the results and the `machine`,
    and write everything to a file in `out`.

    Raises:
        typer.Exit: it cannot be measured, which has been said.
    """
    results: dict[str, Any] = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine,
    }
    try:
        for name in parts:
            results[name] = of(name)
    except BenchmarkError as error:
        Console(stderr=True).print(f"[red]{error}[/]")
        raise typer.Exit(1) from None
    console = Console()
    table = lines(results)
    figures.print_table(f"Doublecross, {title}", table, results, console)
    path = figures.write(title, results, out)
    console.print(f"[dim]written to {path}[/]", highlight=False)
    if markdown:
        print(figures.markdown(table, results))
