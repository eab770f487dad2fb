"""Turn a feature of a position into paths through the middles of its cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from doublecross.client.language import plural, tr
from doublecross.client.tk.models.board.layout import Point
from doublecross.client.tk.models.board.model import BoardModel
from doublecross.games.api import Feature

LONG_CHAIN: Final = "long-chain"


@dataclass(frozen=True, slots=True)
class FeatureStyle:
    """The style in which features are drawn: a band with a thread along its middle.

    `band` is the share of the colour in the band; the board's colour is the rest. `thread` and
    `dash` are multiples of the thread's usual width.
    """

    band: float = 0.26
    thread: float = 1.0
    dash: tuple[int, ...] = ()


_STYLES: Final[Mapping[str, FeatureStyle]] = MappingProxyType(
    {
        LONG_CHAIN: FeatureStyle(thread=2),
        "chain": FeatureStyle(band=0.14, dash=(3, 3)),
        "loop": FeatureStyle(dash=(7, 3, 1, 3)),
        "capturable": FeatureStyle(thread=1.6, dash=(1, 3)),
    }
)


def shown_kind(feature: Feature) -> str:
    """Return the kind that is shown of a feature; long chains have a kind of their own."""
    if feature.kind == "chain" and feature.label.startswith("long"):
        return LONG_CHAIN
    return feature.kind


def label_of(feature: Feature) -> str:
    """Return the label of a feature in the language of this process: ``long chain of 5``.

    Kinds that this program does not know keep the label that their game gave them.
    """
    kind, count = shown_kind(feature), len(feature.cells)
    if kind == LONG_CHAIN:
        return tr("long chain of {n}", n=count)
    if kind == "chain":
        return plural("chain of 1", "chain of {n}", count)
    if kind == "loop":
        return tr("loop of {n}", n=count)
    if kind != "capturable":
        return feature.label
    if feature.declinable == 0:
        return plural("1 to take", "{n} to take", count)
    return tr("{n} to take, the last {last} can be declined", n=count, last=feature.declinable)


def style_of(kind: str) -> FeatureStyle:
    """Return the style of features that are shown as this kind."""
    return _STYLES.get(kind, FeatureStyle())


@dataclass(frozen=True, slots=True)
class FeaturePath:
    """The drawing of a feature, in board units.

    Each of `strokes` is a path of at least two points. `anchor` is the middle of its label, which
    may be `room` units long.
    """

    feature: Feature
    strokes: tuple[tuple[Point, ...], ...]
    anchor: Point
    room: float


def feature_path(board: BoardModel, feature: Feature) -> FeaturePath | None:
    """Return the drawing of `feature` on `board`, or None if it has no cells.

    The path joins a cell to the next one if one of the feature's actions lies between them. It goes
    back to the first cell if such an action joins the last cell to the first. If not, it leaves the
    first and the last cell across actions of the feature that join no two of its cells.
    """
    cells = [cell for cell in feature.cells if 0 <= cell < len(board.geometry.cells)]
    if not cells:
        return None
    own = set(feature.actions)
    around = [own.intersection(board.geometry.cells[cell].segments) for cell in cells]
    middles = [board.places.cell_middle(cell) for cell in cells]
    strokes: list[list[Point]] = [[middles[0]]]
    for number in range(1, len(cells)):
        between = around[number - 1] & around[number]
        if between:
            strokes[-1] += [board.places.middle(min(between)), middles[number]]
        else:
            strokes.append([middles[number]])
    closing = around[0] & around[-1] if len(cells) > 2 else set[int]()
    if closing:
        strokes[-1] += [board.places.middle(min(closing)), middles[0]]
    else:
        first, last = _ends(around)
        if first:
            strokes[0].insert(0, board.places.middle(first[0]))
        if last:
            strokes[-1].append(board.places.middle(last[-1]))
    anchor, room = _widest(board, cells)
    drawn = tuple(tuple(stroke if len(stroke) > 1 else stroke * 2) for stroke in strokes)
    return FeaturePath(feature, drawn, anchor, room)


def _ends(around: list[set[int]]) -> tuple[list[int], list[int]]:
    """Return the actions that lead out of the first cell, and those out of the last one."""
    if len(around) == 1:
        only = sorted(around[0])
        return only[:1], only[1:]
    inner = [around[number] & around[number + 1] for number in range(len(around) - 1)]
    return sorted(around[0] - inner[0]), sorted(around[-1] - inner[-1])


def _widest(board: BoardModel, cells: list[int]) -> tuple[Point, float]:
    """Return the middle and the length of the longest horizontal row of neighbouring cells.

    Of rows of equal length, take the one nearest to the middle of the list.
    """
    middles = [board.places.cell_middle(cell) for cell in cells]
    rows: list[list[int]] = []
    for number in sorted(range(len(cells)), key=lambda n: (middles[n][1], middles[n][0])):
        x, y = middles[number]
        if rows:
            last_x, last_y = middles[rows[-1][-1]]
            if last_y == y and x - last_x <= 1:
                rows[-1].append(number)
                continue
        rows.append([number])
    centre = (len(cells) - 1) / 2
    best = max(rows, key=lambda row: (len(row), -min(abs(number - centre) for number in row)))
    left, right = middles[best[0]], middles[best[-1]]
    return ((left[0] + right[0]) / 2, left[1]), float(len(best))
