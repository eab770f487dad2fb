"""Print the report of a game."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from analysis.judgement import Estimate
from analysis.report import GameReport, MoveReport
from cli.shared.console import out, say
from games.record import Record
from games.sentences import record_sentence

_STYLES = ((3, "bold red"), (1, "red"), (0.5, "yellow"))
"""Colours by the boxes that a move cost at least, the costliest first."""


def print_report(record: Record, report: GameReport) -> None:
    """Print a table of all moves, then the accuracy, the turning point and the costliest moves."""
    first, second = record.players
    say(f"{first} - {second}, {record.game.title} {record.game.size}")
    say(record_sentence(record))
    say()
    out().print(_table(record, report))
    say()
    for seat, player in enumerate(record.players):
        percent = report.accuracy[seat]
        say(f"{player}: " + ("no choice in any move" if percent is None else f"{percent:.0f}%"))
    say(_turning(record, report))
    for seat, player in enumerate(record.players):
        worst = report.worst(seat)
        if worst is not None:
            say(f"The costliest move of {player}: {_costly(record, worst)}")
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
        style = next((look for least, look in _STYLES if move.cost.boxes >= least), "")
        mark = "*" if move.ply == report.turning else ""
        table.add_row(
            f"{move.ply + 1}{mark}",
            record.players[move.seat],
            Text(name(move.action), style if move.cost.sure else ""),
            other,
            _score(record, move.after),
            Text(_boxes(move), style if move.cost.sure else ""),
            " ".join(map(str, move.phrases)),
        )
    return table


def _score(record: Record, value: Estimate) -> str:
    """Return the score that best play leads to."""
    boxes = len(record.game.initial_state().owners())
    first = (boxes + value.mean) / 2
    if value.exact:
        return f"{first:.0f}:{boxes - first:.0f}"
    return f"~{first:.1f}:{boxes - first:.1f}"


def _boxes(move: MoveReport) -> str:
    """Return how many boxes a move cost; nothing if that is not even probable."""
    if move.cost.sure and move.before.exact and move.after.exact:
        return f"{move.cost.boxes:.0f}" if move.cost.net else ""
    return f"~{move.cost.boxes:.1f}" if move.cost.boxes >= 0.5 else ""


def _turning(record: Record, report: GameReport) -> str:
    if report.turning is None:
        return "The game had no turning point that can be named."
    move = report.moves[report.turning]
    name = record.game.action_name(move.action)
    surely = "" if report.turning_sure else ", as far as estimates can tell"
    return (
        f"The turning point is move {move.ply + 1} ({name}) of {record.players[move.seat]}: after"
        f" it the result could not be saved{surely}. It is marked with *."
    )


def _costly(record: Record, move: MoveReport) -> str:
    boxes = round(move.cost.boxes)
    unit = "box" if boxes == 1 else "boxes"
    about = "" if move.judgement is not None and move.judgement.exact else "about "
    name = record.game.action_name
    best = "" if move.judgement is None else f" Better: {name(move.judgement.best[0])}."
    return f"move {move.ply + 1} ({name(move.action)}), {about}{boxes} {unit}.{best}"
