"""The colours of the players, the board and what is around it, for all clients and pictures.

Each colour is named here and nowhere else. `python -m doublecross.client.stylesheet` writes the
page's `style/colours.css` from them; the window and the pictures use the classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Theme = Literal["light", "dark", "contrast"]
"""Paper, slate, and bright colours on black."""
Palette = Literal["classic", "safe"]


@dataclass(frozen=True, slots=True)
class Colours:
    """All colours of a theme with a palette, as ``#rrggbb``.

    `strokes` are for the edges, marks and names of seats 0 and 1, and `fills` for captured cells.
    `ground` is behind everything, `surface` behind a part of a page, `raised` behind something on
    it, and `board` behind a board. `muted` is secondary text, `line` divides, and `strong_line`
    bounds what one can change. `free` is an edge that nobody has drawn, `neutral` one whose player
    is not known, and `last` marks the latest move. The overlay uses `chain`, `loop` and
    `capturable`, and `feature` for everything else. The grades of a mistake are `bad`, `clear` and
    `small`.
    """

    strokes: tuple[str, str]
    fills: tuple[str, str]
    ground: str
    surface: str
    raised: str
    line: str
    strong_line: str
    text: str
    muted: str
    accent: str
    accent_hover: str
    accent_text: str
    accent_soft: str
    good: str
    good_soft: str
    bad: str
    bad_soft: str
    clear: str
    clear_soft: str
    small: str
    small_soft: str
    banner: str
    banner_text: str
    focus: str
    board: str
    frame: str
    dot: str
    free: str
    hover: str
    neutral: str
    last: str
    hint: str
    chain: str
    loop: str
    capturable: str
    feature: str
    heat: str

    @property
    def tray(self) -> str:
        """The colour around the holes for discs: blue mixed with the board's colour."""
        return mix("#4a6fa5", self.board, 0.42)

    @property
    def object(self) -> str:
        """The colour of an object that no player has taken."""
        return mix(self.neutral, self.board, 0.7)

    @property
    def shown(self) -> str:
        """The background of a cell that the last move changed."""
        return mix(self.last, self.board, 0.22)

    def of_feature(self, kind: str) -> str:
        """Return the colour for a feature of this kind."""
        known = {"chain": self.chain, "long-chain": self.chain, "loop": self.loop}
        return {**known, "capturable": self.capturable}.get(kind, self.feature)


