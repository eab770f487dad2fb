"""Draw the cells of a board on its canvas: backgrounds, pieces, letters and animations.

Theory of operation
-------------------
The backgrounds of cells lie below everything else, pieces and letters above, so the items are
created in two steps. A cell that was won, or that decides the game, fills gradually; a disc falls
into its hole from above. `Fills` tracks the progress of each animated cell. All other changes
appear at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from tkinter import font as tkfont
from typing import Any, Final

from doublecross.client.tk.models.board.model import NOBODY, BoardChanges
from doublecross.client.tk.models.board.motion import Fills, eased
from doublecross.client.tk.widgets.board.brush import DISC, NOWHERE, RING, Brush
from doublecross.games.api import PieceStyle
from doublecross.games.colours import mix

_SMALLEST: Final = 0.4
"""Size of a cell at the start of its fill animation, as a share of its full size."""


class CellItems:
    """Shows who owns each cell, and which cells decide the game or belong to the last move."""

    def __init__(self, brush: Brush) -> None:
        self._brush = brush
        canvas, geometry = brush.canvas, brush.board.geometry
        self._style = geometry.pieces
        self.fills = Fills()
        """Progress of the cells that are animated, because they were won or decide the game."""
        self._filled: int | None = None
        self._falling: set[int] = set()
        self._owners: tuple[int, ...] = (NOBODY,) * len(geometry.cells)
        self._winning: frozenset[int] = frozenset()
        self._last: frozenset[int] = frozenset()
        self._pending: frozenset[int] = frozenset()
        self._initials = brush.board.game.seat_names
        family = tkfont.nametofont("TkDefaultFont", root=canvas).actual("family")
        self.font: tkfont.Font | None = tkfont.Font(
            root=canvas, family=family, weight="bold", size=-12
        )
        """The font of the letters in cells; None after `release`."""
        self.backgrounds = [canvas.create_polygon(*NOWHERE, state="hidden") for _ in geometry.cells]
        self._holes: list[int] = []
        self._pieces: dict[int, int] = {}
        self._letters: list[int] = []

    def add_pieces(self) -> None:
        """Create the items that lie above the edges."""
        canvas, cells = self._brush.canvas, self._brush.board.geometry.cells
        hidden: dict[str, Any] = {"state": "hidden"}
        if self._style is PieceStyle.DISC:
            self._holes = [canvas.create_image(0, 0) for _ in cells]
        if self._style is not PieceStyle.FILL:
            self._pieces = {cell.index: canvas.create_image(0, 0, **hidden) for cell in cells}
        font: Any = self.font
        self._letters = [canvas.create_text(0, 0, font=font, **hidden) for _ in cells]

    def release(self) -> None:
        """Delete the font in Tk. The items cannot be shown afterwards."""
        self.font = None

    def initial(self, seat: int) -> str:
        """Return the text in the cells of `seat`."""
        return self._initials[seat]

    # -- where they are and what they look like ----------------------------------------------

    def place(self) -> None:
        """Move pieces and letters to their coordinates in the current layout."""
        items = (*enumerate(self._letters), *enumerate(self._holes), *self._pieces.items())
        for cell, item in items:
            self._brush.move(item, (self._brush.board.places.cell_middle(cell),))
        self._size_letters()

    def _size_letters(self) -> None:
        if self.font is not None:
            letters = max(len(initial) for initial in self._initials)
            self.font.configure(size=-self._brush.layout.initial(letters))

    def paint(self) -> None:
        """Apply colours and pictures to all cells."""
        brush = self._brush
        for item in self._holes:
            brush.set(item, image=brush.picture(DISC, brush.colours.board, brush.ground))
        for cell in range(len(self.backgrounds)):
            self._paint_cell(cell)

    def sync(
        self,
        changes: BoardChanges,
        initials: tuple[str, str],
        pending: Sequence[int],
        *,
        now: float,
        quiet: bool,
    ) -> bool:
        """Show the cells of the board's position; return whether any cell changed its owner.

        Newly won cells fill one after the other, unless `quiet` is set or the board was rebuilt.
        `now` is in seconds.
        """
        board = self._brush.board
        renamed, self._initials = initials != self._initials, initials
        owners, self._owners = self._owners, board.owners
        winning, self._winning = self._winning, frozenset(board.state.winning_cells())
        last, self._last = self._last, frozenset(board.last_cells)
        waiting, self._pending = self._pending, self._cells_of(pending)

        won = {i for i, owner in enumerate(self._owners) if owner not in (NOBODY, owners[i])}
        lost = {i for i, owner in enumerate(self._owners) if owner == NOBODY != owners[i]}
        cells = won | lost | (self._winning ^ winning) | (last ^ self._last)
        cells |= waiting ^ self._pending
        for cell in cells:
            self._stop(cell)
        if not quiet and not changes.rebuilt:
            # Signs appear and objects disappear at once; only boxes fill and discs fall.
            moving = won if self._style in (PieceStyle.FILL, PieceStyle.DISC) else set[int]()
            if self._style is PieceStyle.DISC:
                self._falling |= won
            self.fills.add(self._in_order(moving | (self._winning - winning), changes), now)
        if renamed:
            self._size_letters()
        for cell in range(len(self.backgrounds)) if renamed else cells:
            self._paint_cell(cell)
        return bool(won or lost)

    def _cells_of(self, pending: Sequence[int]) -> frozenset[int]:
        """Return the cells that show unconfirmed moves; none if the moves are edges."""
        board = self._brush.board
        return frozenset() if board.places.segments else board.cells_of(pending)

    # -- how they move -----------------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Advance the animations to `now`, in seconds."""
        for cell, share in self.fills.step(now):
            if cell in self._falling:
                self._fall(cell, share)
            self._paint_cell(cell, share)

    def _stop(self, cell: int) -> None:
        """Stop the animation of a cell and move its piece to its final place."""
        self.fills.drop(cell)
        if cell in self._falling:
            self._fall(cell, 1.0)

    def _fall(self, cell: int, share: float) -> None:
        """Show a disc after `share` of the time of its fall from above the board."""
        x, y = self._brush.board.places.cell_middle(cell)
        fallen = share * share  # constant acceleration
        self._brush.move(self._pieces[cell], ((x, fallen * y - (1 - fallen) * 0.4),))
        if share >= 1:
            self._falling.discard(cell)

    def _in_order(self, cells: set[int], changes: BoardChanges) -> list[int]:
        """Return `cells` in the order in which they were won.

        Cells won by one move are ordered by distance from the cell that was filled before.
        """
        middle = self._brush.board.places.cell_middle
        groups = [cells.intersection(won) for won in changes.captures]
        groups.append(cells.difference(*groups))
        ordered: list[int] = []
        for group in groups:
            while group:
                last = min(group) if self._filled is None else self._filled
                distances = [(math.dist(middle(last), middle(cell)), cell) for cell in group]
                self._filled = min(distances)[1]
                ordered.append(self._filled)
                group.discard(self._filled)
        return ordered

    # -- one cell ----------------------------------------------------------------------------

    def _paint_cell(self, cell: int, share: float | None = None) -> None:
        """Paint a cell after `share` of its animation (0 to 1).

        None means full, or still empty if the animation has not started yet.
        """
        if share is None:
            share = 1.0 if self.fills.starts_at(cell) is None else 0.0
        brush = self._brush
        colour, ground = self._ground(cell), brush.ground
        if share <= 0 or colour is None:
            brush.set(self.backgrounds[cell], state="hidden")
        else:
            filled = eased(share)
            size = _SMALLEST + (1 - _SMALLEST) * filled
            brush.move(self.backgrounds[cell], brush.corners(cell, size))
            ground = mix(colour, ground, filled)
            brush.set(self.backgrounds[cell], fill=ground, state="normal")
        if cell in self._pieces and not self._paint_piece(cell, share):
            return
        self._paint_letters(cell, ground, share)

    def _ground(self, cell: int) -> str | None:
        """Return the background colour of a cell; None if it has none."""
        colours, owner = self._brush.colours, self._owners[cell]
        if owner != NOBODY and self._style is PieceStyle.FILL:
            return colours.fills[owner]
        if owner != NOBODY and cell in self._winning:
            # A disc keeps its colour; a sign changes colours with its background.
            disc = self._style is PieceStyle.DISC
            return mix(colours.text, self._brush.ground, 0.9) if disc else colours.strokes[owner]
        return mix(colours.last, self._brush.ground, 0.22) if cell in self._last else None

    def _piece(self, cell: int) -> tuple[str, str] | None:
        """Return the shape and the colour of the piece in a cell; None if the cell is empty."""
        brush, owner = self._brush, self._owners[cell]
        if owner == NOBODY:
            return (DISC, brush.colours.object) if self._style is PieceStyle.OBJECT else None
        colour = brush.stroke(owner, pending=cell in self._pending)
        if self._style is PieceStyle.OBJECT:
            return RING, mix(colour, brush.ground, 0.55)
        if self._style is PieceStyle.DISC:
            return DISC, colour
        return self._initials[owner], self._sign_colour(cell, colour)

    def _sign_colour(self, cell: int, colour: str) -> str:
        """Return the colour of the sign in a cell; `colour` is that of its owner."""
        reversed_here = cell in self._winning and self._style is not PieceStyle.FILL
        return self._brush.ground if reversed_here else colour

    def _paint_piece(self, cell: int, share: float) -> bool:
        """Paint the piece in a cell; return whether the cell needs a letter instead.

        A letter shows the owner where no picture of the owner's sign exists.
        """
        brush, piece = self._brush, self._piece(cell)
        picture = None
        waits = cell in self._falling and share <= 0
        if piece is not None and not waits:
            picture = brush.picture(*piece, self._ground(cell) or brush.ground)
        if picture is None:
            brush.set(self._pieces[cell], state="hidden")
        else:
            brush.set(self._pieces[cell], image=picture, state="normal")
            brush.set(self._letters[cell], state="hidden")
        return picture is None and not waits

    def _paint_letters(self, cell: int, ground: str, share: float) -> None:
        """Paint the letters of a cell; in a filling cell they appear later than its background."""
        brush, owner = self._brush, self._owners[cell]
        filling = self._style is PieceStyle.FILL
        strength = (share - _SMALLEST) / (1 - _SMALLEST) if filling else 1.0
        if owner == NOBODY or strength <= 0:
            brush.set(self._letters[cell], state="hidden")
            return
        colour = self._sign_colour(cell, brush.stroke(owner, pending=cell in self._pending))
        faded = mix(colour, ground, strength)
        brush.set(self._letters[cell], fill=faded, text=self._initials[owner], state="normal")
