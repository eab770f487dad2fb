"""Check that colours can be told apart, in light and dark themes and with colour blindness."""

from __future__ import annotations

import math
import re
from dataclasses import fields

import pytest

from doublecross.games.colours import (
    PALETTES,
    THEMES,
    Colours,
    Palette,
    Theme,
    colours_of,
    mix,
)

ALL = [(palette, theme) for palette in PALETTES for theme in THEMES]

# Machado, Oliveira and Fernandes (2009), severity 1.0, for linear light.
SEEN_BY = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(colour: str) -> list[float]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2, from 1 to 21."""
    first, second = (
        0.2126 * red + 0.7152 * green + 0.0722 * blue
        for red, green, blue in (linear(one), linear(other))
    )
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)


def difference(one: str, other: str, eyes: str) -> float:
    """Return how different two colours look: their distance in CIELAB (CIE 1976)."""
    return math.dist(lab(one, eyes), lab(other, eyes))


def lab(colour: str, eyes: str) -> tuple[float, float, float]:
    light = linear(colour)
    red, green, blue = (
        min(1.0, max(0.0, sum(w * part for w, part in zip(row, light, strict=True))))
        for row in SEEN_BY[eyes]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (
        t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize(("palette", "theme"), ALL)
def test_every_colour_is_a_valid_hex_colour(palette: Palette, theme: Theme) -> None:
    colours = colours_of(palette, theme)
    for each in fields(Colours):
        value = getattr(colours, each.name)
        for colour in value if isinstance(value, tuple) else (value,):
            assert re.fullmatch(r"#[0-9a-f]{6}", colour), each.name


@pytest.mark.parametrize(("palette", "theme"), ALL)
def test_text_can_be_read(palette: Palette, theme: Theme) -> None:
    colours = colours_of(palette, theme)
    assert contrast(colours.text, colours.ground) > 7
    for colour in (colours.muted, colours.bad, colours.good, colours.clear, colours.small):
        assert contrast(colour, colours.ground) >= 4.5
        assert contrast(colour, colours.surface) >= 4.5
    for name in ("good", "bad", "clear", "small"):
        assert contrast(getattr(colours, name), getattr(colours, f"{name}_soft")) >= 4.5
    assert contrast(colours.accent_text, colours.accent) >= 4.5
    assert contrast(colours.accent, colours.accent_soft) >= 4.5
    assert contrast(colours.banner_text, colours.banner) >= 4.5
    for seat in (0, 1):
        # Names are in the colour of their seat. Initials are too, and they are large.
        assert contrast(colours.strokes[seat], colours.ground) >= 4
        assert contrast(colours.strokes[seat], colours.fills[seat]) >= 3
        # A winning line: discs and the tray against its background, signs against the board.
        line = mix(colours.text, colours.tray, 0.9)
        assert contrast(line, colours.tray) >= 4.5
        assert contrast(colours.strokes[seat], line) >= 1.5
        assert contrast(colours.strokes[seat], colours.board) >= 3
    for kind in ("chain", "loop", "capturable", "anything"):
        assert contrast(colours.of_feature(kind), colours.board) >= 4.5


@pytest.mark.parametrize(("palette", "theme"), ALL)
def test_drawn_things_stand_out_from_the_board(palette: Palette, theme: Theme) -> None:
    colours = colours_of(palette, theme)
    for colour in (*colours.strokes, colours.neutral, colours.dot, colours.focus, colours.hint):
        assert contrast(colour, colours.board) >= 3
    # A free place is visible and looks free.
    assert 1.25 < contrast(colours.free, colours.board) < (3 if theme == "contrast" else 2)
    for colour in (*colours.strokes, colours.neutral):
        assert difference(colour, colours.free, "everybody") > 30
    for stroke in colours.strokes:
        assert difference(stroke, colours.last, "everybody") > 20
        assert difference(stroke, colours.neutral, "everybody") > 30


@pytest.mark.parametrize(("palette", "theme"), ALL)
@pytest.mark.parametrize("eyes", list(SEEN_BY))
def test_the_seats_differ_for_every_colour_vision(
    eyes: str, palette: Palette, theme: Theme
) -> None:
    colours = colours_of(palette, theme)
    assert difference(*colours.strokes, eyes) > 50
    assert difference(*colours.fills, eyes) > 25


@pytest.mark.parametrize(("palette", "theme"), ALL)
def test_the_overlays_kinds_differ(palette: Palette, theme: Theme) -> None:
    colours = colours_of(palette, theme)
    kinds = [colours.of_feature(kind) for kind in ("chain", "loop", "capturable")]
    for number, kind in enumerate(kinds):
        for other in kinds[number + 1 :]:
            assert difference(kind, other, "everybody") > 30


def test_colours_mix() -> None:
    assert mix("#ff0010", "#000000", 1) == "#ff0010"
    assert mix("#ff0010", "#00ff00", 0) == "#00ff00"
    assert mix("#ffffff", "#000000", 0.5) == "#808080"
