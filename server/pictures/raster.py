"""Write drawings as PNG, and several as an animated GIF or WebP, with Pillow.

A drawing is painted larger and then reduced, which makes its rims smooth. In an animation only the
parts of a frame that differ from the frame before are painted anew.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from io import BytesIO
from typing import Final, TypeAlias

from PIL import Image, ImageDraw, ImageFont

from doublecross.server.pictures.shapes import (
    Bounds,
    Box,
    Disc,
    Drawing,
    Polygon,
    Shape,
    Stroke,
    Text,
)

Pixels = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of a picture, in whole pixels."""
_Colour: TypeAlias = tuple[int, ...]
_Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont

_LARGER: Final = 3
"""How much larger a drawing is painted than it is shown."""
_COLOURS: Final = 256
_FEW_COLOURS: Final = 32
"""The most colours of an animation; fewer make it smaller, and the rims rougher."""
_FONTS: Final = (
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
    ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
    ("Arial.ttf", "Arial Bold.ttf"),
    ("arial.ttf", "arialbd.ttf"),
)
"""Fonts of usual systems: plain and bold. The first one that exists is used."""


def png(drawing: Drawing) -> bytes:
    """Return a drawing as PNG."""
    whole = _paint(drawing, (0, 0, drawing.width, drawing.height))
    file = BytesIO()
    _reduced(whole, _palette((drawing,), _COLOURS)).save(file, "PNG", optimize=True)
    return file.getvalue()


