"""Write figures as a table for people, as Markdown for the README, and as JSON."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its target; `met` says whether it is reached (None: no target)."""

    name: str
    value: str
    target: str = ""
    met: bool | None = None


def summary(values: Sequence[float]) -> dict[str, float]:
    """Return the median, the 95th percentile, and the least and the greatest value."""
    ordered = sorted(values)
    return {
        "median": statistics.median(ordered),
        "p95": ordered[min(len(ordered) - 1, round(len(ordered) * 0.95))],
        "least": ordered[0],
        "most": ordered[-1],
    }


def spread(figure: Mapping[str, float], unit: str, digits: int) -> str:
    """Return a `median` as text, with `least` and `most` in parentheses if they differ."""
    middle, least, most = (f"{figure[key]:,.{digits}f}" for key in ("median", "least", "most"))
    around = "" if figure["least"] == figure["most"] else f" ({least} to {most})"
    return f"{middle} {unit}".rstrip() + around


def _verdict(line: Figure) -> str:
    return "" if line.met is None else "yes" if line.met else "no"


def print_table(
    title: str, lines: Sequence[Figure], results: Mapping[str, Any], console: Console
) -> None:
    """Print the figures and the ``machine`` of the results in a terminal."""
    table = Table(title=title, title_justify="left")
    for heading in ("figure", "median (least to most)", "wanted", "met"):
        table.add_column(heading)
    for line in lines:
        colour = {True: "green", False: "red", None: ""}[line.met]
        verdict = f"[{colour}]{_verdict(line)}[/]" if colour else ""
        table.add_row(line.name, line.value, line.target, verdict)
    console.print(table)
    for name, text in results["machine"].items():
        console.print(f"[dim]{name:11}[/] {text}", highlight=False)


def markdown(lines: Sequence[Figure], results: Mapping[str, Any]) -> str:
    """Return the figures, the day (``at``) and the ``machine`` of the results for the README."""
    rows = ["| figure | median (least to most) | wanted | met |", "| --- | --- | --- | --- |"]
    rows += [f"| {line.name} | {line.value} | {line.target} | {_verdict(line)} |" for line in lines]
    rows += ["", f"Measured {results['at'][:10]} on:", ""]
    rows += [f"- {name}: {text}" for name, text in results["machine"].items()]
    return "\n".join(rows)


def write(name: str, results: Mapping[str, Any], folder: Path) -> Path:
    """Write everything as JSON to a file with this name and the time; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    path = folder / f"{name}-{stamp}.json"
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return path
