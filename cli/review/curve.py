"""Draw how the value of a game went, as an SVG that follows the colours of the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from doublecross.analysis.judgement import Estimate
from doublecross.analysis.report import GameReport
from doublecross.cli.shared.report.markup import Html, tag
from doublecross.cli.shared.tables import printable
from doublecross.games.record import Record

_WIDTH: Final = 720
_HEIGHT: Final = 250
_LEFT: Final = 44
_RIGHT: Final = 12
_TOP: Final = 16
_BOTTOM: Final = 34
_TICKS: Final = 6
"""About so many labels on the horizontal axis."""


def curve_svg(record: Record, report: GameReport) -> Html:
    """Return the curve of the net score of seat 0; estimates have a band of a standard error."""
    values = [report.moves[0].before, *(move.after for move in report.moves)]
    most = max(1.0, *(abs(value.mean) + value.spread for value in values))
    across = (_WIDTH - _LEFT - _RIGHT) / (len(values) - 1)
    middle = (_TOP + _HEIGHT - _BOTTOM) / 2
    down = (_HEIGHT - _BOTTOM - _TOP) / 2 / most

    def at(index: int, net: float) -> str:
        return f"{_LEFT + index * across:.1f},{middle - net * down:.1f}"

    parts = [_line(_LEFT, middle, _WIDTH - _RIGHT, middle, "axis")]
    net = round(most)
    for label, value in ((f"+{net}", net), ("0", 0), (f"\u2212{net}", -net)):
        parts.append(_text(_LEFT - 8, middle - value * down + 4, label, "end"))
    step = max(1, -(-len(report.moves) // _TICKS))
    for ply in range(0, len(values), step):
        parts.append(_text(_LEFT + ply * across, _HEIGHT - 12, str(ply), "middle"))
    parts += _bands(values, at)
    if report.turning is not None:
        x = _LEFT + (report.turning + 1) * across
        parts.append(_line(x, _TOP, x, _HEIGHT - _BOTTOM, "turning"))
    points = " ".join(at(index, value.mean) for index, value in enumerate(values))
    parts.append(tag("polyline", points=points, class_="curve"))
    for move in report.moves:
        if move.cost.sure and move.cost.boxes >= 0.5:
            cx, cy = at(move.ply + 1, move.after.mean).split(",")
            parts.append(tag("circle", cx=cx, cy=cy, r="4", class_=f"seat-{move.seat}"))
    about = (
        "The net score that best play leads to, after each move, for"
        f" {printable(record.players[0])}. It begins at {values[0].mean:+.1f} and ends at"
        f" {values[-1].mean:+.1f}."
    )
    box = f"0 0 {_WIDTH} {_HEIGHT}"
    return tag("svg", parts, viewBox=box, role="img", aria_label=about, class_="values")


def _bands(values: list[Estimate], at: Callable[[int, float], str]) -> list[Html]:
    """Return a band of a standard error around each run of estimates."""
    found: list[Html] = []
    run: list[int] = []
    for index in range(len(values) + 1):
        if index < len(values) and not values[index].exact:
            run.append(index)
            continue
        if len(run) > 1:
            above = [at(i, values[i].mean + values[i].spread) for i in run]
            below = [at(i, values[i].mean - values[i].spread) for i in reversed(run)]
            found.append(tag("polygon", points=" ".join(above + below), class_="band"))
        run = []
    return found


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Html:
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    return tag("line", class_=kind, **{name: f"{value:.1f}" for name, value in ends.items()})


def _text(x: float, y: float, text: str, anchor: str) -> Html:
    return tag("text", text, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)
