"""The shapes that a picture consists of, in pixels, and how wide a text is about.

A shape covers what is drawn before it. Equal shapes look the same, so two drawings differ only
where one has a shape that the other lacks.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]
Bounds = tuple[float, float, float, float]
"""Left, top, right and bottom."""

_NARROW: Final = 0.58
"""The width of a usual letter, as a share of the height of the font."""
_BOLD: Final = 1.1


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with round corners; `rim` is the colour of its border, one pixel wide."""

    bounds: Bounds
    radius: float
    colour: str
    rim: str = ""


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled area."""

    points: tuple[Point, ...]
    colour: str

    @property
    def bounds(self) -> Bounds:
        """The rectangle around it."""
        return _around(self.points, 0)


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line with round ends."""

    start: Point
    end: Point
    width: float
    colour: str

    @property
    def bounds(self) -> Bounds:
        """The rectangle around it."""
        return _around((self.start, self.end), self.width / 2)


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle, or a ring whose line has this `width` inside the radius."""

    middle: Point
    radius: float
    colour: str
    width: float = 0

    @property
    def bounds(self) -> Bounds:
        """The rectangle around it."""
        return _around((self.middle,), self.radius)


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; `place` is at its vertical middle and, as `anchor` says, horizontally."""

    place: Point
    text: str
    size: float
    colour: str
    anchor: Anchor = "middle"
    bold: bool = False

    @property
    def bounds(self) -> Bounds:
        """A rectangle that contains it, also in a font that is wider than usual."""
        x, y = self.place
        width = 1.6 * width_of(self.text, self.size, bold=self.bold)
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return left - self.size, y - self.size, left + width + self.size, y + self.size


Shape: TypeAlias = Box | Polygon | Stroke | Disc | Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture: its size in pixels, what it shows in words, and its shapes, lowest first."""

    width: int
    height: int
    title: str
    shapes: tuple[Shape, ...]


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return about how wide a text is in a font of this height; no font is read."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return size * (wide + _NARROW * (len(text) - wide)) * (_BOLD if bold else 1)


def fitted(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """Return `text`, shortened so that it needs about this width at most.

    Characters that cannot be printed are replaced, because they would break a picture or change
    the direction of what follows.
    """
    shown = "".join(c if c.isprintable() else "\ufffd" for c in text)
    if width_of(shown, size, bold=bold) <= width:
        return shown
    while shown and width_of(shown + "…", size, bold=bold) > width:
        shown = shown[:-1]
    return shown.rstrip() + "…"


def _around(points: tuple[Point, ...], reach: float) -> Bounds:
    return (
        min(x for x, _ in points) - reach,
        min(y for _, y in points) - reach,
        max(x for x, _ in points) + reach,
        max(y for _, y in points) + reach,
    )
