"""Draw the two halves of a card that messengers show beside a link: words, and a board."""

from __future__ import annotations

import math
import textwrap
from typing import Final

from doublecross.games.colours import CLASSIC
from doublecross.games.record import Record
from doublecross.server.pictures.drawing import GameDrawings
from doublecross.server.pictures.shapes import Box, Disc, Drawing, Shape, Stroke, Text, fitted

WIDTH: Final = 1200
HEIGHT: Final = 630
_MARGIN: Final = 64
_MOST: Final = 520
"""The most pixels of the board, in both directions."""


def draw_words(title: str, text: str) -> Drawing:
    """Return a card with a title and a text, and nothing in its right half."""
    colours = CLASSIC["light"]
    shapes: list[Shape] = [Box((0, 0, WIDTH, HEIGHT), 0, colours.ground)]
    y = 120.0
    for words, size, most, bold in ((title, 50, 3, True), (text, 30, 5, False)):
        room = WIDTH / 2 - _MARGIN
        # Names may be long words, so cut what no line can hold.
        lines = textwrap.wrap(words, int(room / (0.58 * size)), max_lines=most, placeholder=" …")
        for line in lines:
            shown = fitted(line, size, 1.15 * room, bold=bold)
            colour = colours.text if bold else colours.muted
            shapes.append(Text((_MARGIN, y), shown, size, colour, "start", bold))
            y += 1.3 * size
        y += 24
    left, top, side = _MARGIN + 6, HEIGHT - 90, 36
    for start, end in (((0, 0), (1, 0)), ((0, 0), (0, 1)), ((0, 1), (1, 1))):
        ends = [(left + side * x, top + side * below) for x, below in (start, end)]
        shapes.append(Stroke(ends[0], ends[1], 7, colours.strokes[1]))
    for x, below in ((0, 0), (1, 0), (0, 1), (1, 1)):
        shapes.append(Disc((left + side * x, top + side * below), 8, colours.dot))
    shapes.append(Text((left + 64, top + 18), "Doublecross", 30, colours.text, "start", True))
    return Drawing(WIDTH, HEIGHT, title, tuple(shapes))


def draw_board(record: Record, *, swaps: bool) -> tuple[Drawing, tuple[int, int, int, int]]:
    """Return a drawing of the last position, and the part of it that has the board.

    See `GameDrawings` about `swaps`.
    """
    width = _MOST + 40
    while True:
        drawings = GameDrawings(record, width, swaps=swaps)
        left, top, right, bottom = drawings.board
        if width <= 160 or max(right - left, bottom - top) <= _MOST:
            part = math.floor(left), math.floor(top), math.ceil(right), math.ceil(bottom)
            return drawings.draw(drawings.plies), part
        width -= 40
