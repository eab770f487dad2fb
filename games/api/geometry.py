"""Define what a client draws: the fixed geometry of a game, and the features of a position."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class PieceStyle(StrEnum):
    """The way in which a cell shows its owner."""

    FILL = "fill"
    """Empty until it is won, then filled with its owner's colour and initial."""
    SIGN = "sign"
    """A square of a grid that shows its owner's sign."""
    DISC = "disc"
    """A hole in a board that shows its owner's disc."""
    OBJECT = "object"
    """A piece that is there from the start; its owner is the seat that took it away."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A drawable stroke between two points of a `Geometry`; playing `action` draws it."""

    action: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A drawable area. Its corners are indices into `Geometry.points`, in drawing order.

    `segments` are the actions whose segments surround the cell; empty in games without segments.
    """

    index: int
    corners: tuple[int, ...]
    segments: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Region:
    """An area in which a click means `action`. Its corners are indices into `Geometry.points`.

    Regions do not overlap. An action may have several of them.
    """

    action: int
    corners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Geometry:
    """All that a client needs to draw a game whose rules it does not implement.

    `points` are (x, y) in board units. y points downwards; the smallest x and y are 0. Each action
    has either one segment, or one or more regions. `dots`: whether to draw the points themselves.
    """

    width: int
    height: int
    points: tuple[tuple[float, float], ...]
    segments: tuple[Segment, ...]
    cells: tuple[Cell, ...]
    regions: tuple[Region, ...]
    pieces: PieceStyle
    dots: bool


@dataclass(frozen=True, slots=True)
class Feature:
    """Something about a position that a client may point out, such as a chain.

    `kind` is the key of the kind of feature, `label` its description for users. `cells` and
    `actions` are the cells and actions that belong to it, in an order that suits the kind. Whoever
    takes the cells may decline the last `declinable` of them.
    """

    kind: str
    label: str
    cells: tuple[int, ...]
    actions: tuple[int, ...]
    declinable: int = 0
