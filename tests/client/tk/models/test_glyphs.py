"""Check the pictures of dots and marks: covered and transparent pixels."""

from __future__ import annotations

import math
import struct
import zlib

import pytest

from doublecross.client.tk.models.board import glyphs

Pixels = list[list[tuple[int, int, int, int]]]


def read(png: bytes) -> Pixels:
    """Return the pixels of a PNG that the product makes, as red, green, blue, alpha."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(
            kind + body
        )
        chunks[kind] = body
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, depth, colour, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (depth, colour, rest) == (8, 6, [0, 0, 0])
    raw = zlib.decompress(chunks[b"IDAT"])
    assert len(raw) == height * (1 + 4 * width)
    rows = [raw[y * (1 + 4 * width) :][: 1 + 4 * width] for y in range(height)]
    assert all(row[0] == 0 for row in rows)
    return [
        [(row[i], row[i + 1], row[i + 2], row[i + 3]) for i in range(1, len(row), 4)]
        for row in rows
    ]


def ink(pixels: Pixels) -> float:
    """Return the covered area of a picture in blue on white, in pixels."""
    there = [pixel for row in pixels for pixel in row if pixel[3]]
    assert {alpha for *_, alpha in there} == {255}
    assert all(red == green and blue == 255 for red, green, blue, _ in there)
    return sum(1 - red / 255 for red, *_ in there)


@pytest.mark.parametrize("radius", [3.0, 4.4, 7.9, 12.5])
def test_a_dot_is_round_and_as_large_as_it_should_be(radius: float) -> None:
    pixels = read(glyphs.dot(radius, "#0000ff", "#ffffff"))
    side = len(pixels)
    assert side % 2 == 1
    assert all(len(row) == side for row in pixels)
    middle = side // 2
    assert pixels[middle][middle] == (0, 0, 255, 255)
    assert pixels[0][0][3] == 0
    assert ink(pixels) == pytest.approx(math.pi * radius**2, rel=0.02)
    assert pixels == pixels[::-1] == [row[::-1] for row in pixels]
    # The rim is a mixture of both colours.
    assert any(0 < red < 255 and alpha for row in pixels for red, _, _, alpha in row)


def test_an_o_is_a_ring() -> None:
    reach, width = 30.0, 8.0
    pixels = read(glyphs.mark("O", reach, width, "#0000ff", "#ffffff") or b"")
    middle = len(pixels) // 2
    assert pixels[middle][middle][3] == 0
    assert pixels[middle][middle + round(reach - width / 2)][3] == 255
    area = math.pi * (reach**2 - (reach - width) ** 2)
    assert ink(pixels) == pytest.approx(area, rel=0.02)


def test_an_x_is_two_slanting_strokes() -> None:
    reach, width = 30.0, 8.0
    pixels = read(glyphs.mark("X", reach, width, "#0000ff", "#ffffff") or b"")
    middle = len(pixels) // 2
    assert pixels[middle][middle][3] == 255
    assert pixels[middle + 20][middle - 20][3] == pixels[middle - 20][middle - 20][3] == 255
    assert pixels[middle][middle + 20][3] == 0
    length = 2 * math.sqrt(2) * (reach - width / 2)
    strokes = 2 * length * width + 2 * math.pi * (width / 2) ** 2
    assert ink(pixels) == pytest.approx(strokes - width**2, rel=0.02)


def test_other_signs_have_no_picture() -> None:
    assert glyphs.mark("B", 20, 5, "#000000", "#ffffff") is None
