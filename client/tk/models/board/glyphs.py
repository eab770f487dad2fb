"""Draw dots and marks as images with smooth rims, which a Tk canvas itself cannot draw.

Each pixel is either opaque or fully transparent. For a half-transparent pixel, Tk reads the
background back from the X server, and for a hundred dots that takes longer than all other drawing.
So the rim is mixed in advance with the background colour for which the image is made.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable
from typing import Final

from doublecross.games.colours import mix

_SHADES: Final = 32
"""The number of shades in a rim."""


def dot(radius: float, colour: str, ground: str) -> bytes:
    """Return a PNG of a disc of `radius` pixels in `colour` over `ground` (both ``#rrggbb``).

    All images here have an odd width and height, so that their middle is the middle of a pixel.
    """
    return _picture(radius, lambda x, y: math.hypot(x, y) - radius, colour, ground)


def mark(sign: str, reach: float, width: float, colour: str, ground: str) -> bytes | None:
    """Return a PNG of the sign ``X`` or ``O``, or None for another sign.

    It reaches `reach` pixels from its middle, with strokes `width` pixels wide.
    """
    half = width / 2
    end = reach - half
    if sign == "O":
        return _picture(reach, lambda x, y: abs(math.hypot(x, y) - end) - half, colour, ground)
    if sign == "X":

        def away(x: float, y: float) -> float:
            along = min(end, (x + y) / 2)  # from the middle to the corner at (end, end)
            return math.hypot(x - along, y - along) - half

        return _picture(reach, away, colour, ground)
    return None


def _picture(
    reach: float, away: Callable[[float, float], float], colour: str, ground: str
) -> bytes:
    """Return a PNG of the shape whose signed distance is `away` (negative inside).

    The shape must be symmetric to both axes through its middle: only one quarter is computed.
    """
    size = math.ceil(reach)
    # The distance of a pixel's middle from the rim approximates the part that is covered.
    shades = [b"\0\0\0\0"]
    for share in range(1, _SHADES + 1):
        mixed = mix(colour, ground, share / _SHADES)
        shades.append(bytes.fromhex(mixed[1:]) + b"\xff")
    quarter = [
        [shades[round(_SHADES * min(1.0, max(0.0, 0.5 - away(x, y))))] for x in range(size + 1)]
        for y in range(size + 1)
    ]
    # In PNG, the 0 before a row says that the row is not filtered.
    half = [b"\0" + b"".join(row[:0:-1]) + b"".join(row) for row in quarter]
    rows = b"".join(half[:0:-1]) + b"".join(half)
    side = 2 * size + 1
    header = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)  # 8 bits each of red to alpha
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
