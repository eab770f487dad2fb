"""Plot the net score over a game: who was ahead after each move, and by how much.

Theory of operation
-------------------
Each ply, the start included, has its own column. A step line shows seat 0's score minus seat 1's.
The area between it and the zero line has the colour of the seat that is ahead; a step has the
colour of the seat that scored. The strip at the bottom shows which seat made each move. Once the
game is analysed, the line of the expected final score replaces the step line. The plot is drawn
again only when its size, game or theme changes; stepping through the game moves one mark.
"""

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.analysis.game import ExpectedCurve
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.theme import CAPTION
from doublecross.client.tk.widgets.plot.expected import draw_expected, draw_legend
from doublecross.client.tk.widgets.plot.scale import PlotScale, nice_step

HEIGHT: Final = 120
"""Requested height, in pixels."""

_MOVE: Final = tr("Move")
_GAP: Final = 6
_STRIP: Final = 4
_SQUARE: Final = 9
_TOP: Final = 24
_RIGHT: Final = 10
_TICK_APART: Final = 18
_LABEL_APART: Final = 56
_LEGEND_PX: Final = 420
"""From this width on there is room to explain the lines of the expected score, in pixels."""


class ScorePlot(tk.Canvas):
    """Shows the score of one game. A click or drag calls `on_ply` with the ply of the column."""

    def __init__(
        self,
        parent: tk.Misc,
        colours: Colours,
        *,
        on_ply: Callable[[int], None],
        height: int = HEIGHT,
    ) -> None:
        super().__init__(
            parent, name="plot", height=height, width=1, highlightthickness=0, takefocus=0
        )
        self._colours = colours
        self._on_ply = on_ply
        self._nets: Sequence[int] = (0,)
        self._movers: Sequence[int] = ()
        self._names = ("", "")
        self._curve: ExpectedCurve | None = None
        self._ply = 0
        self._hover: int | None = None
        self.measures = self._measure()
        self.bind("<Configure>", lambda _: self._draw())
        self.bind("<Button-1>", self._select_ply)
        self.bind("<B1-Motion>", self._select_ply)
        self.bind("<Motion>", lambda event: self._show_hover(self.measures.ply_at(event.x)))
        self.bind("<Leave>", lambda _: self._show_hover(None))

    def show(self, nets: Sequence[int], movers: Sequence[int], names: tuple[str, str]) -> None:
        """Show a game: the net scores after 0, 1, 2 ... plies, the seat of each move, and the
        names of the players."""
        self._nets, self._movers, self._names = nets, movers, names
        self._ply = min(self._ply, len(movers))
        self._draw()

    def show_expected(self, curve: ExpectedCurve | None) -> None:
        """Show the expected final score of the same game; None removes it."""
        self._curve = curve
        self._draw()

    def mark(self, ply: int) -> None:
        """Mark the position after `ply` moves as the one that the board shows."""
        self._ply = ply
        self._place_mark()

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self._colours = colours
        self._draw()

    def _measure(self) -> PlotScale:
        """Return the geometry for the current size of the canvas."""
        nets = self._nets
        # Without any lead the range would be empty, so show one point above and below zero.
        low, high = (min(*nets, 0), max(*nets, 0)) if any(nets) else (-1, 1)
        if self._curve is not None:
            ends = list(zip(self._curve.nets, self._curve.spreads, strict=True))
            low = min(low, *(math.floor(net - spread) for net, spread in ends))
            high = max(high, *(math.ceil(net + spread) for net, spread in ends))
        texts = f"+{max(high, -low)}", _MOVE
        left = 2 * _GAP + max(int(self.tk.call("font", "measure", CAPTION, text)) for text in texts)
        # Below the plot itself are the strip and the numbers of the moves.
        line = int(self.tk.call("font", "metrics", CAPTION, "-linespace"))
        top = max(_TOP, line + _GAP)
        return PlotScale(
            total=len(nets) - 1,
            low=low,
            high=high,
            left=left,
            right=left + max(1.0, self.winfo_width() - left - _RIGHT),
            top=top,
            bottom=max(top + 2.0, self.winfo_height() - line - _STRIP - 2 * _GAP),
        )

    # -- drawing -----------------------------------------------------------------------------

    def _draw(self) -> None:
        self.delete("all")
        colours = self._colours
        self.measures = self._measure()
        self.configure(background=colours.ground)
        if self.winfo_width() <= 1:
            return
        if self._curve is not None:
            self._draw_areas()
            self._draw_scale()
            draw_expected(self, self._colours, self.measures, self._curve)
        else:
            self._draw_scale()
            self._draw_areas()
            self._draw_steps()
        self._draw_strip()
        self._draw_numbers()
        self.create_line(0, 0, 0, 0, fill=colours.muted, dash=(2, 3), state="hidden", tags="hover")
        self.create_line(0, 0, 0, 0, fill=colours.text, width=2, tags="mark")
        self.create_oval(0, 0, 0, 0, outline=colours.ground, fill=colours.text, width=2, tags="dot")
        self._draw_legend()
        self._place_mark()
        self._show_hover(self._hover)

    def _draw_legend(self) -> None:
        """Draw the legend at the top: the colour of each player's lead."""
        scale = self.measures
        left = scale.left
        middle = (scale.top - _GAP + 1) / 2
        for seat in (0, 1):
            upper = middle - _SQUARE / 2
            square = (left, upper, left + _SQUARE, upper + _SQUARE)
            fill, stroke = self._colours.fills[seat], self._colours.strokes[seat]
            self.create_rectangle(*square, fill=fill, outline=stroke, tags="legend")
            text = self.create_text(
                left + _SQUARE + _GAP, middle, anchor="w", fill=stroke, font=CAPTION, tags="legend"
            )
            room = (scale.right - scale.left) / 2 - _SQUARE - 4 * _GAP
            if self._curve is not None and scale.right - scale.left > _LEGEND_PX:
                room *= 0.5  # its own legend follows
            self.itemconfigure(text, text=self._ahead(self._names[seat], room))
            left = self.bbox(text)[2] + 3 * _GAP
        if self._curve is not None:
            draw_legend(self, self._colours, self._curve, left=left, right=scale.right, y=middle)

    def _draw_scale(self) -> None:
        """Draw horizontal lines with the size of the lead."""
        colours, scale = self._colours, self.measures
        step = nice_step(scale.high - scale.low, int((scale.bottom - scale.top) / _TICK_APART))
        for net in range(-(-scale.low // step) * step, scale.high + 1, step):
            seat = 0 if net > 0 else 1
            y = scale.y(net)
            self.create_line(scale.left, y, scale.right, y, fill=colours.free, tags="scale")
            self.create_text(
                scale.left - _GAP,
                y,
                text=f"+{abs(net)}" if net else "0",
                anchor="e",
                fill=colours.strokes[seat] if net else colours.muted,
                font=CAPTION,
                tags="scale",
            )

    def _draw_areas(self) -> None:
        """Fill the area between the score so far and zero."""
        colours, scale = self._colours, self.measures
        middle = scale.y(0)
        for start, end, net in _runs(self._nets):
            if net:
                self.create_rectangle(
                    scale.x(start),
                    min(middle, scale.y(net)),
                    scale.x(end),
                    max(middle, scale.y(net)),
                    fill=colours.fills[0 if net > 0 else 1],
                    width=0,
                    tags="score",
                )

    def _draw_steps(self) -> None:
        """Draw the line of the score so far."""
        colours, scale = self._colours, self.measures
        before: int | None = None
        for start, end, net in _runs(self._nets):
            if before is not None:
                scorer = 0 if net > before else 1
                ends = (scale.x(start), scale.y(before), scale.x(start), scale.y(net))
                self.create_line(*ends, fill=colours.strokes[scorer], width=2, tags="score")
            colour = colours.strokes[0 if net > 0 else 1] if net else colours.neutral
            ends = (scale.x(start), scale.y(net), scale.x(end), scale.y(net))
            self.create_line(*ends, fill=colour, width=2, capstyle="projecting", tags="score")
            before = net

    def _draw_strip(self) -> None:
        """Show which seat made each move."""
        colours, scale = self._colours, self.measures
        top = scale.bottom + _GAP / 2
        for start, end, seat in _runs(self._movers):
            self.create_rectangle(
                scale.x(start + 1),
                top,
                scale.x(end + 1),
                top + _STRIP,
                fill=colours.strokes[seat],
                width=0,
                tags="strip",
            )

    def _draw_numbers(self) -> None:
        """Write the axis title and as many move numbers as fit."""
        scale = self.measures
        top = scale.bottom + _GAP + _STRIP
        total = scale.total
        word = self.create_text(
            *(scale.left - _GAP, top),
            text=_MOVE,
            anchor="ne",
            fill=self._colours.muted,
            font=CAPTION,
            tags="numbers",
        )
        free_from = self.bbox(word)[2] + _GAP
        room = int((scale.right - scale.left) / _LABEL_APART)
        step = nice_step(total, room)
        for ply in range(step if total else 0, total + 1, step):
            item = self.create_text(
                *(scale.middle_of(ply), top),
                text=str(ply),
                anchor="n",
                fill=self._colours.muted,
                font=CAPTION,
                tags="numbers",
            )
            left, _, right, _ = self.bbox(item)
            if left < free_from or right > self.winfo_width():
                self.delete(item)

    def _ahead(self, name: str, room: float) -> str:
        """Return "NAME ahead", with the name shortened to fit into `room` pixels."""
        short = name
        while True:
            text = tr("{name} ahead", name=short if short == name else f"{short}…")
            if not short or int(self.tk.call("font", "measure", CAPTION, text)) <= room:
                return text
            short = short[:-1].rstrip()

    def _place_mark(self) -> None:
        if not self.find_withtag("mark"):
            return
        scale = self.measures
        curve = self._curve
        net = self._nets[self._ply] if curve is None else curve.nets[self._ply]
        x, y = scale.middle_of(self._ply), scale.y(net)
        self.coords("mark", x, scale.top - _GAP, x, scale.bottom + _GAP / 2 + _STRIP)
        self.coords("dot", x - 5, y - 5, x + 5, y + 5)

    # -- the mouse ---------------------------------------------------------------------------

    def _select_ply(self, event: tk.Event[tk.Misc]) -> None:
        self._show_hover(None)
        self._on_ply(self.measures.ply_at(event.x))

    def _show_hover(self, ply: int | None) -> None:
        self._hover = ply
        if ply is None or ply > len(self._movers):
            self.itemconfigure("hover", state="hidden")
            return
        x = self.measures.middle_of(ply)
        self.coords("hover", x, self.measures.top, x, self.measures.bottom)
        self.itemconfigure("hover", state="normal")


def _runs(values: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield runs of equal values as (start, end, value); `end` is exclusive."""
    start = 0
    for value, group in groupby(values):
        end = start + sum(1 for _ in group)
        yield start, end, value
        start = end
