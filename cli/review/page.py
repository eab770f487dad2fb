"""Build the page of a review, and write it.

The same report gives the same bytes. `doublecross.cli.shared.report.markup` escapes every text, and
a policy in the page forbids scripts and other files besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from doublecross.analysis.report import GameReport, MoveReport
from doublecross.analysis.verdict import price
from doublecross.cli.review.curve import curve_svg
from doublecross.cli.review.style import sheet
from doublecross.cli.review.wording import (
    accuracy_text,
    cost_kind,
    cost_text,
    turning_text,
    value_text,
)
from doublecross.cli.shared.console import warn
from doublecross.cli.shared.files import write_file
from doublecross.cli.shared.report.markup import Html, cell, note, row_head, section, table, tag
from doublecross.cli.shared.tables import printable
from doublecross.games.record import Record
from doublecross.games.sentences import record_sentence
from doublecross.server.pictures.drawing import GameDrawings
from doublecross.server.pictures.svg import svg_text

MOST_BOARDS: Final = 24
"""The most boards on a page; the costliest moves have them."""
MOST_SHOWN: Final = 16
"""The most moves of a line that are written out."""
_BOARD_PX: Final = 340
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def write_page(path: Path, record: Record, report: GameReport) -> None:
    """Write the page and print its name.

    Raises:
        Problem: the file cannot be written.
    """
    write_file(path, [page(record, report)])
    warn(f"Wrote the review to {path}.")


def page(record: Record, report: GameReport) -> str:
    """Return the page."""
    title = f"{_name(record, 0)} - {_name(record, 1)}, {record.game.full_title}"
    parts = [
        tag(
            "header",
            tag("h1", f"{_name(record, 0)} – {_name(record, 1)}"),
            tag("p", f"{record.game.full_title} · {record_sentence(record)}", class_="about"),
        ),
        _tiles(record, report),
        _curve(record, report),
        *_boards(record, report),
        _moves(record, report),
        tag("footer", "Made by Doublecross"),
    ]
    head = (
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"Review: {title}"),
        tag("style", Html(sheet())),
    )
    body = tag("main", ("\n", [(part, "\n") for part in parts]))
    return f"<!DOCTYPE html>\n{tag('html', tag('head', head), tag('body', body), lang='en')}\n"


def _name(record: Record, seat: int) -> str:
    return printable(record.players[seat])


def _tiles(record: Record, report: GameReport) -> Html:
    def tile(name: str, value: str, more: str = "") -> Html:
        return tag("div", tag("dt", name), tag("dd", value, tag("small", more) if more else ""))

    tiles = [tile("Result", _result(record))]
    for seat in (0, 1):
        percent = report.accuracy[seat]
        value = "–" if percent is None else accuracy_text(percent)
        more = accuracy_text(None) if percent is None else "of best play"
        tiles.append(tile(f"Accuracy of {_name(record, seat)}", value, more))
    if report.turning is None:
        tiles.append(tile("Turning point", "–", "none that can be named"))
    else:
        move = report.moves[report.turning]
        about = _name(record, move.seat)
        if not report.turning_sure:
            about += ", as far as estimates can tell"
        action = record.game.action_name(move.action)
        tiles.append(tile("Turning point", f"move {move.ply + 1} ({action})", about))
    return tag("dl", tiles, class_="tiles")


def _result(record: Record) -> str:
    return {"1-0": "1 – 0", "0-1": "0 – 1", "1/2-1/2": "½ – ½"}.get(record.result, "not over")


def _curve(record: Record, report: GameReport) -> Html:
    words = [
        f"Up is good for {_name(record, 0)}, down for {_name(record, 1)}.",
        turning_text(record, report),
    ]
    if not all(move.before.exact for move in report.moves):
        words.append("The band shows the standard error of estimates; beyond it values are exact.")
    about = tag("p", printable(" ".join(words)), class_="note")
    return section("How the value went", tag("figure", curve_svg(record, report)), about)


def _boards(record: Record, report: GameReport) -> Iterator[Html]:
    costly = [move for move in report.moves if cost_kind(record.game, move)]
    if not costly:
        yield section("Costly moves", note("No move certainly cost anything."))
        return
    shown = sorted(costly, key=lambda move: -move.cost.net)[:MOST_BOARDS]
    shown.sort(key=lambda move: move.ply)
    drawings = {
        "in-light": GameDrawings(record, _BOARD_PX, "light"),
        "in-dark": GameDrawings(record, _BOARD_PX, "dark"),
    }
    figures = [_board(record, move, drawings) for move in shown]
    rest = len(costly) - len(shown)
    legend = tag(
        "p",
        tag("span", class_="key played"),
        "played ",
        tag("span", class_="key better"),
        "better",
        class_="note",
    )
    more = note(f"{rest} more cost less; the table has them.") if rest else ""
    yield section("Costly moves", tag("div", figures, class_="boards"), legend, more)


def _board(record: Record, move: MoveReport, drawings: dict[str, GameDrawings]) -> Html:
    judgement = move.judgement
    assert judgement is not None, "a move without a choice costs nothing"
    name = record.game.action_name
    boards = []
    for kind, drawing in drawings.items():
        shown = drawing.draw_better(move.ply + 1, judgement.best[0])
        boards.append(tag("div", Html(svg_text(shown)), class_=kind))
    about = "" if judgement.exact else "about "
    cost = f"{about}{price(record.game, move)}"
    lines = [
        tag(
            "p",
            f"Move {move.ply + 1}, {_name(record, move.seat)}: ",
            tag("strong", name(move.action)),
            " cost ",
            tag("span", cost, class_=f"cost {cost_kind(record.game, move)}"),
            ".",
        )
    ]
    said = " ".join(map(str, move.phrases))
    if said:
        lines.append(tag("p", said))
    lines.append(tag("p", "Better: ", _line(record, judgement.pv or judgement.best[:1])))
    if judgement.answer:
        answer = _line(record, judgement.answer)
        lines.append(tag("p", "Best play after it: ", answer, class_="note"))
    return tag("figure", boards, tag("figcaption", lines))


def _line(record: Record, line: tuple[int, ...]) -> Html:
    names = " ".join(record.game.action_name(action) for action in line[:MOST_SHOWN])
    first, _, rest = names.partition(" ")
    return tag("span", tag("strong", first), f" {rest}", " …" if len(line) > MOST_SHOWN else "")


def _moves(record: Record, report: GameReport) -> Html:
    head = [
        "",
        tag("th", "Player", scope="col", class_="left"),
        tag("th", "Move", scope="col", class_="left"),
        tag("th", "Best", scope="col", class_="left"),
        "Result",
        "Cost",
        tag("th", "Why", scope="col", class_="left"),
    ]
    rows = [_row(record, move, move.ply == report.turning) for move in report.moves]
    about = [
        "Result: what best play leads to after the move. Cost: how much less the player can get"
        " after the move than before it."
    ]
    if report.turning is not None:
        about.append("* marks the turning point.")
    if not all(move.before.exact for move in report.moves):
        about.append("~ marks estimates; all other values are exact.")
    return section("All moves", table("All moves", head, rows, "wide moves"), note(" ".join(about)))


def _row(record: Record, move: MoveReport, turned: bool) -> Iterator[Html]:
    name, kind = record.game.action_name, cost_kind(record.game, move)
    best = () if move.judgement is None else move.judgement.best
    yield row_head(f"{move.ply + 1}*" if turned else str(move.ply + 1))
    yield cell(_name(record, move.seat), class_="seat")
    yield cell(name(move.action), class_=f"left {kind}".strip())
    yield cell(name(best[0]) if best and move.action not in best else "", class_="left")
    yield cell(printable(value_text(record, move.after)))
    yield cell(cost_text(record.game, move), class_=kind or None)
    yield cell(" ".join(map(str, move.phrases)), class_="why")
