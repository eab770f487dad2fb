"""Define the colours of the window: light or dark, with a palette for the two seats."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from doublecross.client.language import tr


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of the two seats in the light and the dark theme.

    `strokes` are for edges, marks and names, `fills` for captured cells.
    """

    title: str
    strokes: tuple[str, str]
    fills: tuple[str, str]
    dark_strokes: tuple[str, str]
    dark_fills: tuple[str, str]


PALETTES: Final[dict[str, Palette]] = {
    "classic": Palette(
        tr("Red and blue"),
        ("#c8372d", "#2563c4"),
        ("#f6c9c4", "#c6d8f7"),
        ("#ff7b6e", "#6ea8ff"),
        ("#6b2b27", "#24406e"),
    ),
    # Vermilion and blue of Okabe and Ito (2008), which people with any of the common kinds of
    # colour blindness can tell apart. The strokes are a little darker than theirs, so that text
    # stays readable, and the other tones are mixed from them. The fills differ in lightness too.
    "colour-blind": Palette(
        tr("Orange and blue (colour-blind safe)"),
        ("#c95800", "#0069a6"),
        ("#fbdcb4", "#a9d3ee"),
        ("#ffa04d", "#56b4e9"),
        ("#7a4410", "#0f3a58"),
    ),
}


@dataclass(frozen=True, slots=True)
class Colours:
    """All colours in use, as ``#rrggbb``. `strokes` and `fills` are by seat.

    `swapped` says that the seats have exchanged their colours; see `for_match`.

    `window` is the background of the theme, `board` the background of a board, `frame` the border
    around it, and `dim` the colour of secondary text. The overlay uses `chain`, `loop` and
    `capturable`, and `feature` for all other features.
    `costs` are for mistakes, small ones first, and `on_costs` for text on them: they differ in
    lightness, and from the colours of the seats. `expected` is for the expected score.
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
    costs: tuple[str, str, str]
    on_costs: tuple[str, str, str]
    expected: str
    text: str
    dim: str
    warning: str
    banner: str
    banner_text: str
    window: str
    swapped: bool = False

    def for_match(self, match: int) -> Colours:
        """Return the colours for a match of a room, in which the players keep theirs.

        The players swap seats before each rematch, so the seats swap colours.
        """
        if match % 2 or self.swapped:
            return self
        return replace(self, strokes=self.strokes[::-1], fills=self.fills[::-1], swapped=True)

    def seat_style(self, kind: str, seat: int) -> str:
        """Return the style of the labels of `kind` (``Seat`` or ``Score``) for a seat."""
        return f"{kind}{1 - seat if self.swapped else seat}.TLabel"

    @property
    def tray(self) -> str:
        """The colour around the holes for discs: blue mixed with the board's colour."""
        return mix("#4a6fa5", self.board, 0.42)

    @property
    def object(self) -> str:
        """The colour of an object that no player has taken."""
        return mix(self.neutral, self.board, 0.7)

    def of_feature(self, kind: str) -> str:
        """Return the colour for a feature of this kind."""
        known = {"chain": self.chain, "long-chain": self.chain, "loop": self.loop}
        return {**known, "capturable": self.capturable}.get(kind, self.feature)


def make_colours(palette: str, *, dark: bool) -> Colours:
    """Return the colours for a palette; an unknown name gives the classic one."""
    chosen = PALETTES.get(palette, PALETTES["classic"])
    if dark:
        return Colours(
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
            costs=("#58406a", "#9a63bd", "#e3b0ff"),
            on_costs=("#ffffff", "#000000", "#000000"),
            expected="#f0f0f0",
            text="#fafafa",
            dim="#a0a0a0",
            warning="#ff8a80",
            banner="#5c4400",
            banner_text="#ffe9b0",
            window="#1c1c1c",
        )
    return Colours(
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
        costs=("#ecdcf6", "#a55fc9", "#5d1482"),
        on_costs=("#1c1c1c", "#000000", "#ffffff"),
        expected="#1c1c1c",
        text="#1c1c1c",
        dim="#6a6a6a",
        warning="#c62828",
        banner="#fff3cd",
        banner_text="#5c4400",
        window="#fafafa",
    )


def mix(colour: str, ground: str, share: float) -> str:
    """Return `colour` at opacity `share`, from 0 to 1, over `ground`, all as ``#rrggbb``.

    A Tk canvas has no transparency, so the mixed colour replaces it.
    """
    parts = (
        round(int(colour[at : at + 2], 16) * share + int(ground[at : at + 2], 16) * (1 - share))
        for at in (1, 3, 5)
    )
    return "#{:02x}{:02x}{:02x}".format(*parts)
