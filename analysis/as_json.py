"""Reports as JSON values, for programs, the browser page and the database."""

from __future__ import annotations

from typing import Any, Final

from analysis.judgement import Estimate
from analysis.report import GameReport, MoveReport
from analysis.sentences.phrase import Phrase

VERSION: Final = 1
"""Goes up when the form of a report changes."""


def report_to_json(report: GameReport) -> dict[str, Any]:
    """Return a report as JSON values.

    Net scores are those of seat 0 at the end of the game; ``spread`` is the standard error, 0 for
    an exact value. ``cost`` counts boxes. ``turning`` is a ply, from 0, or null.
    """
    return {
        "version": VERSION,
        "game": report.game.key,
        "params": dict(report.game.params),
        "opening": list(report.opening),
        "accuracy": [None if percent is None else round(percent, 1) for percent in report.accuracy],
        "turning": report.turning,
        "turning_sure": report.turning_sure,
        "moves": [_move(move) for move in report.moves],
    }


def _move(move: MoveReport) -> dict[str, Any]:
    judgement = move.judgement
    return {
        "ply": move.ply,
        "seat": move.seat,
        "action": move.action,
        "before": _estimate(move.before),
        "after": _estimate(move.after),
        "cost": round(move.cost.boxes, 2),
        "sure": move.cost.sure,
        "best": [] if judgement is None else list(judgement.best),
        "every": judgement is not None and judgement.every,
        "line": [] if judgement is None else list(judgement.line),
        "answer": [] if judgement is None else list(judgement.answer),
        "phrases": [_phrase(phrase) for phrase in move.phrases],
    }


def _estimate(estimate: Estimate) -> dict[str, float]:
    return {"net": round(estimate.mean, 2), "spread": round(estimate.spread, 2)}


def _phrase(phrase: Phrase) -> dict[str, Any]:
    return {
        "rule": phrase.rule,
        "one": phrase.one,
        "many": phrase.many,
        "values": dict(phrase.values),
        "text": str(phrase),
    }
