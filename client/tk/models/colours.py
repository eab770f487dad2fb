"""Choose the colours of the window: light or dark, with a palette for the two seats."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Final

from doublecross.client.language import tr
from doublecross.games import colours

PALETTES: Final[dict[str, tuple[colours.Palette, str]]] = {
    "classic": ("classic", tr("Red and blue")),
    "colour-blind": ("safe", tr("Orange and blue")),
    "contrast": ("safe", tr("High contrast")),
}
"""The palettes, by the names in the settings: which colours they are, and their titles."""


@dataclass(frozen=True, slots=True)
class Colours(colours.Colours):
    """All colours in use. `strokes` and `fills` are by seat.

    `swapped` says that the seats have exchanged their colours; see `for_match`. `costs` are for
    mistakes, small ones first, and `on_costs` for text on them: they differ in lightness, and from
    the colours of the seats.
    """

    dark: bool = False
    swapped: bool = False
    costs: tuple[str, str, str] = ("#ecdcf6", "#a55fc9", "#5d1482")
    on_costs: tuple[str, str, str] = ("#1c1c1c", "#000000", "#ffffff")

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


def make_colours(palette: str, *, dark: bool) -> Colours:
    """Return the colours for a palette; an unknown name gives the classic one.

    High contrast is on black, whether `dark` or not.
    """
    seats = PALETTES.get(palette, PALETTES["classic"])[0]
    theme: colours.Theme = "dark" if dark else "light"
    chosen = asdict(colours.colours_of(seats, "contrast" if palette == "contrast" else theme))
    if not dark and palette != "contrast":
        return Colours(**chosen)
    costs = ("#58406a", "#9a63bd", "#e3b0ff")
    return Colours(**chosen, dark=True, costs=costs, on_costs=("#ffffff", "#000000", "#000000"))
