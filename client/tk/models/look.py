"""Colours: light or dark, and the two players' palette."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of the two seats, by light and dark: `strokes` of edges, marks and names,
    `fills` of captured cells."""

    title: str
    strokes: tuple[str, str]
    fills: tuple[str, str]
    dark_strokes: tuple[str, str]
    dark_fills: tuple[str, str]


PALETTES: Final[dict[str, Palette]] = {
    "classic": Palette(
        "Red and blue",
        ("#c8372d", "#2563c4"),
        ("#f6c9c4", "#c6d8f7"),
        ("#ff7b6e", "#6ea8ff"),
        ("#6b2b27", "#24406e"),
    ),
    # Vermilion and blue of Okabe and Ito (2008), which people with any of the common kinds of
    # colour blindness tell apart, a little darker so that letters can be read; the other tones
    # are mixed from them. The fills differ in lightness too.
    "colour-blind": Palette(
        "Orange and blue (colour-blind safe)",
        ("#c95800", "#0069a6"),
        ("#fbdcb4", "#a9d3ee"),
        ("#ffa04d", "#56b4e9"),
        ("#7a4410", "#0f3a58"),
    ),
}


@dataclass(frozen=True, slots=True)
class Look:
    """All colours in use. `strokes` and `fills` are by seat.

    `window` is the background of the theme, `board` that of a board, `frame` the line around it;
    `dim` is text of less weight. `chain`, `loop` and `capturable` are what an overlay points out,
    `feature` anything else.
    """

    dark: bool
    strokes: tuple[str, str]
    fills: tuple[str, str]
    board: str
    frame: str
    dot: str
    free: str
    hover: str
    neutral: str
    last: str
    focus: str
    hint: str
    chain: str
    loop: str
    capturable: str
    feature: str
    text: str
    dim: str
    warning: str
    banner: str
    banner_text: str
    window: str

    @property
    def tray(self) -> str:
        """The board around holes for discs: bluish, between the board and its text."""
        return mix("#4a6fa5", self.board, 0.42)

    @property
    def object(self) -> str:
        """An object that nobody has taken."""
        return mix(self.neutral, self.board, 0.7)

    def of_feature(self, kind: str) -> str:
        """The colour of a feature of this kind."""
        known = {"chain": self.chain, "loop": self.loop, "capturable": self.capturable}
        return known.get(kind, self.feature)


def make_look(palette: str, *, dark: bool) -> Look:
    """The look of a palette (an unknown one: the first)."""
    chosen = PALETTES.get(palette, PALETTES["classic"])
    if dark:
        return Look(
            dark=True,
            strokes=chosen.dark_strokes,
            fills=chosen.dark_fills,
            board="#272727",
            frame="#383838",
            dot="#e4e4e4",
            free="#434343",
            hover="#8a8a8a",
            neutral="#b0b0b0",
            last="#ffd75e",
            focus="#ffffff",
            hint="#59d98c",
            chain="#c39bff",
            loop="#ff8ed0",
            capturable="#59d98c",
            feature="#c8c8c8",
            text="#fafafa",
            dim="#a0a0a0",
            warning="#ff8a80",
            banner="#5c4400",
            banner_text="#ffe9b0",
            window="#1c1c1c",
        )
    return Look(
        dark=False,
        strokes=chosen.strokes,
        fills=chosen.fills,
        board="#ffffff",
        frame="#e3e3e3",
        dot="#2b2b2b",
        free="#dcdcdc",
        hover="#9a9a9a",
        neutral="#6f6f6f",
        last="#f5b301",
        focus="#111111",
        hint="#1e9e57",
        chain="#7a3fd0",
        loop="#c2187f",
        capturable="#178048",
        feature="#5a5a5a",
        text="#1c1c1c",
        dim="#6a6a6a",
        warning="#c62828",
        banner="#fff3cd",
        banner_text="#5c4400",
        window="#fafafa",
    )


def mix(colour: str, ground: str, share: float) -> str:
    """`share` of `colour`, from 0 to 1, and the rest of `ground`: what a canvas, which knows
    nothing of transparency, shows in its place. All are ``#rrggbb``."""
    parts = (
        round(int(colour[at : at + 2], 16) * share + int(ground[at : at + 2], 16) * (1 - share))
        for at in (1, 3, 5)
    )
    return "#{:02x}{:02x}{:02x}".format(*parts)
