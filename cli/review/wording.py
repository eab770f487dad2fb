"""Put the values and costs of reviews into words, for games with scores and without."""

from __future__ import annotations

from typing import Final

from doublecross.analysis.judgement import Estimate
from doublecross.analysis.report import GameReport, MoveReport
from doublecross.analysis.verdict import price
from doublecross.games.api import Game
from doublecross.games.record import Record

COSTS: Final = ((3.0, "great"), (1.0, "clear"), (0.5, "small"))
"""Names for costs, by the boxes that a move cost at least; the greatest first."""
RESULT_COSTS: Final = ((1.0, "great"), (0.5, "clear"))
"""The same where games are only won, drawn or lost: a win became a loss, or half of that."""


def value_text(record: Record, value: Estimate) -> str:
    """Return the score that best play leads to, or the result in games without scores."""
    if not record.game.unit:
        winner = value.winner()
        assert winner is not None, "values of games without scores are exact"
        return {1: f"{record.players[0]} wins", -1: f"{record.players[1]} wins"}.get(winner, "draw")
    cells = len(record.game.initial_state().owners())
    first = (cells + value.mean) / 2
    if value.exact:
        return f"{first:.0f}:{cells - first:.0f}"
    return f"~{first:.1f}:{cells - first:.1f}"


def cost_text(game: Game, move: MoveReport) -> str:
    """Return what a move cost, such as ``2`` or ``the win``; nothing if it is not even probable."""
    if move.cost.sure and move.before.exact and move.after.exact:
        return f"{move.cost.boxes:.0f}" if game.unit else str(price(game, move))
    return f"~{move.cost.boxes:.1f}" if move.cost.boxes >= 0.5 else ""


def cost_kind(game: Game, move: MoveReport) -> str:
    """Return the name of the cost of a move in `COSTS`; nothing if the cost is not certain."""
    steps = COSTS if game.unit else RESULT_COSTS
    if not move.cost.sure:
        return ""
    return next((kind for least, kind in steps if move.cost.boxes >= least), "")


def turning_text(record: Record, report: GameReport) -> str:
    """Say which move is the turning point."""
    if report.turning is None:
        return "The game had no turning point that can be named."
    move = report.moves[report.turning]
    name = record.game.action_name(move.action)
    surely = "" if report.turning_sure else ", as far as estimates can tell"
    return (
        f"The turning point is move {move.ply + 1} ({name}) of {record.players[move.seat]}: after"
        f" it the result could not be saved{surely}."
    )


def accuracy_text(percent: float | None) -> str:
    """Return the accuracy of a player."""
    return "no choice in any move" if percent is None else f"{percent:.0f}%"


def costly_text(record: Record, move: MoveReport) -> str:
    """Say what a costly move cost, and which one was better."""
    about = "" if move.judgement is not None and move.judgement.exact else "about "
    name = record.game.action_name
    better = "" if move.judgement is None else f" Better: {name(move.judgement.best[0])}."
    cost = price(record.game, move)
    return f"move {move.ply + 1} ({name(move.action)}), {about}{cost}.{better}"
