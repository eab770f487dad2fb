"""The colours of pictures: those of the window, light or dark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Theme = Literal["light", "dark"]


@dataclass(frozen=True, slots=True)
class Colours:
    """All colours of a picture, as ``#rrggbb``. `strokes` and `fills` are by seat."""

    ground: str
    board: str
    frame: str
    text: str
    dim: str
    dot: str
    free: str
    neutral: str
    last: str
    better: str
    """A move that would have been better."""
    strokes: tuple[str, str]
    fills: tuple[str, str]

    @property
    def tray(self) -> str:
        """The colour around the holes for discs."""
        return mix("#4a6fa5", self.board, 0.42)

    @property
    def object(self) -> str:
        """The colour of an object that no player has taken."""
        return mix(self.neutral, self.board, 0.7)

    @property
    def shown(self) -> str:
        """The background of a cell that the last move changed."""
        return mix(self.last, self.board, 0.22)


COLOURS: Final[dict[Theme, Colours]] = {
    "light": Colours(
        ground="#fafafa",
        board="#ffffff",
        frame="#e3e3e3",
        text="#1c1c1c",
        dim="#6a6a6a",
        dot="#2b2b2b",
        free="#dcdcdc",
        neutral="#6f6f6f",
        last="#f5b301",
        better="#1d8a4e",
        strokes=("#c8372d", "#2563c4"),
        fills=("#f6c9c4", "#c6d8f7"),
    ),
    "dark": Colours(
        ground="#1c1c1c",
        board="#272727",
        frame="#383838",
        text="#fafafa",
        dim="#a0a0a0",
        dot="#e4e4e4",
        free="#434343",
        neutral="#b0b0b0",
        last="#ffd75e",
        better="#52d68a",
        strokes=("#ff7b6e", "#6ea8ff"),
        fills=("#6b2b27", "#24406e"),
    ),
}


def mix(colour: str, ground: str, share: float) -> str:
    """Return `colour` at opacity `share`, from 0 to 1, over `ground`, all as ``#rrggbb``."""
    parts = (
        round(int(colour[at : at + 2], 16) * share + int(ground[at : at + 2], 16) * (1 - share))
        for at in (1, 3, 5)
    )
    return "#{:02x}{:02x}{:02x}".format(*parts)
