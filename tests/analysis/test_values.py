"""Values of positions, and the trip of values and reports through JSON."""

from __future__ import annotations

import json
from random import Random

import pytest

from doublecross.analysis.as_json import (
    report_from_json,
    report_to_json,
    values_from_json,
    values_to_json,
)
from doublecross.analysis.judgement import Estimate
from doublecross.analysis.report import make_report
from doublecross.analysis.values import ActionValue, PositionValues, ordered
from doublecross.games.registry import make_game
from tests.analysis.judges import BruteJudge

VALUES = PositionValues(
    Estimate(-1.0),
    (ActionValue(4, Estimate(-1.0)), ActionValue(2, Estimate(-0.25, 1.2))),
    (4, 2),
)


@pytest.mark.parametrize(("seat", "order"), [(0, [7, 3, 1, 5]), (1, [5, 7, 3, 1])])
def test_the_best_action_of_the_mover_comes_first(seat: int, order: list[int]) -> None:
    values = {1: Estimate(2.0, 0.5), 3: Estimate(2.0), 5: Estimate(-1.0), 7: Estimate(2.0)}
    values[7] = Estimate(3.0 if seat == 0 else 1.0)
    assert [each.action for each in ordered(values, seat)] == order


def test_among_equal_values_the_lower_action_comes_first() -> None:
    values = {action: Estimate(1.0) for action in (9, 2, 5)}
    assert [each.action for each in ordered(values, 1)] == [2, 5, 9]


def test_values_of_single_actions() -> None:
    assert VALUES.of(2) == Estimate(-0.25, 1.2)
    assert not VALUES.exact
    with pytest.raises(KeyError):
        VALUES.of(3)


def test_values_survive_json() -> None:
    text = json.dumps(values_to_json(VALUES))
    assert json.loads(text)["actions"][1] == {"action": 2, "net": -0.25, "spread": 1.2}
    assert values_from_json(json.loads(text)) == VALUES
    with pytest.raises(ValueError, match="version 0"):
        values_from_json({**values_to_json(VALUES), "version": 0})


def test_a_small_spread_stays_a_spread() -> None:
    nearly = Estimate(1.004, 0.001)
    values = PositionValues(nearly, (ActionValue(0, nearly),), (0,))
    assert values_from_json(values_to_json(values)).value == Estimate(1.0, 0.01)


@pytest.mark.parametrize("seed", range(3))
def test_a_report_survives_json(seed: int) -> None:
    game, rng = make_game("dots-and-boxes", {"rows": 2, "cols": 2}), Random(seed)
    actions = list(range(12))
    rng.shuffle(actions)
    report = make_report(game, (), actions, BruteJudge())
    assert any(move.phrases for move in report.moves)
    assert any(move.judgement is None for move in report.moves)
    text = json.dumps(report_to_json(report))
    assert report_from_json(json.loads(text)) == report
    judged = [move for move in report.moves if move.judgement is not None]
    written = json.loads(text)["moves"]
    assert all(written[move.ply]["answer"] for move in judged if move.ply < 11)
    with pytest.raises(ValueError, match="version 7"):
        report_from_json({**report_to_json(report), "version": 7})
