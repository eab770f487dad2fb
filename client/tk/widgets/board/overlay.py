"""Draw temporary marks over a board: hovered action, keyboard focus, hints and features.

These are few items, so they are deleted and created again whenever they change.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence
from tkinter import font as tkfont
from typing import Any, Final

from doublecross.client.tk.models.board import layout as shapes
from doublecross.client.tk.models.board.paths import (
    FeaturePath,
    feature_path,
    label_of,
    shown_kind,
    style_of,
)
from doublecross.client.tk.widgets.board.brush import DISC
from doublecross.client.tk.widgets.board.items import BoardItems
from doublecross.games.api import Feature, PieceStyle
from doublecross.games.colours import mix

HOVER: Final = 0.45
"""Share of the seat's colour in the preview of a click; the rest is the board's colour."""
_HOVERED, _FOCUS, _HINT, _FEATURE, _LABEL = "hovered", "focus", "hint", "feature", "label"
_PREMOVE: Final = "premove"
_REACH_PX: Final = 16
"""The most pixels from an edge to the mark around it, unless the edge is thicker."""


class BoardOverlay:
    """Draws marks over `items` on `canvas`."""

    def __init__(self, canvas: tk.Canvas, items: BoardItems) -> None:
        self._canvas = canvas
        self._items = items
        self._brush = items.brush
        self._hovered: tuple[int | None, int | None] = (None, None)
        self._hover_ply = self._focus_ply = 0
        self._focus: int | None = None
        self._hints: tuple[int, ...] = ()
        self._premove: tuple[int | None, int | None] = (None, None)
        self._paths: tuple[FeaturePath, ...] = ()
        self._expanded: FeaturePath | None = None
        family = tkfont.nametofont("TkDefaultFont", root=canvas).actual("family")
        self._font: tkfont.Font | None = tkfont.Font(
            root=canvas, family=family, weight="bold", size=-10
        )

    def release(self) -> None:
        """Delete the font in Tk; see `BoardItems.release` for the reason."""
        self._font = None

    def draw(self) -> None:
        """Draw all marks again, after the theme or the size has changed."""
        if self._font is not None:
            self._font.configure(size=-self._brush.layout.label)
        self._draw_hover()
        self._draw_focus()
        self._draw_premove()
        self._draw_hints()
        self._draw_features()

    # -- what a click would draw -------------------------------------------------------------

    def show_hover(self, action: int | None, seat: int | None) -> None:
        """Preview `action` in the colour of `seat` (None: in a neutral colour).

        None as `action` removes the preview.
        """
        ply = self._brush.board.state.ply
        if (action, seat) != self._hovered or ply != self._hover_ply:
            self._hovered, self._hover_ply = (action, seat), ply
            self._draw_hover()

    @property
    def hovered(self) -> int | None:
        """The action whose preview is shown; None if there is none."""
        return self._hovered[0]

    def _draw_hover(self) -> None:
        canvas, items, brush = self._canvas, self._items, self._brush
        canvas.delete(_HOVERED)
        action, seat = self._hovered
        if action is None:
            return
        colours, layout = brush.colours, brush.layout
        colour = mix(colours.hover if seat is None else colours.strokes[seat], brush.ground, HOVER)
        if action in brush.board.places.segments:
            line = canvas.create_line(
                *brush.ends(action), fill=colour, width=layout.stroke, tags=_HOVERED
            )
            canvas.tag_lower(line, items.edges.above_edges)
            return
        for cell in brush.board.claims(action):
            self._draw_hovered_cell(cell, "" if seat is None else items.cells.initial(seat), colour)

    def _draw_hovered_cell(self, cell: int, sign: str, colour: str) -> None:
        canvas, items, brush = self._canvas, self._items, self._brush
        layout = brush.layout
        if brush.board.geometry.pieces in (PieceStyle.DISC, PieceStyle.OBJECT):
            picture = brush.picture(DISC, colour, brush.ground)
        else:
            picture = brush.picture(sign, colour, brush.ground) if sign else None
        x, y = layout.place((brush.board.places.cell_middle(cell),))
        if picture is not None:
            canvas.create_image(x, y, image=picture, tags=_HOVERED)
        elif sign and items.cells.font is not None:
            canvas.create_text(x, y, text=sign, font=items.cells.font, fill=colour, tags=_HOVERED)
        else:
            square = layout.place(brush.corners(cell, 0.8))
            canvas.create_polygon(*square, fill="", outline=colour, width=2, tags=_HOVERED)

    # -- the keyboard's marker ---------------------------------------------------------------

    def show_focus(self, action: int | None) -> None:
        """Mark the action that the keyboard has selected; None removes the mark."""
        ply = self._brush.board.state.ply
        if action != self._focus or ply != self._focus_ply:
            self._focus, self._focus_ply = action, ply
            self._draw_focus()

    def _draw_focus(self) -> None:
        self._canvas.delete(_FOCUS)
        if self._focus is not None:
            self._outline(self._focus, self._brush.colours.focus, _FOCUS)

    def _outline(self, action: int, colour: str, tag: str, dash: Any = ()) -> None:
        """Draw a line around the segment or the regions of an action, or the objects it takes."""
        brush = self._brush
        layout, board = brush.layout, brush.board
        if action in board.places.segments:
            segment = board.places.segments[action]
            start, end = (board.geometry.points[i] for i in (segment.start, segment.end))
            # In pixels, because a board of one box is drawn very large.
            reach = max(min(0.17 * layout.unit, _REACH_PX), layout.stroke / 2 + 5) / layout.unit
            reach = min(0.3, reach)
            outlines = [shapes.capsule(start, end, reach)]
        elif board.geometry.pieces is PieceStyle.OBJECT and board.state.is_legal(action):
            outlines = [brush.corners(cell, 0.86) for cell in board.claims(action)]
        else:
            outlines = [brush.inside(region.corners) for region in board.places.regions[action]]
        for outline in outlines:
            self._canvas.create_polygon(
                *layout.place(outline), fill="", outline=colour, width=2, dash=dash, tags=tag
            )

    def show_premove(self, action: int | None, seat: int | None) -> None:
        """Mark the action that `seat` has chosen for its next turn; None removes the mark."""
        if (action, seat) != self._premove:
            self._premove = action, seat
            self._draw_premove()

    def _draw_premove(self) -> None:
        self._canvas.delete(_PREMOVE)
        action, seat = self._premove
        if action is not None and seat is not None:
            self._outline(action, self._brush.colours.strokes[seat], _PREMOVE, dash=(5, 3))

    # -- advice ------------------------------------------------------------------------------

    def show_hint(self, actions: Sequence[int]) -> None:
        """Mark these actions as hints; an empty sequence removes the marks."""
        if tuple(actions) != self._hints:
            self._hints = tuple(actions)
            self._draw_hints()

    def _draw_hints(self) -> None:
        canvas, items, brush = self._canvas, self._items, self._brush
        canvas.delete(_HINT)
        colours, layout = brush.colours, brush.layout
        for action in self._hints:
            if action in brush.board.places.segments:
                ends = brush.ends(action)
                for colour, width, below in (
                    (mix(colours.hint, colours.board, 0.3), layout.glow, items.edges.above_glow),
                    (colours.hint, layout.stroke, items.edges.above_edges),
                ):
                    line = canvas.create_line(*ends, fill=colour, width=width, tags=_HINT)
                    canvas.tag_lower(line, below)
            for cell in () if action in brush.board.places.segments else brush.board.claims(action):
                square = canvas.create_polygon(
                    *layout.place(brush.corners(cell, 0.86)),
                    fill=mix(colours.hint, brush.ground, 0.2),
                    outline=colours.hint,
                    width=max(2, layout.grid),
                    tags=_HINT,
                )
                canvas.tag_lower(square, items.above_cells)

    # -- features ----------------------------------------------------------------------------

    def show_features(self, features: Sequence[Feature]) -> None:
        """Draw features over their cells; an empty sequence removes them."""
        found = (feature_path(self._brush.board, feature) for feature in features)
        self._paths = tuple(path for path in found if path is not None)
        if self._expanded not in self._paths:
            self._expanded = None
        self._draw_features()

    @property
    def has_features(self) -> bool:
        """Return whether any feature is shown."""
        return bool(self._paths)

    def expand_label(self, cell: int | None) -> None:
        """Show the full label of the feature at `cell` (None: of no feature)."""
        expanded = next((p for p in self._paths if cell in p.feature.cells), None)
        if expanded != self._expanded:
            self._expanded = expanded
            self._draw_labels()

    def _draw_features(self) -> None:
        canvas, items, brush = self._canvas, self._items, self._brush
        canvas.delete(_FEATURE)
        colours, layout = brush.colours, brush.layout
        for path in self._paths:
            colour = colours.of_feature(path.feature.kind)
            style = style_of(shown_kind(path.feature))
            thin = max(1, layout.band // 10)
            dashes = tuple(thin * part for part in style.dash)
            for share, width, dash in (
                (style.band, layout.band, ()),
                (0.75, max(1, round(thin * style.thread)), dashes),
            ):
                for stroke in path.strokes:
                    line = canvas.create_line(
                        *layout.place(stroke),
                        fill=mix(colour, colours.board, share),
                        width=width,
                        dash=dash,
                        capstyle="round",
                        joinstyle="round",
                        tags=_FEATURE,
                    )
                    canvas.tag_lower(line, items.above_cells)
        self._draw_labels()

    def _draw_labels(self) -> None:
        canvas, colours, layout = self._canvas, self._brush.colours, self._brush.layout
        canvas.delete(_LABEL)
        if self._font is None:
            return
        # The full label is wide and may cover others, so draw it last.
        for path in sorted(self._paths, key=lambda path: path is self._expanded):
            full, short = label_of(path.feature), str(len(path.feature.cells))
            room = (path.room - 0.25) * layout.unit - 2 * layout.label
            fits = path is self._expanded or self._font.measure(full) <= room
            x, y = layout.place((path.anchor,))
            colour = colours.of_feature(path.feature.kind)
            text = canvas.create_text(
                x, y, text=full if fits else short, font=self._font, fill=colour, tags=_LABEL
            )
            self._keep_inside(text)
            left, top, right, bottom = canvas.bbox(text)
            wide = max(0, (bottom - top) - (right - left)) / 2 + layout.label * 0.5
            pill = shapes.rounded((left - wide, top - 2, right + wide, bottom + 2), 99)
            plate = canvas.create_polygon(
                *(pixel for point in pill for pixel in point),
                fill=colours.board,
                outline=colour,
                tags=_LABEL,
            )
            canvas.tag_lower(plate, text)

    def _keep_inside(self, text: int) -> None:
        """Move a label into the canvas if its left or right end would be cut off."""
        left, _, right, _ = self._canvas.bbox(text)
        margin = self._brush.layout.label
        over = max(0, margin - left) or min(0, self._canvas.winfo_width() - margin - right)
        self._canvas.move(text, over, 0)
