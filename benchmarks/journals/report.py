"""Turn what was measured into lines of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchmarks.figures import Figure, spread, summary
from benchmarks.server.meter import median

FIRST: Final = "postgresql"
"""The store to which the others are compared."""


def lines(results: Mapping[str, Any]) -> list[Figure]:
    """Return the lines of the parts that were measured."""
    found: list[Figure] = []
    for rate, rows in results.get("rates", {}).items():
        for kind, measured in rows.items():
            found.append(Figure(f"{rate}, {kind}", _medians(measured)))
            if kind != FIRST and FIRST in rows:
                found.append(Figure(f"/ {FIRST}", _ratios(measured, rows[FIRST])))
    if "owners" in results:
        part = results["owners"]
        what = f"{part['entries']:,} entries of {part['entry_moves']} moves at a new owner"
        for kind, measured in part["rows"].items():
            figure = summary([row["ms"] for row in measured])
            found.append(Figure(f"{kind}: {what}", spread(figure, "ms", 0)))
    for kind, measured in results.get("kills", {}).items():
        lost, told = (sum(int(row[key]) for row in measured) for key in ("lost", "acknowledged"))
        name = f"{kind}, kill -9: acknowledged moves that are lost"
        found.append(Figure(name, f"{lost} of {told:,}", "none", lost == 0))
        back = summary([row["back_s"] for row in measured])
        found.append(Figure("until another node has read the logs", spread(back, "s", 2)))
    return found


def _medians(rows: list[dict[str, float]]) -> str:
    of = {key: median(row[key] for row in rows) for key in rows[0]}
    return (
        f"{of['moves']:,.0f} moves in {of['commits']:,.0f} commits a second,"
        f" p50 {of['p50_ms']:.2f} ms, p99 {of['p99_ms']:.2f} ms;"
        f" node {of['node_move_us']:.0f} us a move, {of['node_commit_us']:.0f} us a commit;"
        f" server {of['server_move_us']:.0f} us a move; disk {of['disk_bytes']:,.0f} bytes a move"
    )


def _ratios(rows: list[dict[str, float]], first: list[dict[str, float]]) -> str:
    """Return the medians of the ratios of all rounds, with the least and the greatest."""

    def ratio(key: str) -> str:
        return spread(
            summary([row[key] / other[key] for row, other in zip(rows, first, strict=True)]), "", 2
        )

    return (
        f"moves {ratio('moves')}, p50 {ratio('p50_ms')}, p99 {ratio('p99_ms')};"
        f" node {ratio('node_move_us')}; server {ratio('server_move_us')};"
        f" disk {ratio('disk_bytes')}"
    )
