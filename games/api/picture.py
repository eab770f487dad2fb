"""What a client draws of a game: its geometry, which never changes, and features of positions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class PieceStyle(StrEnum):
    """How a cell shows its owner."""

    FILL = "fill"
    """Empty until it is won, then filled with its owner's colour and initial."""
    SIGN = "sign"
    """A square of a grid; its owner's sign stands in it."""
    DISC = "disc"
    """A hole in a board; its owner's disc lies in it."""
    OBJECT = "object"
    """A piece lies there from the start; its owner is the seat that took it away."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A drawable stroke between two points of a `Geometry`; playing `action` draws it."""

    action: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A drawable area: its corners are indices into `Geometry.points`, in drawing order.

    `segments` are the actions whose segments surround it, empty in games without segments.
    """

    index: int
    corners: tuple[int, ...]
    segments: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Region:
    """An area in which a click means `action`; its corners are indices into `Geometry.points`.

    Regions do not overlap. An action may have several of them.
    """

    action: int
    corners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Geometry:
    """All that a client needs to draw a game without knowing it.

    `points` are (x, y) in board units, y downwards, the smallest coordinates 0. Each action has
    either one segment or one or more regions. `dots` says whether the points themselves are drawn.
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

    `kind` is a key to tell the kinds apart by, `label` what it is for people; `cells` are the
    cells that belong to it and `actions` those that it consists of, both in a sensible order.
    """

    kind: str
    label: str
    cells: tuple[int, ...]
    actions: tuple[int, ...]
