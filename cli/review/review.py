"""`doublecross review`: says what each move of a game cost, where the game turned, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.analysis.analyse import need_engines
from cli.shared.console import Problem, say
from cli.watch.replay import read_records

if TYPE_CHECKING:
    from analysis.report import GameReport
    from games.record import Record


def review(
    file: Annotated[Path, typer.Argument(help="A file of records.", show_default=False)],
    game: Annotated[int, typer.Option(min=1, help="Which game of the file, from 1.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say what each move of a game of Dots and Boxes cost, where the game turned, and why.

    Late in the game all values are exact, and a cost is certain. Before that they are estimates of
    the network of the bot zero, marked with ~.

    Example: doublecross review games.txt --game 3
    """
    record = chosen_record(file, game)
    need_engines(network=True)
    report = _report(record)
    if as_json:
        from analysis.as_json import report_to_json

        say(json.dumps(report_to_json(report)))
        return
    from cli.review.show import print_report

    print_report(record, report)


def chosen_record(file: Path, number: int) -> Record:
    """Return the game with this number, from 1, which must be one that can be reviewed."""
    from games.dots_and_boxes.rules import DotsAndBoxes

    records = read_records(file, number)
    record = records[number - 1]
    if not isinstance(record.game, DotsAndBoxes):
        raise Problem(
            f"Game {number} is {record.game.title}. Only games of Dots and Boxes can be reviewed."
        )
    if not record.moves:
        raise Problem(f"Game {number} has no moves, so there is nothing to review.")
    return record


def _report(record: Record) -> GameReport:
    """Judge all moves, and show how far that is."""
    from analysis.report import make_report
    from cli.review.judge import judge_for
    from cli.review.progress import judging

    actions = [move.action for move in record.moves]
    with judging(len(actions)) as progress:
        return make_report(record.game, record.opening, actions, judge_for(record.game), progress)
