"""Print the report of a game."""

from __future__ import annotations

from typing import Final

from rich.table import Table
from rich.text import Text

from doublecross.analysis.report import GameReport
from doublecross.cli.review.wording import (
    accuracy_text,
    cost_kind,
    cost_text,
    costly_text,
    turning_text,
    value_text,
)
from doublecross.cli.shared.console import out, say
from doublecross.games.record import Record
from doublecross.games.sentences import record_sentence

_STYLES: Final = {"great": "bold red", "clear": "red", "small": "yellow", "": ""}
"""Colours by what a move cost."""


def print_report(record: Record, report: GameReport) -> None:
    """Print a table of all moves, then the accuracy, the turning point and the costliest moves."""
    first, second = record.players
    say(f"{first} - {second}, {record.game.title} {record.game.size}")
    say(record_sentence(record))
    say()
    out().print(_table(record, report))
    say()
    for seat, player in enumerate(record.players):
        say(f"{player}: {accuracy_text(report.accuracy[seat])}")
    marked = "" if report.turning is None else " It is marked with *."
    say(turning_text(record, report) + marked)
    for seat, player in enumerate(record.players):
        worst = report.worst(seat)
        if worst is not None:
            say(f"The costliest move of {player}: {costly_text(record, worst)}")
    if not all(move.before.exact for move in report.moves):
        say("~ marks estimates; all other values are exact.")


def _table(record: Record, report: GameReport) -> Table:
    table = Table("", "player", "move", "best", "result", "cost", "why", box=None, pad_edge=False)
    for column in table.columns[4:6]:
        column.justify = "right"
    name = record.game.action_name
    for move in report.moves:
        best = () if move.judgement is None else move.judgement.best
        other = "" if move.action in best or not best else name(best[0])
        style = _STYLES[cost_kind(record.game, move)]
        mark = "*" if move.ply == report.turning else ""
        table.add_row(
            f"{move.ply + 1}{mark}",
            record.players[move.seat],
            Text(name(move.action), style),
            other,
            Text(value_text(record, move.after)),
            Text(cost_text(record.game, move), style),
            " ".join(map(str, move.phrases)),
        )
    return table
