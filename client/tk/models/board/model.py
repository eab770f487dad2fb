"""A board as a window shows it: what is drawn by whom, what a click means, where the arrows lead.

All that it knows of a game is its `Geometry` and what a `State` says; so every game is drawn alike.
Coordinates are board units: those of the geometry's points, x to the right and y downwards.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.api import Game, Geometry, PieceStyle, Region, Segment, State

REACH: Final = 0.45
"""How far from the middle line of a segment a click still means it, in board units."""
AT_A_DOT: Final = 0.1
"""A click no farther than this from an end that segments share means none of them."""
Point = tuple[float, float]

NOBODY: Final = -1
"""Who drew what the opening has drawn."""


@dataclass(frozen=True, slots=True)
class BoardChanges:
    """What is new on a board, for those who animate it.

    `actions` were played, oldest first; `captures` has, for each, the cells that it captured,
    none in games where every move claims a cell.
    `rebuilt`: the position does not follow from the one before, so nothing moves.
    """

    actions: tuple[int, ...] = ()
    captures: tuple[tuple[int, ...], ...] = ()
    rebuilt: bool = False


class BoardModel:
    """The board of `game` after an opening and moves; see `show`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.geometry: Geometry = game.geometry()
        self.segments: dict[int, Segment] = {s.action: s for s in self.geometry.segments}
        self.regions: dict[int, list[Region]] = {}
        for region in self.geometry.regions:
            self.regions.setdefault(region.action, []).append(region)
        self._opening: tuple[int, ...] = ()
        self._moves: list[int] = []
        self._won: list[tuple[int, ...]] = []
        self._drawers: dict[int, int] = {}
        self._state: State = game.initial_state()
        self._middles = {action: self._middle(action) for action in (*self.segments, *self.regions)}
        self._cell_middles = [self._centre(cell.corners) for cell in self.geometry.cells]
        ends = Counter(end for s in self.geometry.segments for end in (s.start, s.end))
        self._shared = [self.geometry.points[end] for end, count in ends.items() if count > 1]

    # -- the position ------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The position that is shown; not to be changed."""
        return self._state

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves that are shown, the opening apart."""
        return tuple(self._moves)

    @property
    def last(self) -> int | None:
        """The last move, None before the first."""
        return self._moves[-1] if self._moves else None

    @property
    def last_cells(self) -> tuple[int, ...]:
        """The cells in which the last move is to be seen; none where it is a segment."""
        return self._won[-1] if self._won and not self.segments else ()

    @property
    def shows_players(self) -> bool:
        """Whether the cells show the players' initials rather than the signs of the seats."""
        return self.geometry.pieces is PieceStyle.FILL

    @property
    def owners(self) -> tuple[int, ...]:
        """The owner of each cell, -1 for nobody."""
        return self._state.owners()

    def drawer(self, action: int) -> int | None:
        """Return the seat that played `action` last, `NOBODY` for the opening, None for nobody."""
        return self._drawers.get(action)

    def claims(self, action: int) -> tuple[int, ...]:
        """Return the cells that `action` would win in the position that is shown.

        These are the cells where it would be seen: that in which a disc would come to rest, or
        the objects that would be taken. None where `action` is not legal.
        """
        if not self._state.is_legal(action):
            return ()
        after = self._state.clone()
        after.apply(action)
        return _differing(self._state.owners(), after.owners())

    def cells_of(self, moves: Sequence[int]) -> frozenset[int]:
        """Return the cells won by the newest moves on the board, as far as `moves` begin so."""
        for count in range(min(len(moves), len(self._moves)), 0, -1):
            if list(moves[:count]) == self._moves[-count:]:
                return frozenset(cell for won in self._won[-count:] for cell in won)
        return frozenset()

    def show(self, opening: Sequence[int], moves: Sequence[int]) -> BoardChanges:
        """Show the position after `opening` and `moves`, which are legal.

        Raises:
            GameError: they are not; what is shown then is as far as they are.
        """
        known = len(self._moves)
        goes_on = (
            tuple(opening) == self._opening
            and len(moves) >= known
            and list(moves[:known]) == self._moves
        )
        if not goes_on:
            self._opening = tuple(opening)
            self._state = self.game.initial_state(self._opening)
            self._moves, self._won = [], []
            self._drawers = dict.fromkeys(self._opening, NOBODY)
            for action in moves:
                self._play(action)
            return BoardChanges(rebuilt=True)
        new = tuple(moves[known:])
        return BoardChanges(new, tuple(self._play(action) for action in new))

    def _play(self, action: int) -> tuple[int, ...]:
        """Play one more move; return the cells that it captures."""
        seat, before = self._state.current_player(), self._state.owners()
        self._state.apply(action)
        self._moves.append(action)
        self._drawers[action] = seat
        self._won.append(_differing(before, self._state.owners()))
        return self._won[-1] if self.segments else ()

    # -- what a person points at -------------------------------------------------------------

    def action_at(self, x: float, y: float) -> int | None:
        """The action that a click at (x, y) means, free or not; None: nothing is near enough.

        Of several segments the one is meant whose line is nearest, and none right at a dot, where
        it would be chance; of regions the one around it.
        """
        best, distance = None, REACH
        for action, segment in self.segments.items():
            ends = self.geometry.points[segment.start], self.geometry.points[segment.end]
            away = _distance(x, y, *ends)
            if away < distance:
                best, distance = action, away
        if best is not None:
            at_a_dot = any(math.dist((x, y), dot) <= AT_A_DOT for dot in self._shared)
            return None if at_a_dot else best
        for region in self.geometry.regions:
            if self._is_in(x, y, region.corners):
                return region.action
        return None

    def cell_at(self, x: float, y: float) -> int | None:
        """The cell around (x, y); None: there is none."""
        for cell in self.geometry.cells:
            if self._is_in(x, y, cell.corners):
                return cell.index
        return None

    def _is_in(self, x: float, y: float, corners: Sequence[int]) -> bool:
        return _inside(x, y, [self.geometry.points[corner] for corner in corners])

    def step(self, focus: int | None, dx: int, dy: int) -> int | None:
        """Where an arrow key in the direction (`dx`, `dy`) leads from `focus`, or `focus` itself if
        nothing that is free lies there. From nowhere (None) to the free action nearest to the
        middle. None: nothing is free.

        Left and right go along a row and on in the next, as in a text; so everything can be
        reached. Up and down lead to the nearest row, also where its actions lie beside and not
        straight ahead, as in every other row of edges; of two that are as near to the one in the
        same column of the grid, so that going on leads straight on.
        """
        free = self._state.legal_actions()
        if not free:
            return None
        if focus is None:
            centre = (self.geometry.width / 2, self.geometry.height / 2)
            return min(free, key=lambda action: math.dist(self._middles[action], centre))
        x, y = self._middles[focus]
        if dx:
            ways = [((to_y, to_x), action) for action, (to_x, to_y) in self._places(free)]
            onwards = [way for way in ways if (way[0] > (y, x) if dx > 0 else way[0] < (y, x))]
            nearest = min(onwards, default=None) if dx > 0 else max(onwards, default=None)
            return focus if nearest is None else nearest[1]
        best, least = focus, (math.inf, False)
        for action, (to_x, to_y) in self._places(free):
            along, aside = (to_y - y) * dy, abs(to_x - x)
            if along > 0 and along >= aside:
                cost = (along + 0.9 * aside, math.floor(to_x) != math.floor(x))
                if cost < least:
                    best, least = action, cost
        return best

    def _places(self, actions: Sequence[int]) -> list[tuple[int, tuple[float, float]]]:
        return [(action, self._middles[action]) for action in actions]

    def middle(self, action: int) -> tuple[float, float]:
        """Return the middle of the segment of `action`, or of its first region."""
        return self._middles[action]

    def cell_middle(self, cell: int) -> tuple[float, float]:
        """The middle of the cell of this index."""
        return self._cell_middles[cell]

    def _middle(self, action: int) -> tuple[float, float]:
        segment = self.segments.get(action)
        if segment is not None:
            return self._centre((segment.start, segment.end))
        return self._centre(self.regions[action][0].corners)

    def _centre(self, corners: Sequence[int]) -> tuple[float, float]:
        points = [self.geometry.points[corner] for corner in corners]
        return (
            sum(x for x, _ in points) / len(points),
            sum(y for _, y in points) / len(points),
        )


def _differing(before: Sequence[int], after: Sequence[int]) -> tuple[int, ...]:
    """Return the cells that have another owner than before."""
    return tuple(i for i, owner in enumerate(after) if owner != before[i])


def _distance(x: float, y: float, start: Point, end: Point) -> float:
    """From (x, y) to the stroke between two points."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    along = 0.0 if not length else ((x - start[0]) * dx + (y - start[1]) * dy) / length
    along = min(1.0, max(0.0, along))
    return math.hypot(x - start[0] - along * dx, y - start[1] - along * dy)


def _inside(x: float, y: float, corners: Sequence[Point]) -> bool:
    """Whether (x, y) lies inside a polygon, by the rays to the right that cross its sides."""
    inside = False
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
    return inside
