"""Make the file of a picture from the record of a game."""

from __future__ import annotations

from typing import Final, Literal

from doublecross.games.colours import Theme
from doublecross.games.record import Record
from doublecross.server.pictures.card import draw_board, draw_words
from doublecross.server.pictures.drawing import GameDrawings
from doublecross.server.pictures.layout import MOST_WIDTH

Format = Literal["svg", "png", "gif", "webp"]

MEDIA: Final[dict[Format, str]] = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "gif": "image/gif",
    "webp": "image/webp",
}
"""The media type of each format."""
ANIMATED: Final[tuple[Format, ...]] = ("gif", "webp")
"""The formats that show a whole game, move by move."""
MOST_ANIMATED_WIDTH: Final = 720
"""The greatest width of an animation, in pixels: it has a frame for each move."""

_GAME_MS: Final = 40_000
"""How long the moves of a long game take in an animation, in milliseconds."""
_MOVE_MS: Final = (120, 400)
"""How long one move is shown, at least and at most."""
_FIRST_MS: Final = 1000
_LAST_MS: Final = 4000


def most_width(kind: Format) -> int:
    """Return the greatest width of a picture in this format, in pixels."""
    return MOST_ANIMATED_WIDTH if kind in ANIMATED else MOST_WIDTH


def make_picture(
    record: Record, kind: Format, *, ply: int | None, width: int, theme: Theme
) -> bytes:
    """Return the picture of a game after `ply` moves, None for all.

    An animation shows all positions up to that one.
    """
    drawings = GameDrawings(record, width, theme)
    last = drawings.plies if ply is None else ply
    if kind == "svg":
        from doublecross.server.pictures.svg import svg_text

        return svg_text(drawings.draw(last)).encode()
    from doublecross.server.pictures import raster

    if kind == "png":
        return raster.png(drawings.draw(last))
    write = raster.gif if kind == "gif" else raster.webp
    return write(list(drawings.draw_all(0, last)), times_ms(last))


def make_card(record: Record, title: str, text: str, *, swaps: bool = False) -> bytes:
    """Return a PNG with a title and a text beside the last position of a game.

    See `GameDrawings` about `swaps`.
    """
    from doublecross.server.pictures import raster

    words, (board, part) = draw_words(title, text), draw_board(record, swaps=swaps)
    return raster.png_of_card(words, board, part)


def times_ms(plies: int) -> list[int]:
    """Return how long an animation shows the start and each of `plies` moves, in milliseconds."""
    least, most = _MOVE_MS
    # GIF counts in hundredths of a second.
    each = max(least, min(most, _GAME_MS // max(1, plies) // 10 * 10))
    return [_FIRST_MS, *[each] * (plies - 1), _LAST_MS] if plies else [_LAST_MS]