THEMES: Final[dict[Theme, dict[str, str]]] = {
    "light": {
        "ground": "#f4f2ec",
        "surface": "#fbfaf6",
        "raised": "#ebe8df",
        "line": "#dcd8cd",
        "strong_line": "#89857a",
        "text": "#1e2221",
        "muted": "#5b5d57",
        "accent": "#0b6a5f",
        "accent_hover": "#07554c",
        "accent_text": "#ffffff",
        "accent_soft": "#d8ece6",
        "good": "#12703c",
        "good_soft": "#dcf0e0",
        "bad": "#bb2a22",
        "bad_soft": "#fbe3df",
        "clear": "#9a4a00",
        "clear_soft": "#fbe7d3",
        "small": "#6c580a",
        "small_soft": "#f6efce",
        "banner": "#fff1c4",
        "banner_text": "#5c4400",
        "focus": "#111111",
        "board": "#fffefa",
        "frame": "#e4e0d5",
        "dot": "#33383b",
        "free": "#dedad0",
        "hover": "#9b988e",
        "neutral": "#6f6e69",
        "last": "#f5b301",
        "hint": "#1b9150",
        "chain": "#7a3fd0",
        "loop": "#c2187f",
        "capturable": "#178048",
        "feature": "#5a5a5a",
        "heat": "#0b8793",
    },
    "dark": {
        "ground": "#14181b",
        "surface": "#1c2226",
        "raised": "#293136",
        "line": "#333c42",
        "strong_line": "#76828a",
        "text": "#f1f4f3",
        "muted": "#a7b1b4",
        "accent": "#5ed3c1",
        "accent_hover": "#86e2d4",
        "accent_text": "#06241f",
        "accent_soft": "#1b3a38",
        "good": "#6ddc98",
        "good_soft": "#17372a",
        "bad": "#ff8a80",
        "bad_soft": "#4a2322",
        "clear": "#ffb066",
        "clear_soft": "#4a3016",
        "small": "#e6cf62",
        "small_soft": "#3d3715",
        "banner": "#5c4400",
        "banner_text": "#ffe9b0",
        "focus": "#ffffff",
        "board": "#22292d",
        "frame": "#343d43",
        "dot": "#dfe4e5",
        "free": "#3f484e",
        "hover": "#8a949a",
        "neutral": "#aab2b6",
        "last": "#ffd75e",
        "hint": "#59d98c",
        "chain": "#c39bff",
        "loop": "#ff8ed0",
        "capturable": "#59d98c",
        "feature": "#c8c8c8",
        "heat": "#3fb8c4",
    },
    "contrast": {
        "ground": "#000000",
        "surface": "#000000",
        "raised": "#1f1f1f",
        "line": "#9a9a9a",
        "strong_line": "#ffffff",
        "text": "#ffffff",
        "muted": "#e2e2e2",
        "accent": "#4df0dc",
        "accent_hover": "#a4fff4",
        "accent_text": "#000000",
        "accent_soft": "#003d38",
        "good": "#7dffad",
        "good_soft": "#00331a",
        "bad": "#ffa199",
        "bad_soft": "#4d0b06",
        "clear": "#ffbe80",
        "clear_soft": "#402200",
        "small": "#ffe76b",
        "small_soft": "#332b00",
        "banner": "#ffe76b",
        "banner_text": "#000000",
        "focus": "#ffffff",
        "board": "#000000",
        "frame": "#ffffff",
        "dot": "#ffffff",
        "free": "#4a4a4a",
        "hover": "#c4c4c4",
        "neutral": "#d0d0d0",
        "last": "#ffe600",
        "hint": "#5dff9b",
        "chain": "#bf9bff",
        "loop": "#ff9fd0",
        "capturable": "#5dff9b",
        "feature": "#e6e6e6",
        "heat": "#4fd8e6",
    },
}
PALETTES: Final[dict[Palette, dict[Theme, tuple[tuple[str, str], tuple[str, str]]]]] = {
    "classic": {
        "light": (("#c8372d", "#2563c4"), ("#f8cdbf", "#bdd5fb")),
        "dark": (("#ff7b6e", "#6ea8ff"), ("#6b2b27", "#24406e")),
        "contrast": (("#ff8478", "#82b4ff"), ("#7d1d15", "#123f87")),
    },
    # Vermilion and blue of Okabe and Ito (2008). The strokes are a little darker than theirs, so
    # that text stays readable, and the other tones are mixed from them. The fills differ in
    # lightness too.
    "safe": {
        "light": (("#b34e00", "#0069a6"), ("#fbdcb4", "#a9d3ee")),
        "dark": (("#ffa04d", "#56b4e9"), ("#7a4410", "#0f3a58")),
        "contrast": (("#ffab5e", "#66c4ff"), ("#7d4300", "#003b66")),
    },
}
"""The strokes and fills of both seats. People with any common colour vision can tell them apart."""


def colours_of(palette: Palette, theme: Theme) -> Colours:
    """Return the colours of a theme with a palette."""
    strokes, fills = PALETTES[palette][theme]
    return Colours(strokes=strokes, fills=fills, **THEMES[theme])


CLASSIC: Final = {theme: colours_of("classic", theme) for theme in THEMES}
"""The usual colours, which pictures have."""


def mix(colour: str, ground: str, share: float) -> str:
    """Return `colour` at opacity `share`, from 0 to 1, over `ground`, all as ``#rrggbb``."""
    parts = (
        round(int(colour[at : at + 2], 16) * share + int(ground[at : at + 2], 16) * (1 - share))
        for at in (1, 3, 5)
    )
    return "#{:02x}{:02x}{:02x}".format(*parts)
