"""Build the page of a review, and write it. The same report gives the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from doublecross.analysis.report import GameReport
from doublecross.analysis.verdict import price
from doublecross.cli.review import wording
from doublecross.cli.review.curve import curve_svg
from doublecross.cli.shared.console import warn
from doublecross.cli.shared.files import write_file
from doublecross.cli.shared.report.style import PALETTE, colours
from doublecross.cli.shared.report.templates import render
from doublecross.games.colours import CLASSIC
from doublecross.games.record import Record
from doublecross.games.sentences import record_sentence
from doublecross.server.pictures.drawing import GameDrawings
from doublecross.server.pictures.svg import svg_text

MOST_BOARDS: Final = 24
"""The most boards on a page; the costliest moves have them."""
_BOARD_PX: Final = 340
_LIGHT, _DARK = CLASSIC["light"], CLASSIC["dark"]
_PALETTE: Final[Mapping[str, tuple[str, str]]] = {
    **PALETTE,
    # The colours of costs; each is readable on the cards of the page.
    "great": (_LIGHT.bad, _DARK.bad),
    "clear": (_LIGHT.clear, _DARK.clear),
    "small": (_LIGHT.small, _DARK.small),
    "better": (_LIGHT.hint, _DARK.hint),
    "last": (_LIGHT.last, _DARK.last),
    "seat-0": (_LIGHT.strokes[0], _DARK.strokes[0]),
    "seat-1": (_LIGHT.strokes[1], _DARK.strokes[1]),
}


def write_page(path: Path, record: Record, report: GameReport) -> None:
    """Write the page and print its name.

    Raises:
        Problem: the file cannot be written.
    """
    write_file(path, [page(record, report)])
    warn(f"Wrote the review to {path}.")


def page(record: Record, report: GameReport) -> str:
    """Return the page."""
    drawings = {theme: GameDrawings(record, _BOARD_PX, theme) for theme in CLASSIC}
    costly = [move for move in report.moves if wording.cost_kind(record.game, move)]
    boards = []
    for move in sorted(costly, key=lambda move: -move.cost.net)[:MOST_BOARDS]:
        assert move.judgement is not None, "a move without a choice costs nothing"
        ply, best = move.ply + 1, move.judgement.best[0]
        boards.append((move, {t: svg_text(d.draw_better(ply, best)) for t, d in drawings.items()}))
    return render(
        "review.html",
        colours=colours(_PALETTE),
        record=record,
        report=report,
        sentence=record_sentence(record),
        wording=wording,
        price=price,
        curve=curve_svg(record, report),
        boards=sorted(boards, key=lambda board: board[0].ply),
        rest=len(costly) - len(boards),
        exact=all(move.before.exact for move in report.moves),
    )
