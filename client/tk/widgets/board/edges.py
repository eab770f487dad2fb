"""Draw the edges of a board on its canvas, and a glow under the last one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from doublecross.client.tk.widgets.board.brush import NOWHERE, Brush


class EdgeItems:
    """Shows who drew each edge.

    `above_glow` and `above_edges` are invisible items that mark positions in the stacking order:
    an overlay lowers its own items below one of them.
    """

    def __init__(self, brush: Brush) -> None:
        self._brush = brush
        self._drawers: dict[int, int | None] = {}
        self._pending: frozenset[int] = frozenset()
        self._last: int | None = None
        canvas = brush.canvas
        hidden: dict[str, Any] = {"state": "hidden"}
        cap: Any = "butt" if brush.board.geometry.dots else "round"
        self._glow = [canvas.create_line(*NOWHERE, capstyle="round", **hidden) for _ in range(2)]
        self.above_glow = canvas.create_line(*NOWHERE, **hidden)
        self._edges = {
            action: canvas.create_line(*NOWHERE, capstyle=cap)
            for action in brush.board.places.segments
        }
        self.above_edges = canvas.create_line(*NOWHERE, **hidden)

    def place(self) -> None:
        """Move the edges to their coordinates in the current layout."""
        for action, item in self._edges.items():
            self._brush.canvas.coords(item, *self._brush.ends(action))

    def paint(self) -> None:
        """Apply colours and widths to all edges."""
        for action in self._edges:
            self._paint_edge(action)
        self._paint_last()

    def sync(self, pending: Iterable[int]) -> bool:
        """Show the edges of the board's position; return whether any was drawn or taken back.

        Edges in `pending` are shown as unconfirmed.
        """
        board = self._brush.board
        drawers = {action: board.drawer(action) for action in board.places.segments}
        played = {action for action, seat in drawers.items() if seat != self._drawers.get(action)}
        waiting = frozenset(pending)
        touched = played | (waiting ^ self._pending)
        last, self._last = self._last, board.last
        touched |= {action for action in (last, self._last) if action is not None}
        self._drawers, self._pending = drawers, waiting
        for action in touched & self._edges.keys():
            self._paint_edge(action)
        self._paint_last()
        return bool(played)

    def _paint_edge(self, action: int) -> None:
        brush, seat = self._brush, self._drawers.get(action)
        if seat is None:
            brush.set(self._edges[action], fill=brush.colours.free, width=brush.layout.faint)
        else:
            colour = brush.stroke(seat, pending=action in self._pending)
            brush.set(self._edges[action], fill=colour, width=brush.layout.stroke)

    def _paint_last(self) -> None:
        brush, colours, layout = self._brush, self._brush.colours, self._brush.layout
        widths = (colours.last, layout.glow), (colours.board, layout.gap)
        for item, (colour, width) in zip(self._glow, widths, strict=True):
            if self._last in self._edges:
                brush.canvas.coords(item, *brush.ends(self._last))
                brush.set(item, fill=colour, width=width, state="normal")
            else:
                brush.set(item, state="hidden")
