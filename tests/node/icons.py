"""Make the icons of the browser page in `client/web/icons`: `python -m tests.node.icons`.

They show the move that gave the project its name: one stroke that completes two boxes.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Final

from doublecross.server.pictures.raster import png
from doublecross.server.pictures.shapes import Box, Disc, Drawing, Polygon, Shape, Stroke
from doublecross.server.pictures.svg import svg_text

ICONS: Final = Path(__file__).parents[2] / "client" / "web" / "icons"

_GROUND, _BOX, _EDGE, _LAST = "#24344d", "#6ea8ff", "#ffffff", "#ffd75e"


def icon(size: int, radius: float = 0) -> Drawing:
    """Return the icon.

    All of the board is in the middle circle that remains when a system cuts the corners.
    """
    unit = 0.3 * size
    left, top = size / 2 - unit, (size - unit) / 2
    dots = [(left + column * unit, top + row * unit) for row in (0, 1) for column in (0, 1, 2)]
    upper, lower = dots[:3], dots[3:]
    edges = [*pairwise(upper), *pairwise(lower)]
    edges += [(upper[0], lower[0]), (upper[2], lower[2])]
    shapes: list[Shape] = [Box((0, 0, size, size), radius, _GROUND)]
    shapes.append(Polygon((upper[0], upper[2], lower[2], lower[0]), _BOX))
    shapes += [Stroke(start, end, 0.05 * size, _EDGE) for start, end in edges]
    shapes.append(Stroke(upper[1], lower[1], 0.07 * size, _LAST))
    shapes += [Disc(dot, 0.06 * size, _EDGE) for dot in dots]
    return Drawing(size, size, "Doublecross", tuple(shapes))


def files() -> dict[str, bytes]:
    """Return the files by name."""
    return {
        "icon.svg": svg_text(icon(64, 13)).encode(),
        "icon-192.png": png(icon(192)),
        "icon-512.png": png(icon(512)),
        "apple-touch-icon.png": png(icon(180)),
    }


def main() -> None:
    """Write the files."""
    ICONS.mkdir(exist_ok=True)
    for name, data in files().items():
        (ICONS / name).write_bytes(data)


if __name__ == "__main__":
    main()
