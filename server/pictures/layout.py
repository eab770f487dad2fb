"""Lay out a picture: names above the board, coordinates beside it, words below."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from doublecross.games.api import Game, Geometry
from doublecross.server.pictures.shapes import Bounds, Point

LEAST_WIDTH: Final = 160
"""The smallest width of a picture, in pixels."""
MOST_WIDTH: Final = 1200
"""The greatest width of a picture, in pixels."""
_USUAL: Final = 480
"""The width for which the lengths below are meant."""

_NAME: Final = re.compile(r"([a-z]+)([0-9]*)")


@dataclass(frozen=True, slots=True)
class Layout:
    """The place and scale of a board in a picture.

    One board unit is `unit` pixels, (`left`, `top`) is the pixel of the board's corner (0, 0).
    `scale` is the width of the picture as a share of the usual one.
    """

    width: int
    height: int
    scale: float
    unit: int
    left: int
    top: int
    plate: Bounds
    head: float
    """The vertical middle of the names, in pixels."""
    foot: float
    """The vertical middle of the sentence below the board."""

    def at(self, point: Point) -> Point:
        """Return the pixel of a point in board units."""
        x, y = point
        return self.left + x * self.unit, self.top + y * self.unit


@dataclass(frozen=True, slots=True)
class Coordinates:
    """The labels of columns and rows, each with its place in board units."""

    columns: tuple[tuple[str, float], ...]
    rows: tuple[tuple[str, float], ...]


def lay_out(geometry: Geometry, width: int) -> Layout:
    """Return the layout of a picture `width` pixels wide; the height follows from the board."""
    scale = width / _USUAL
    side, head, foot = 14 * scale, 54 * scale, 44 * scale
    # Around the board, as shares of a unit, and for the coordinates.
    margin, label = (0.3 if geometry.segments else 0.2), 15 * scale
    across, down = max(1, geometry.width), max(1, geometry.height)
    unit = (width - 2 * side - 2 * label) / (across + 2 * margin)
    # A high, narrow board must not make a picture that no screen shows.
    unit = min(unit, 1.2 * width / (down + 2 * margin), width / 3)
    # Whole pixels make equal dots and edges equal, so that files of pictures are smaller.
    unit, head, foot = max(1, int(unit)), round(head), round(foot)
    rim = round(margin * unit + label)
    left = (width - across * unit) // 2
    plate = (left - rim, head, left + across * unit + rim, head + down * unit + 2 * rim)
    return Layout(
        width=width,
        height=plate[3] + foot,
        scale=scale,
        unit=unit,
        left=left,
        top=head + rim,
        plate=plate,
        head=head / 2,
        foot=plate[3] + foot / 2,
    )


def coordinates_of(game: Game, middle_of: Callable[[int], Point]) -> Coordinates:
    """Return the letters and numbers in the names of actions, where one place fits each of them.

    `middle_of` returns the middle of an action in board units. A letter whose actions all lie below
    each other names a column, one whose actions lie beside each other names a row.
    """
    letters: dict[str, list[Point]] = {}
    numbers: dict[str, list[Point]] = {}
    for action in range(game.num_actions):
        found = _NAME.fullmatch(game.action_name(action))
        if found is None:
            return Coordinates((), ())
        for part, places in zip(found.groups(), (letters, numbers), strict=True):
            if part:
                places.setdefault(part, []).append(middle_of(action))
    columns: list[tuple[str, float]] = []
    rows: list[tuple[str, float]] = []
    for places in (letters, numbers):
        for axis, labels in ((0, columns), (1, rows)):
            if not labels and all(len({p[axis] for p in each}) == 1 for each in places.values()):
                labels += [(name, each[0][axis]) for name, each in places.items()]
                break
    return Coordinates(tuple(columns), tuple(rows))
