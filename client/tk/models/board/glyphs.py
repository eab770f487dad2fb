"""Dots and marks as pictures with smooth edges: a Tk canvas draws slants and curves in steps.

Each pixel is either opaque or not there. To draw one that shines through, Tk fetches what is under
the picture from the X server, which for a hundred dots takes longer than everything else; so the
rim is mixed beforehand with the ground that the picture is meant for.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable
from typing import Final

from client.tk.models.look import mix

_SHADES: Final = 32
"""How many shades a rim has."""


def dot(radius: float, colour: str, ground: str) -> bytes:
    """A PNG of a disc of `radius` pixels in `colour` for a `ground` (both ``#rrggbb``).

    As of all pictures here its sides are an odd number of pixels: its middle is that of one.
    """
    return _picture(radius, lambda x, y: math.hypot(x, y) - radius, colour, ground)


def mark(sign: str, reach: float, width: float, colour: str, ground: str) -> bytes | None:
    """A PNG of an X or O that reaches `reach` pixels to each side, with strokes `width` pixels
    wide, in `colour` for a `ground`; None: it is another sign."""
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
    """A shape of which `away` says how far outside (below zero: inside) a point is; it is the same
    to all four sides of its middle, and asked about one quarter only."""
    size = math.ceil(reach)
    # How much of a pixel is in the shape is near enough how far its middle is inside.
    shades = [b"\0\0\0\0"]
    for share in range(1, _SHADES + 1):
        mixed = mix(colour, ground, share / _SHADES)
        shades.append(bytes.fromhex(mixed[1:]) + b"\xff")
    quarter = [
        [shades[round(_SHADES * min(1.0, max(0.0, 0.5 - away(x, y))))] for x in range(size + 1)]
        for y in range(size + 1)
    ]
    # The 0 before each row says that it is not filtered.
    half = [b"\0" + b"".join(row[:0:-1]) + b"".join(row) for row in quarter]
    rows = b"".join(half[:0:-1]) + b"".join(half)
    side = 2 * size + 1
    header = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)  # 8 bits each of red to alpha
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