def png_of_card(words: Drawing, board: Drawing, part: Pixels) -> bytes:
    """Return the words as PNG, with a part of another drawing in the middle of their right half."""
    whole = _paint(words, (0, 0, words.width, words.height))
    left, top, right, bottom = part
    place = (3 * words.width // 2 - right + left) // 2, (words.height - bottom + top) // 2
    whole.paste(_paint(board, part), place)
    file = BytesIO()
    whole.quantize(_COLOURS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def gif(drawings: Sequence[Drawing], times_ms: Sequence[int]) -> bytes:
    """Return an endless animation as GIF; each drawing is shown for its time."""
    palette, (first, *more) = _frames(drawings)
    file = BytesIO()
    first.save(
        file,
        "GIF",
        save_all=True,
        append_images=more,
        duration=list(times_ms),
        loop=0,
        disposal=1,
        # What does not change is transparent, and all frames use the colours of the first.
        optimize=True,
        palette=bytes(palette.getpalette() or ()),
    )
    return file.getvalue()


def webp(drawings: Sequence[Drawing], times_ms: Sequence[int]) -> bytes:
    """Return an endless animation as WebP; each drawing is shown for its time."""
    first, *more = (frame.convert("RGB") for frame in _frames(drawings)[1])
    file = BytesIO()
    first.save(
        file,
        "WEBP",
        save_all=True,
        append_images=more,
        duration=list(times_ms),
        loop=0,
        lossless=True,
        quality=20,
        method=2,
        kmax=0,
    )
    return file.getvalue()


def _frames(drawings: Sequence[Drawing]) -> tuple[Image.Image, list[Image.Image]]:
    """Return an image with the colours of all frames, and the frames."""
    some = drawings[0], drawings[len(drawings) // 2], drawings[-1]
    palette = _palette(some, _FEW_COLOURS)
    frames: list[Image.Image] = []
    shown: frozenset[Shape] = frozenset()
    for drawing in drawings:
        shapes = frozenset(drawing.shapes)
        if not frames:
            whole = (0, 0, drawing.width, drawing.height)
            frame = _reduced(_paint(drawing, whole), palette)
        else:
            frame = frames[-1].copy()
            for part in _parts((each.bounds for each in shapes ^ shown), drawing):
                frame.paste(_reduced(_paint(drawing, part), palette), part[:2])
        frames.append(frame)
        shown = shapes
    return palette, frames


def _reduced(image: Image.Image, palette: Image.Image) -> Image.Image:
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def _parts(bounds: Iterable[Bounds], drawing: Drawing) -> list[Pixels]:
    """Return parts of the picture that contain these bounds and do not overlap."""
    parts: list[Pixels] = []
    for left, top, right, bottom in bounds:
        part = (
            max(0, math.floor(left) - 1),
            max(0, math.floor(top) - 1),
            min(drawing.width, math.ceil(right) + 1),
            min(drawing.height, math.ceil(bottom) + 1),
        )
        while (other := next((each for each in parts if _overlap(part, each)), None)) is not None:
            parts.remove(other)
            part = (
                min(part[0], other[0]),
                min(part[1], other[1]),
                max(part[2], other[2]),
                max(part[3], other[3]),
            )
        parts.append(part)
    return parts


def _overlap(one: Bounds, other: Bounds) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _paint(drawing: Drawing, part: Pixels) -> Image.Image:
    """Return a part of a drawing."""
    left, top, right, bottom = part
    image = Image.new("RGB", (_LARGER * (right - left), _LARGER * (bottom - top)))
    brush = _Brush(ImageDraw.Draw(image), left, top)
    for shape in drawing.shapes:
        if _overlap(shape.bounds, part):
            brush.draw(shape)
    return image.reduce(_LARGER)


class _Brush:
    """Draw shapes on a larger canvas whose corner is the pixel (`left`, `top`)."""

    def __init__(self, canvas: ImageDraw.ImageDraw, left: int, top: int) -> None:
        self._canvas = canvas
        self._left = left
        self._top = top

    def draw(self, shape: Shape) -> None:
        """Draw a shape."""
        canvas, colour = self._canvas, shape.colour
        match shape:
            case Box((left, top, right, bottom), radius, _, rim):
                corners = (*self._at(left, top), *self._at(right, bottom))
                canvas.rounded_rectangle(corners, radius * _LARGER, colour, rim or None, _LARGER)
            case Polygon(points):
                canvas.polygon([self._at(*point) for point in points], colour)
            case Stroke(start, end, width):
                canvas.line((*self._at(*start), *self._at(*end)), colour, round(width * _LARGER))
                for x, y in (start, end):
                    self._disc(x, y, width / 2, colour)
            case Disc((x, y), radius, _, width):
                self._disc(x, y, radius, colour, width)
            case Text((x, y), text, size, _, anchor, bold):
                # 0.36 of the font's height is half of a capital letter.
                place = self._at(x, y + 0.36 * size)
                side = {"start": "ls", "middle": "ms", "end": "rs"}[anchor]
                font = _font(round(size * _LARGER), bold)
                canvas.text(place, text, colour, font, anchor=side)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return (x - self._left) * _LARGER, (y - self._top) * _LARGER

    def _disc(self, x: float, y: float, radius: float, colour: str, width: float = 0) -> None:
        around = (*self._at(x - radius, y - radius), *self._at(x + radius, y + radius))
        if width:
            self._canvas.ellipse(around, None, colour, round(width * _LARGER))
        else:
            self._canvas.ellipse(around, colour)


def _palette(drawings: Iterable[Drawing], most: int) -> Image.Image:
    """Return an image with the colours of these drawings: those of the shapes, then mixtures."""
    plain: dict[_Colour, None] = {}
    mixed: Counter[_Colour] = Counter()
    for drawing in drawings:
        for shape in drawing.shapes:
            plain[_colour(shape.colour)] = None
        image = _paint(drawing, (0, 0, drawing.width, drawing.height))
        for count, colour in image.getcolors(drawing.width * drawing.height) or ():
            assert isinstance(colour, tuple)
            mixed[colour] += count
    usual = [colour for colour, _ in mixed.most_common() if colour not in plain]
    chosen = [*plain, *usual][:most]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in chosen for part in colour])
    return palette


def _colour(text: str) -> _Colour:
    """Return the parts of a colour such as ``#rrggbb``."""
    return tuple(bytes.fromhex(text[1:]))


@cache
def _font(size: int, bold: bool) -> _Font:
    for names in _FONTS:
        try:
            return ImageFont.truetype(names[bold], size)
        except OSError:
            continue
    return ImageFont.load_default(size)
