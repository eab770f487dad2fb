"""The items of one board on its canvas: made once, then only moved and recoloured.

Theory of operation
-------------------
Each edge, cell, mark and dot has items of its own from the beginning, hidden while there is
nothing to see. `sync` compares what is shown with what the model says and touches only what
differs, whatever came between; so the cost of a move does not grow with the number of moves, and a
caller who misses a change is put right by the next.

A canvas knows neither transparency nor smooth edges. Pale colours are mixed with their ground;
dots and marks are pictures, of which there is one for each colour and size.
"""

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Iterable, Mapping, Sequence
from tkinter import font as tkfont
from typing import Any, Final

from client.tk.models.board import layout as shapes
from client.tk.models.board.layout import BoardLayout, Point
from client.tk.models.board.model import NOBODY, BoardChanges, BoardModel
from client.tk.models.board.motion import Fills, eased
from client.tk.models.look import Look, mix
from client.tk.widgets.board.pictures import DISC, DOT, RING, BoardPictures
from games.api import PieceStyle

PENDING: Final = 0.5
"""How strong the colour of a move is that is not confirmed yet."""
_SMALLEST: Final = 0.4
"""How large a cell is when it begins to fill."""
_NOWHERE: Final = (0, 0, 0, 0)


class BoardItems:
    """What `canvas` shows of `board`. Nothing is seen before the first `place`."""

    def __init__(self, canvas: tk.Canvas, board: BoardModel, look: Look) -> None:
        self.board = board
        self.look = look
        self.layout = shapes.fit(board.geometry, 100, 100)
        self.placed = False
        """Whether it is seen."""
        self.fills = Fills()
        """The cells that fill, because they were won or decide the game."""
        self._filled: int | None = None
        self._canvas = canvas
        self._styles: dict[int, Mapping[str, object]] = {}
        self._drawers: dict[int, int | None] = {}
        self._owners: tuple[int, ...] = (NOBODY,) * len(board.geometry.cells)
        self._winning: frozenset[int] = frozenset()
        self._last: int | None = None
        self._pending: frozenset[int] = frozenset()
        self._initials = board.game.seat_names
        self._ringed = False
        family = tkfont.nametofont("TkDefaultFont", root=canvas).actual("family")
        self.font: tkfont.Font | None = tkfont.Font(
            root=canvas, family=family, weight="bold", size=-12
        )
        """That of the letters in cells."""
        self._pictures = BoardPictures(canvas)
        self._pending_cells: frozenset[int] = frozenset()
        self._last_cells: frozenset[int] = frozenset()
        self._falling: set[int] = set()
        self._make(self.font)

    def _make(self, font: tkfont.Font) -> None:
        """All items, lowest first."""
        canvas, geometry = self._canvas, self.board.geometry
        hidden: dict[str, Any] = {"state": "hidden"}
        cap: Any = "butt" if geometry.dots else "round"
        self._plate = canvas.create_polygon(*_NOWHERE)
        self._cells = [canvas.create_polygon(*_NOWHERE, **hidden) for _ in geometry.cells]
        self.above_cells = canvas.create_line(*_NOWHERE, **hidden)
        self._grid = [(canvas.create_line(*_NOWHERE), side) for side in self._inner_sides()]
        self._glow = [canvas.create_line(*_NOWHERE, capstyle="round", **hidden) for _ in range(2)]
        self.above_glow = canvas.create_line(*_NOWHERE, **hidden)
        self._edges = {
            action: canvas.create_line(*_NOWHERE, capstyle=cap) for action in self.board.segments
        }
        self.above_edges = canvas.create_line(*_NOWHERE, **hidden)
        self._dots = [canvas.create_image(0, 0) for _ in geometry.points] if geometry.dots else []
        holes = geometry.cells if geometry.pieces is PieceStyle.DISC else ()
        self._holes = [canvas.create_image(0, 0) for _ in holes]
        pieces = geometry.cells if geometry.pieces is not PieceStyle.FILL else ()
        self._marks = {cell.index: canvas.create_image(0, 0, **hidden) for cell in pieces}
        self._letters = [canvas.create_text(0, 0, font=font, **hidden) for _ in self._cells]

    def _inner_sides(self) -> list[tuple[int, int]]:
        """Return the sides that two cells share, where signs stand in a grid."""
        counts: dict[tuple[int, int], int] = {}
        geometry = self.board.geometry
        for cell in geometry.cells if geometry.pieces is PieceStyle.SIGN else ():
            around = cell.corners
            for start, end in zip(around, (*around[1:], around[0]), strict=True):
                side = min(start, end), max(start, end)
                counts[side] = counts.get(side, 0) + 1
        return [side for side, count in counts.items() if count > 1]

    def let_go(self) -> None:
        """Give back what Tk keeps for this board; it cannot be shown any more.

        A picture or font that is left to the garbage collector may be thrown away in another
        thread, where Tk must not be called.
        """
        self._pictures.renew()
        self.font = None

    # -- where things are --------------------------------------------------------------------

    def place(self, layout: BoardLayout) -> None:
        """Move everything to where it is in `layout`."""
        self.layout, self.placed = layout, True
        canvas, points = self._canvas, self.board.geometry.points
        plate = shapes.rounded(layout.plate, 14)
        canvas.coords(self._plate, *(pixel for point in plate for pixel in point))
        for item, (start, end) in self._grid:
            canvas.coords(item, *layout.place((points[start], points[end])))
        for action, item in self._edges.items():
            canvas.coords(item, *self.ends(action))
        for item, point in zip(self._dots, points, strict=False):
            canvas.coords(item, *layout.place((point,)))
        pieces = (*enumerate(self._letters), *enumerate(self._holes), *self._marks.items())
        for cell, item in pieces:
            canvas.coords(item, *layout.place((self.board.cell_middle(cell),)))
        self._size_letters()
        self.paint()

    def ends(self, action: int) -> list[float]:
        """Both ends of the segment of `action`, in pixels."""
        segment = self.board.segments[action]
        points = self.board.geometry.points
        return self.layout.place((points[segment.start], points[segment.end]))

    def corners(self, cell: int, share: float = 1.0) -> list[Point]:
        """The corners of a cell, only `share` of the way from its middle, in board units."""
        points = [self.board.geometry.points[c] for c in self.board.geometry.cells[cell].corners]
        return shapes.shrunk(points, self.board.cell_middle(cell), share)

    def inside(self, corners: Sequence[int]) -> list[Point]:
        """Return an outline a little inside of these corners, in board units."""
        points = [self.board.geometry.points[corner] for corner in corners]
        middle = (
            sum(x for x, _ in points) / len(points),
            sum(y for _, y in points) / len(points),
        )
        return shapes.inset(points, middle, 0.07)

    def initial(self, seat: int) -> str:
        """What stands in the cells of `seat`."""
        return self._initials[seat]

    @property
    def ground(self) -> str:
        """The colour of the board itself."""
        holes = self.board.geometry.pieces is PieceStyle.DISC
        return self.look.tray if holes else self.look.board

    def picture(self, shape: str, colour: str, ground: str) -> str | None:
        """Return Tk's name of a picture; see `BoardPictures`."""
        return self._pictures.get(shape, colour, ground, self.layout)

    def _size_letters(self) -> None:
        if self.font is not None:
            letters = max(len(initial) for initial in self._initials)
            self.font.configure(size=-self.layout.initial(letters))

    # -- what they look like -----------------------------------------------------------------

    def restyle(self, look: Look) -> None:
        """Other colours."""
        self.look = look
        self.paint()

    def ring(self, ringed: bool) -> None:
        """Whether the frame says that the keys lead here."""
        self._ringed = ringed
        self._paint_plate()

    def paint(self) -> None:
        """Give everything its look, for the first time or after look or size have changed."""
        # Those that are shown may go only when no item shows them any more.
        old = self._pictures.renew()
        self._paint_plate()
        for item, _ in self._grid:
            self._set(item, fill=self.look.neutral, width=self.layout.grid)
        for item in self._dots:
            self._set(item, image=self.picture(DOT, self.look.dot, self.look.board))
        for item in self._holes:
            self._set(item, image=self.picture(DISC, self.look.board, self.ground))
        for action in self._edges:
            self._paint_edge(action)
        for cell in range(len(self._cells)):
            self._paint_cell(cell)
        self._paint_last()
        old.clear()

    def sync(
        self,
        changes: BoardChanges,
        initials: tuple[str, str],
        pending: Iterable[int],
        *,
        now: float,
        quiet: bool,
    ) -> bool:
        """Show what the board is now; whether moves were played or taken back since.

        Cells that are won since then fill one after the other, unless `quiet` or the board was
        rebuilt. `now` is in seconds.
        """
        board = self.board
        renamed, self._initials = initials != self._initials, initials
        drawers = {action: board.drawer(action) for action in board.segments}
        played = {action for action, seat in drawers.items() if seat != self._drawers.get(action)}
        waiting = tuple(pending)
        touched = played | (self._pending ^ frozenset(waiting))
        last, self._last = self._last, board.last
        touched |= {action for action in (last, self._last) if action is not None}
        owners, self._owners = self._owners, board.owners
        winning, self._winning = self._winning, frozenset(board.state.winning_cells())
        last_cells, self._last_cells = self._last_cells, frozenset(board.last_cells)
        dim, self._pending_cells = self._pending_cells, self._cells_of(waiting)
        self._drawers, self._pending = drawers, frozenset(waiting)

        won = {i for i, owner in enumerate(self._owners) if owner not in (NOBODY, owners[i])}
        lost = {i for i, owner in enumerate(self._owners) if owner == NOBODY != owners[i]}
        decided = self._winning - winning
        cells = won | lost | (self._winning ^ winning)
        cells |= (last_cells ^ self._last_cells) | (dim ^ self._pending_cells)
        for cell in cells:
            self._stop(cell)
        if not quiet and not changes.rebuilt:
            # A sign is there at once; a disc falls, and what is won or decides the game fills.
            at_once = board.geometry.pieces in (PieceStyle.SIGN, PieceStyle.OBJECT)
            if board.geometry.pieces is PieceStyle.DISC:
                self._falling |= won
            self.fills.add(self._in_order((set() if at_once else won) | decided, changes), now)
        for action in touched & self._edges.keys():
            self._paint_edge(action)
        if renamed:
            self._size_letters()
        for cell in range(len(self._cells)) if renamed else cells:
            self._paint_cell(cell)
        self._paint_last()
        return bool(played or won or lost)

    def _cells_of(self, pending: tuple[int, ...]) -> frozenset[int]:
        """Return the cells that show moves that are not confirmed yet."""
        return frozenset() if self.board.segments else self.board.cells_of(pending)

    def _stop(self, cell: int) -> None:
        """Move a cell no more, and put its piece where it belongs."""
        self.fills.drop(cell)
        if cell in self._falling:
            self._falling.discard(cell)
            self._canvas.coords(
                self._marks[cell], *self.layout.place((self.board.cell_middle(cell),))
            )

    def tick(self, now: float) -> None:
        """Move what moves to where it is at `now`."""
        for cell, share in self.fills.step(now):
            if cell in self._falling:
                self._fall(cell, share)
            self._paint_cell(cell, share)

    def _fall(self, cell: int, share: float) -> None:
        """Show a disc after `share` of its fall from above the board."""
        x, y = self.board.cell_middle(cell)
        way = share * share  # It falls faster and faster.
        height = way * y - (1 - way) * 0.4
        self._canvas.coords(self._marks[cell], *self.layout.place(((x, height),)))
        if share >= 1:
            self._falling.discard(cell)

    def _in_order(self, cells: set[int], changes: BoardChanges) -> list[int]:
        """`cells` as they were won; of those won at one stroke the nearer to the last one first."""
        groups = [cells.intersection(won) for won in changes.captures]
        groups.append(cells.difference(*groups))
        ordered: list[int] = []
        for group in groups:
            while group:
                last = min(group) if self._filled is None else self._filled
                here = self.board.cell_middle(last)
                ways = [(math.dist(here, self.board.cell_middle(cell)), cell) for cell in group]
                self._filled = min(ways)[1]
                ordered.append(self._filled)
                group.discard(self._filled)
        return ordered

    def _paint_plate(self) -> None:
        look = self.look
        outline, width = (look.focus, 2) if self._ringed else (look.frame, 1)
        self._set(self._plate, fill=self.ground, outline=outline, width=width)

    def _paint_edge(self, action: int) -> None:
        seat = self._drawers.get(action)
        if seat is None:
            self._set(self._edges[action], fill=self.look.free, width=self.layout.faint)
        else:
            colour = self._stroke(seat, pending=action in self._pending)
            self._set(self._edges[action], fill=colour, width=self.layout.stroke)

    def _stroke(self, seat: int, *, pending: bool) -> str:
        colour = self.look.neutral if seat == NOBODY else self.look.strokes[seat]
        return mix(colour, self.look.board, PENDING) if pending else colour

    def _paint_last(self) -> None:
        look, layout = self.look, self.layout
        widths = (look.last, layout.glow), (look.board, layout.gap)
        for item, (colour, width) in zip(self._glow, widths, strict=True):
            if self._last in self._edges:
                self._canvas.coords(item, *self.ends(self._last))
                self._set(item, fill=colour, width=width, state="normal")
            else:
                self._set(item, state="hidden")

    def _paint_cell(self, cell: int, share: float | None = None) -> None:
        """A cell that has filled for `share` of its time; None: what does not wait is full."""
        if share is None:
            share = 1.0 if self.fills.starts_at(cell) is None else 0.0
        colour, ground = self._ground(cell), self.ground
        if share <= 0 or colour is None:
            self._set(self._cells[cell], state="hidden")
        else:
            way = eased(share)
            corners = self.corners(cell, _SMALLEST + (1 - _SMALLEST) * way)
            self._canvas.coords(self._cells[cell], *self.layout.place(corners))
            ground = mix(colour, ground, way)
            self._set(self._cells[cell], fill=ground, state="normal")
        self._paint_sign(cell, ground, share)

    def _ground(self, cell: int) -> str | None:
        """Return the colour that a cell is filled with; None: it is not."""
        owner = self._owners[cell]
        if owner != NOBODY and (cell in self._winning or cell not in self._marks):
            return self.look.fills[owner]
        if cell in self._last_cells:
            return mix(self.look.last, self.ground, 0.22)
        return None

    def _piece(self, cell: int) -> tuple[str, str] | None:
        """Return the shape and the colour of what lies in a cell; None: nothing does."""
        owner, style = self._owners[cell], self.board.geometry.pieces
        if owner == NOBODY:
            return (DISC, self.look.object) if style is PieceStyle.OBJECT else None
        colour = self._stroke(owner, pending=cell in self._pending_cells)
        if style is PieceStyle.OBJECT:
            return RING, mix(colour, self.ground, 0.55)
        return DISC if style is PieceStyle.DISC else self._initials[owner], colour

    def _paint_sign(self, cell: int, ground: str, share: float) -> None:
        """Paint what says whose a cell is: a piece or, where there is no picture of it, letters.

        Letters in a cell that fills come a little later than its ground.
        """
        letters, mark, owner = self._letters[cell], self._marks.get(cell), self._owners[cell]
        picture = None
        if mark is not None:
            piece = self._piece(cell)
            waits = cell in self._falling and share <= 0
            if piece is not None and not waits:
                picture = self.picture(*piece, self._ground(cell) or self.ground)
            if picture is None:
                self._set(mark, state="hidden")
            else:
                self._set(mark, image=picture, state="normal")
            if waits:
                return
        strength = 1.0 if mark is not None else (share - _SMALLEST) / (1 - _SMALLEST)
        if owner == NOBODY or picture is not None or strength <= 0:
            self._set(letters, state="hidden")
        else:
            colour = self._stroke(owner, pending=cell in self._pending_cells)
            faded = mix(colour, ground, strength)
            self._set(letters, fill=faded, text=self._initials[owner], state="normal")

    def _set(self, item: int, **options: object) -> None:
        """Configure an item, if that changes anything."""
        if self._styles.get(item) != options:
            self._styles[item] = options
            self._canvas.itemconfigure(item, options)
