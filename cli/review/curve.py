"""Draw how the value of a game went, as an SVG that follows the colours of the page."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from doublecross.analysis.report import GameReport
from doublecross.cli.shared.report.templates import render
from doublecross.games.record import Record

# The area of the curve in the picture, in pixels.
_LEFT: Final = 44
_RIGHT: Final = 708
_TOP: Final = 16
_BOTTOM: Final = 216
_TICKS: Final = 6
"""About so many labels on the horizontal axis."""


def curve_svg(record: Record, report: GameReport) -> str:
    """Return the curve of the net score of seat 0; estimates have a band of a standard error."""
    values = [report.moves[0].before, *(move.after for move in report.moves)]
    most = max(1.0, *(abs(value.mean) + value.spread for value in values))
    net = round(most)
    runs = groupby(range(len(values)), key=lambda index: values[index].exact)
    bands = [list(run) for exact, run in runs if not exact]
    return render(
        "curve.svg",
        record=record,
        report=report,
        values=values,
        labels=((f"+{net}", net), ("0", 0), (f"\u2212{net}", -net)),
        plies=range(0, len(values), max(1, -(-len(report.moves) // _TICKS))),
        bands=[run for run in bands if len(run) > 1],
        x=lambda index: _LEFT + index * (_RIGHT - _LEFT) / (len(values) - 1),
        y=lambda net: (_TOP + _BOTTOM - net / most * (_BOTTOM - _TOP)) / 2,
    )
