"""Define the colours of pages and plots, light and dark.

The series are those of Okabe and Ito (2008), made lighter or darker so that each stands out from
its ground; a plot tells them apart by markers too. Heat runs from vermilion over the ground to
blue, which people with any of the common kinds of colour blindness tell apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FONTS: Final = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'
SERIES: Final = 8

PALETTE: Final[Mapping[str, tuple[str, str]]] = {
    "ground": ("#fafafa", "#1c1c1c"),
    "card": ("#ffffff", "#262626"),
    "ink": ("#1c1c1c", "#f2f2f2"),
    "dim": ("#5f5f5f", "#a9a9a9"),
    "rule": ("#dedede", "#3d3d3d"),
    "accent": ("#1d5bbf", "#86b6ff"),
    "warning": ("#8a4b00", "#ffc37a"),
    "shade": ("#b4b4b4", "#5c5c5c"),
    "lost": ("#d9722e", "#e07b3a"),
    "half-lost": ("#f0b78f", "#8f5634"),
    "even": ("#d4d4d4", "#5a5a5a"),
    "half-won": ("#93bfe6", "#3f668c"),
    "won": ("#2f78bd", "#5aa5ea"),
    "series-0": ("#0069a6", "#56b4e9"),
    "series-1": ("#c95800", "#ffa04d"),
    "series-2": ("#00805e", "#3fcf9f"),
    "series-3": ("#a83f7d", "#e893c4"),
    "series-4": ("#8a6d00", "#f0e442"),
    "series-5": ("#2b8fc4", "#9ad1f5"),
    "series-6": ("#5b4bb3", "#b3a6ff"),
    "series-7": ("#444444", "#d0d0d0"),
}
"""The colours by name, each for a light and a dark page."""


def colours(palette: Mapping[str, tuple[str, str]] = PALETTE) -> str:
    """Return fonts and colours as CSS variables, light or dark as the reader prefers."""
    light, dark = (
        "".join(f"--{name}:{pair[dark]};" for name, pair in palette.items()) for dark in (0, 1)
    )
    return (
        f":root{{--fonts:{FONTS};{light}}}\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    )
