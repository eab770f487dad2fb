"""Write reports and values as JSON for programs, other processes, the page and the database.

Numbers have two decimals. What is read back equals what was written if its estimates have no more
decimals; those of our judges have not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from doublecross.analysis.judgement import Cost, Estimate, Judgement
from doublecross.analysis.report import GameReport, MoveReport, accuracy_of
from doublecross.analysis.values import ActionValue, PositionValues
from doublecross.analysis.verdict import Verdict, verdict
from doublecross.games.api import SEATS
from doublecross.games.api.sentence import Sentence
from doublecross.games.registry import make_game

VERSION: Final = 1
"""Goes up when the form of a report changes."""


def report_to_json(
    report: GameReport, termination: str = "", winner: int | None = None
) -> dict[str, Any]:
    """Return a report as JSON values, with the verdicts on a game that has ended like this.

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
        "moves": [move_to_json(move) for move in report.moves],
        "verdicts": [_verdict(verdict(report, seat, termination, winner)) for seat in SEATS],
    }


def _verdict(found: Verdict) -> dict[str, Any]:
    return {
        "costliest": None if found.move is None else found.move.ply,
        "phrases": [phrase_fields(phrase) for phrase in found.phrases],
    }


def move_to_json(move: MoveReport) -> dict[str, Any]:
    """Return the report of one move as JSON values."""
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
        "line": [] if judgement is None else list(judgement.pv),
        "answer": [] if judgement is None else list(judgement.answer),
        "phrases": [phrase_fields(phrase) for phrase in move.phrases],
    }


def report_from_json(fields: Mapping[str, Any]) -> GameReport:
    """Return the report that `report_to_json` has written, without its verdicts.

    The fields are trusted: they come from a process or a database of ours.

    Raises:
        ValueError: another version has written them.
    """
    _check_version(fields, "report")
    moves = tuple(map(_read_move, fields["moves"]))
    return GameReport(
        make_game(fields["game"], fields["params"]),
        tuple(fields["opening"]),
        moves,
        # What is written is rounded.
        (accuracy_of(moves, 0), accuracy_of(moves, 1)),
        fields["turning"],
        fields["turning_sure"],
    )


def values_to_json(values: PositionValues) -> dict[str, Any]:
    """Return the values of a position as JSON values; net scores are as in `report_to_json`."""
    return {
        "version": VERSION,
        "value": _estimate(values.value),
        "actions": [{"action": each.action, **_estimate(each.value)} for each in values.actions],
        "line": list(values.pv),
    }


def values_from_json(fields: Mapping[str, Any]) -> PositionValues:
    """Return the values that `values_to_json` has written; see `report_from_json`.

    Raises:
        ValueError: another version has written them.
    """
    _check_version(fields, "answer")
    return PositionValues(
        _read_estimate(fields["value"]),
        tuple(ActionValue(each["action"], _read_estimate(each)) for each in fields["actions"]),
        tuple(fields["line"]),
    )


def _check_version(fields: Mapping[str, Any], what: str) -> None:
    if fields["version"] != VERSION:
        raise ValueError(f"This {what} has the version {fields['version']}, not {VERSION}.")


def _estimate(estimate: Estimate) -> dict[str, float]:
    spread = round(estimate.spread, 2)
    if spread == 0 and not estimate.exact:
        spread = 0.01  # only an exact value has the spread 0
    return {"net": round(estimate.mean, 2), "spread": spread}


def _read_estimate(fields: Mapping[str, Any]) -> Estimate:
    return Estimate(fields["net"], fields["spread"])


def _read_move(fields: Mapping[str, Any]) -> MoveReport:
    before, after = _read_estimate(fields["before"]), _read_estimate(fields["after"])
    judgement = None
    # A judged move has a best action.
    if fields["best"]:
        judgement = Judgement(
            before,
            after,
            tuple(fields["best"]),
            fields["every"],
            tuple(fields["line"]),
            tuple(fields["answer"]),
        )
    return MoveReport(
        fields["ply"],
        fields["seat"],
        fields["action"],
        before,
        after,
        Cost(0.0) if judgement is None else judgement.cost(fields["seat"]),
        judgement,
        tuple(map(phrase_from_fields, fields["phrases"])),
    )


def phrase_fields(phrase: Sentence) -> dict[str, Any]:
    """Return a phrase with all that a client needs to say it in another language."""
    return {**phrase.fields, "rule": phrase.rule, "text": phrase}


def phrase_from_fields(fields: Mapping[str, Any]) -> Sentence:
    """Return the phrase that `phrase_fields` has written."""
    return Sentence.read(fields["text"], fields)
