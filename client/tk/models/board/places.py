"""Find the action at a point, the action next to another one, and the middles of both."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from doublecross.games.api import Geometry, Region, Segment

Point = tuple[float, float]

REACH: Final = 0.32
"""The greatest distance from a segment at which a click selects it, in board units."""
AT_A_DOT: Final = 0.1
"""A click this near to an end that several segments share selects none, in board units."""


class BoardPlaces:
    """Maps clicks and arrow keys to actions, and actions and cells to their middles.

    Coordinates are the board units of the geometry's points, with x to the right and y downwards.
    """

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.segments: dict[int, Segment] = {s.action: s for s in geometry.segments}
        self.regions: dict[int, list[Region]] = {}
        for region in geometry.regions:
            self.regions.setdefault(region.action, []).append(region)
        self._middles = {action: self._middle(action) for action in (*self.segments, *self.regions)}
        self._cell_middles = [self._centre(cell.corners) for cell in geometry.cells]
        ends = Counter(end for s in geometry.segments for end in (s.start, s.end))
        self._shared = [geometry.points[end] for end, count in ends.items() if count > 1]

    def action_at(self, x: float, y: float) -> int | None:
        """Return the action that a click at (x, y) selects, legal or not, or None.

        A click selects the nearest segment within reach, but none right at a dot, where the choice
        would be arbitrary. Without a segment, it selects the region that contains it.
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
        """Return the cell that contains (x, y), or None."""
        for cell in self.geometry.cells:
            if self._is_in(x, y, cell.corners):
                return cell.index
        return None

    def _is_in(self, x: float, y: float, corners: Sequence[int]) -> bool:
        return _inside(x, y, [self.geometry.points[corner] for corner in corners])

    def step(self, free: Sequence[int], focus: int | None, dx: int, dy: int) -> int | None:
        """Return the action to which an arrow key in direction (`dx`, `dy`) leads from `focus`.

        The result is one of the `free` actions, or `focus` if none lies in that direction. Without
        a focus (None), it is the free action nearest to the middle of the board. It is None when
        no action is free.

        Left and right go through a row and on to the next row, as in text, so that every action
        can be reached. Up and down lead to the nearest row, even if its actions are not straight
        ahead: rows of horizontal and vertical edges alternate and are offset. Of two actions at
        the same distance, take the one in the same column, so that repeated keys go straight on.
        """
        if not free:
            return None
        if focus is None:
            centre = (self.geometry.width / 2, self.geometry.height / 2)
            return min(free, key=lambda action: math.dist(self._middles[action], centre))
        x, y = self._middles[focus]
        if dx:
            places = [((to_y, to_x), action) for action, (to_x, to_y) in self._places(free)]
            onwards = [p for p in places if (p[0] > (y, x) if dx > 0 else p[0] < (y, x))]
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
        """Return the middle of the cell of this index."""
        return self._cell_middles[cell]

    def _middle(self, action: int) -> tuple[float, float]:
        segment = self.segments.get(action)
        if segment is not None:
            return self._centre((segment.start, segment.end))
        return self._centre(self.regions[action][0].corners)

    def _centre(self, corners: Sequence[int]) -> tuple[float, float]:
        points = [self.geometry.points[corner] for corner in corners]
        return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))


def _distance(x: float, y: float, start: Point, end: Point) -> float:
    """Return the distance from (x, y) to the stroke between two points."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    along = 0.0 if not length else ((x - start[0]) * dx + (y - start[1]) * dy) / length
    along = min(1.0, max(0.0, along))
    return math.hypot(x - start[0] - along * dx, y - start[1] - along * dy)


def _inside(x: float, y: float, corners: Sequence[Point]) -> bool:
    """Return whether a point is in a polygon: a ray to the right crosses an odd number of sides."""
    inside = False
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
    return inside
