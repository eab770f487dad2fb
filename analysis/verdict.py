"""Say to a player after a game what to learn from it: the costliest move, or that none was found.

Only moves with exact values count as mistakes. A player is praised only if the game was played to
its end and all values are exact: a game that was given up may have been lost by that alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from doublecross.analysis.report import GameReport, MoveReport
from doublecross.analysis.sentences.rules import is_reason
from doublecross.analysis.sentences.templates import phrase
from doublecross.games.api import Game
from doublecross.games.api.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Verdict:
    """A game's summary for one player: its costliest move, if any cost something, and sentences."""

    move: MoveReport | None
    phrases: tuple[Sentence, ...]


def verdict(report: GameReport, seat: int, termination: str, winner: int | None) -> Verdict:
    """Return what a game teaches `seat`; there are no phrases if nothing is known.

    `termination` is that of the record, and `winner` the seat that won.
    """
    own = [move for move in report.moves if move.seat == seat]
    mistakes = [move for move in own if _exact(move) and move.cost.sure]
    worst = max(mistakes, key=lambda move: move.cost.net, default=None)
    said = () if worst is None else why_bad(report.game, worst)
    said += tuple(_given_up(report, seat, termination, winner))
    if not said and any(move.judgement for move in own):
        if termination not in ("completed", "adjudicated") or not all(map(_exact, own)):
            said = (phrase("no-certain-mistake"),)
        else:
            said = (phrase("lost-without-cost" if winner == 1 - seat else "nothing-cost"),)
    return Verdict(worst, said)


def price(game: Game, move: MoveReport) -> Sentence:
    """Return what a costly move cost in words: ``2 boxes``, ``the win`` or ``the draw``."""
    if not game.unit:
        return phrase("the-win" if move.before.of(move.seat) > 0 else "the-draw")
    count = max(1, round(move.cost.boxes))
    return phrase(game.unit, count=count, n=count)


def why_bad(game: Game, move: MoveReport) -> tuple[Sentence, ...]:
    """Say why a judged move was bad, or else what it cost, and which one was better."""
    assert move.judgement is not None
    better = game.action_name(move.judgement.best[0])
    reason = next(filter(is_reason, move.phrases), None)
    if reason is not None:
        return reason, phrase("better", edge=better)
    edge, spent = game.action_name(move.action), price(game, move)
    if game.unit:
        count = int(spent.values["count"])
        return (phrase(f"costliest-{game.unit}", edge=edge, better=better, count=count),)
    return (phrase("costliest", edge=edge, cost=spent, better=better),)


def _given_up(
    report: GameReport, seat: int, termination: str, winner: int | None
) -> Iterator[Sentence]:
    """Say that the player lost a game that was not lost on the board, if that is certain."""
    if termination == "completed" or winner != 1 - seat or not report.moves:
        return
    end = report.moves[-1].after
    if end.exact and end.of(seat) >= 0:
        yield phrase("could-have-won" if end.of(seat) > 0 else "could-have-drawn")


def _exact(move: MoveReport) -> bool:
    return move.judgement is None or move.judgement.exact
