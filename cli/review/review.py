"""Say what each move of a game cost, where the game turned, and why: `doublecross review`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from doublecross.cli.shared.console import Problem, say
from doublecross.cli.shared.files import check_file
from doublecross.cli.shared.options import AsJson, NthGame
from doublecross.cli.shared.records import read_records

if TYPE_CHECKING:
    from doublecross.analysis.report import GameReport
    from doublecross.games.record import Record


def review(
    file: Annotated[Path, typer.Argument(help="A file of records.", show_default=False)],
    game: NthGame = 1,
    as_json: AsJson = False,
    as_html: Annotated[
        bool, typer.Option("--html", help="Write a page that shows the costly moves on boards.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            help="The file for the page, instead of the name of FILE with the ending .html.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Say what each move of a game cost, where the game turned, and why.

    In Dots and Boxes, all values are exact late in the game, and a cost is certain. Before that
    they are estimates of the network of the bot zero, marked with ~. Games of tic-tac-toe, Nim and
    Connect Four can be reviewed on boards that are small enough to be solved.

    Example: doublecross review games.txt --game 3 --html
    """
    if as_json and as_html:
        raise Problem("Choose one of --json and --html.")
    if output is not None and not as_html:
        raise Problem("--output names the file for --html; add --html.")
    record = chosen_record(file, game)
    page = (output or file.with_suffix(".html")) if as_html else None
    if page is not None:
        if page.resolve() == file.resolve():
            raise Problem(f"The page would replace {file}; name another file with --output.")
        check_file(page)
    report = _report(record)
    if as_json:
        from doublecross.analysis.as_json import report_to_json

        say(json.dumps(report_to_json(report, record.termination, record.winner)))
    elif page is not None:
        from doublecross.cli.review.page import write_page

        write_page(page, record, report)
    else:
        from doublecross.cli.review.show import print_report

        print_report(record, report)


def chosen_record(file: Path, number: int) -> Record:
    """Return the game with this number, from 1, which must have moves."""
    record = read_records(file).record(number)
    if not record.moves:
        raise Problem(f"Game {number} has no moves, so there is nothing to review.")
    return record


def _report(record: Record) -> GameReport:
    """Judge all moves, and show how far that is."""
    from doublecross.bots.judging.limits import JudgeError
    from doublecross.bots.judging.making import make_review
    from doublecross.cli.review.progress import judging

    actions = [move.action for move in record.moves]
    try:
        with judging(len(actions)) as progress:
            return make_review(record.game, record.opening, actions, progress)
    except JudgeError as error:
        raise Problem(str(error)) from None
