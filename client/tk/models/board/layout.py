"""Place a board on a canvas: convert between board units and pixels, and compute outlines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from doublecross.client.tk.models.board.rim import NO_RIM, Rim
from doublecross.games.api import Geometry

Point = tuple[float, float]

LEAST: Final = 6
"""The smallest size of a board unit, in pixels."""


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """The place and scale of a board on a canvas.

    One board unit is `unit` pixels, (`left`, `top`) is the pixel of the board's corner (0, 0), and
    the board has a margin of `margin` pixels, and of `rim` more on the left and below for labels.
    `width` and `height` are in board units. All other lengths are in pixels. Widths of strokes are
    odd, so that a stroke is symmetric to its middle.
    """

    unit: int
    left: int
    top: int
    margin: int
    width: int
    height: int
    rim: tuple[int, int] = (0, 0)

    @property
    def stroke(self) -> int:
        """The width of a drawn edge."""
        return _odd(min(15.0, max(3.0, 0.12 * self.unit)))

    @property
    def faint(self) -> int:
        """The width of a free edge."""
        return _odd(min(5.0, max(1.0, 0.035 * self.unit)))

    @property
    def glow(self) -> int:
        """The width of the highlight under an edge."""
        return self.stroke + 2 * round(min(11.0, max(3.0, 0.09 * self.unit)))

    @property
    def gap(self) -> int:
        """The width of the gap between an edge and its highlight, with the edge included."""
        return self.stroke + 2 * round(min(3.0, max(1.0, 0.02 * self.unit)))

    @property
    def dot(self) -> float:
        """The radius of a dot."""
        return min(12.5, max(3.0, 0.11 * self.unit))

    @property
    def disc(self) -> float:
        """The radius of a disc or an object in a cell."""
        return max(3.0, 0.39 * self.unit)

    @property
    def mark(self) -> tuple[float, float]:
        """The reach of a mark from the middle of its cell, and the width of its strokes."""
        return max(3.0, 0.32 * self.unit), max(2.0, 0.1 * self.unit)

    @property
    def band(self) -> int:
        """The width of a path through cells."""
        return _odd(min(40.0, max(5.0, 0.3 * self.unit)))

    @property
    def grid(self) -> int:
        """The width of a grid line, in games whose moves claim cells."""
        return _odd(min(5.0, max(1.0, 0.03 * self.unit)))

    def initial(self, letters: int) -> int:
        """Return the height of `letters` letters in a cell."""
        share = 0.5 if letters < 2 else 0.36
        return round(min(180.0, max(7.0, share * self.unit)))

    @property
    def label(self) -> int:
        """The height of a label's letters."""
        return round(min(15.0, max(9.0, 0.2 * self.unit)))

    def place(self, points: Iterable[Point]) -> list[float]:
        """Return the pixels x, y, x, y, ... of points in board units."""
        return [
            pixel
            for x, y in points
            for pixel in (self.left + x * self.unit, self.top + y * self.unit)
        ]

    def unplace(self, x: float, y: float) -> Point:
        """Return the point of a pixel, in board units."""
        return (x - self.left) / self.unit, (y - self.top) / self.unit

    @property
    def plate(self) -> tuple[int, int, int, int]:
        """The left, top, right and bottom of the board with its margin."""
        return (
            self.left - self.margin - self.rim[0],
            self.top - self.margin,
            self.left + self.width * self.unit + self.margin,
            self.top + self.height * self.unit + self.margin + self.rim[1],
        )

    @property
    def clear(self) -> float:
        """The distance that edges and dots, with highlights, reach over the rim of the board."""
        return max(self.glow / 2, self.dot) + 1

    @property
    def rim_middle(self) -> Point:
        """The middle of the numbers from left to right, and of the letters from top to bottom."""
        beside, below = (self.margin + extra + self.clear for extra in self.rim)
        return self.left - beside / 2, self.top + self.height * self.unit + below / 2

    def with_rim(self, rim: Rim) -> BoardLayout:
        """Return this layout with the space for the labels of `rim`."""
        # Digits are at most 0.7 times as wide as they are high.
        wide = 0.7 * self.label * rim.digits
        needs = round(self.clear + wide + 3), round(self.clear + self.label + 3)
        shown = bool(rim.rows), bool(rim.columns)
        extra = [max(0, need - self.margin) * on for need, on in zip(needs, shown, strict=True)]
        return replace(self, rim=(extra[0], extra[1]))


def fit(geometry: Geometry, width: int, height: int, rim: Rim = NO_RIM) -> BoardLayout:
    """Return the largest layout of `geometry`, centred on a canvas of the given size in pixels.

    There is space for the labels of `rim`.
    """
    share = 0.3 if geometry.segments else 0.22  # of a unit, around the board
    across, down = max(1, geometry.width), max(1, geometry.height)
    rough = min(width / (across + 2 * share), height / (down + 2 * share))
    margin = round(min(56.0, max(10.0, share * rough)))
    # Labels are not larger on a smaller board, so the space for those of this size is enough.
    most = BoardLayout(max(LEAST, int(rough)), 0, 0, margin, geometry.width, geometry.height)
    beside, below = most.with_rim(rim).rim
    width, height = width - beside, height - below
    unit = max(LEAST, min((width - 2 * margin) // across, (height - 2 * margin) // down))
    return replace(
        most,
        unit=unit,
        left=beside + (width - unit * geometry.width) // 2,
        top=(height - unit * geometry.height) // 2,
        rim=(beside, below),
    )


def shrunk(points: Sequence[Point], middle: Point, share: float) -> list[Point]:
    """Return `points` scaled by `share` towards `middle`."""
    mx, my = middle
    return [(mx + (x - mx) * share, my + (y - my) * share) for x, y in points]


def inset(points: Sequence[Point], middle: Point, by: float) -> list[Point]:
    """Return `points`, each moved in both directions by `by` towards the middle."""
    mx, my = middle
    return [(x + math.copysign(by, mx - x), y + math.copysign(by, my - y)) for x, y in points]


def capsule(start: Point, end: Point, reach: float) -> list[Point]:
    """Return the outline of all points within `reach` of the stroke from `start` to `end`."""
    along = math.atan2(end[1] - start[1], end[0] - start[0])
    half = math.pi / 2
    return [
        *_arc(end, reach, along - half, along + half, 12),
        *_arc(start, reach, along + half, along + 3 * half, 12),
    ]


def rounded(box: tuple[float, float, float, float], radius: float) -> list[Point]:
    """Return the outline of a rectangle (left, top, right, bottom) with rounded corners."""
    left, top, right, bottom = box
    radius = min(radius, (right - left) / 2, (bottom - top) / 2)
    half = math.pi / 2
    return [
        *_arc((right - radius, bottom - radius), radius, 0, half, 8),
        *_arc((left + radius, bottom - radius), radius, half, 2 * half, 8),
        *_arc((left + radius, top + radius), radius, 2 * half, 3 * half, 8),
        *_arc((right - radius, top + radius), radius, 3 * half, 4 * half, 8),
    ]


def _arc(middle: Point, reach: float, start: float, end: float, steps: int) -> list[Point]:
    x, y = middle
    angles = (start + (end - start) * step / steps for step in range(steps + 1))
    return [(x + reach * math.cos(angle), y + reach * math.sin(angle)) for angle in angles]


def _odd(length: float) -> int:
    """Return the odd integer nearest to `length`."""
    return 2 * round((length - 1) / 2) + 1
