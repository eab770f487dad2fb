"""Draw the expected final score over a score plot: a line, the band of its error, a turning point.

An exact part is a solid line. An estimated one is dashed, with a band of one standard error above
and below. The turning point is a line from top to bottom with a diamond at its upper end.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterator
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.analysis.game import ExpectedCurve
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.theme import CAPTION
from doublecross.client.tk.widgets.plot.scale import PlotScale
from doublecross.games.colours import mix

_BAND: Final = 0.3
"""The opacity of the band."""
_DIAMOND: Final = 5
_GAP: Final = 6
_SAMPLE: Final = 22
"""The length of a line in the legend, in pixels."""


def draw_expected(
    canvas: tk.Canvas, colours: Colours, scale: PlotScale, curve: ExpectedCurve
) -> None:
    """Draw `curve`, whose plies are the columns of `scale`."""
    for start, end, exact in _parts(curve):
        points = [
            coordinate
            for ply in range(start, end + 1)
            for coordinate in (scale.middle_of(ply), scale.y(curve.nets[ply]))
        ]
        if not exact:
            _draw_band(canvas, colours, scale, curve, start, end)
        canvas.create_line(
            *points, fill=colours.text, width=2, dash=() if exact else (3, 3), tags="expected"
        )
    if curve.turning is not None:
        x, y = scale.middle_of(curve.turning), scale.top - _DIAMOND
        dash = () if curve.turning_sure else (2, 3)
        canvas.create_line(
            x, y, x, scale.bottom, fill=colours.costs[1], width=2, dash=dash, tags="turning"
        )
        d = _DIAMOND
        canvas.create_polygon(
            *(x, y - d, x + d, y, x, y + d, x - d, y),
            fill=colours.costs[1],
            outline=colours.text,
            tags="turning",
        )


def draw_legend(
    canvas: tk.Canvas,
    colours: Colours,
    curve: ExpectedCurve,
    *,
    left: float,
    right: float,
    y: float,
) -> None:
    """Explain the lines of `curve` between `left` and `right`, as far as there is room."""
    kinds = {exact for _, _, exact in _parts(curve)}
    entries: list[tuple[str, tuple[int, ...]]] = []
    if True in kinds:
        entries.append((tr("expected"), ()))
    if False in kinds:
        entries.append((tr("estimated") if True in kinds else tr("expected, estimated"), (3, 3)))
    for word, dash in entries:
        line = canvas.create_line(
            left, y, left + _SAMPLE, y, fill=colours.text, width=2, dash=dash, tags="legend"
        )
        text = canvas.create_text(
            *(left + _SAMPLE + _GAP, y),
            anchor="w",
            text=word,
            fill=colours.text,
            font=CAPTION,
            tags="legend",
        )
        end = canvas.bbox(text)[2]
        if end > right:
            canvas.delete(line, text)
            return
        left = end + 2 * _GAP
    if curve.turning is not None:
        d = _DIAMOND
        x = left + d
        mark = canvas.create_polygon(
            *(x, y - d, x + d, y, x, y + d, x - d, y), fill=colours.costs[1], tags="legend"
        )
        text = canvas.create_text(
            *(x + d + _GAP, y),
            anchor="w",
            text=tr("turning point"),
            fill=colours.text,
            font=CAPTION,
            tags="legend",
        )
        if canvas.bbox(text)[2] > right:
            canvas.delete(mark, text)


def _draw_band(
    canvas: tk.Canvas,
    colours: Colours,
    scale: PlotScale,
    curve: ExpectedCurve,
    start: int,
    end: int,
) -> None:
    def edge(sign: int, plies: range) -> Iterator[float]:
        for ply in plies:
            yield scale.middle_of(ply)
            net = curve.nets[ply] + sign * curve.spreads[ply]
            yield scale.y(min(max(net, scale.low), scale.high))

    upper = edge(1, range(start, end + 1))
    lower = edge(-1, range(end, start - 1, -1))
    canvas.create_polygon(
        *upper, *lower, fill=mix(colours.muted, colours.ground, _BAND), width=0, tags="band"
    )


def _parts(curve: ExpectedCurve) -> Iterator[tuple[int, int, bool]]:
    """Yield the parts of the line as (first ply, last ply, exact).

    A piece between two plies is exact if the score is exact at both.
    """
    last = len(curve.nets) - 1
    exact = [spread == 0 for spread in curve.spreads]
    start = 0
    while start < last:
        kind = exact[start] and exact[start + 1]
        end = start + 1
        while end < last and (exact[end] and exact[end + 1]) == kind:
            end += 1
        yield start, end, kind
        start = end
