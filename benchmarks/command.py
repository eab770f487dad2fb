"""Define what all benchmark commands share: options, the choice of parts, and the output."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from benchmarks import figures
from benchmarks.processes import BenchmarkError

Quick = Annotated[
    bool, typer.Option(help="Take seconds instead of minutes; the figures are rough.")
]
Out = Annotated[Path, typer.Option(help="Folder for the JSON file.")]
Markdown = Annotated[bool, typer.Option(help="Also print the tables as Markdown.")]


def chosen(parts: Sequence[str] | None, known: Collection[str]) -> list[str]:
    """Return the `parts` to measure; all `known` ones if none are named.

    Raises:
        typer.BadParameter: one of them is unknown.
    """
    for name in parts or ():
        if name not in known:
            raise typer.BadParameter(f"There is no part {name!r}; there are {', '.join(known)}.")
    return list(parts or known)


def measure(
    title: str,
    parts: Sequence[str],
    of: Callable[[str], Mapping[str, Any]],
    machine: Mapping[str, str],
    lines: Callable[[Mapping[str, Any]], list[figures.Figure]],
    out: Path,
    markdown: bool,
) -> None:
    """Measure each of the `parts` with `of`, print the results and write them to a file in `out`.

    `lines` turns the results into the lines of the table. `machine` describes this machine.

    Raises:
        typer.Exit: a part could not be measured; the reason has been printed.
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
    console.print(f"[dim]Wrote {path}.[/]", highlight=False)
    if markdown:
        print(figures.markdown(table, results))
