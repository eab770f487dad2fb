"""Describe a learner's move: what it cost, and what the rules of reviews say about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from doublecross.analysis.judgement import Cost, Estimate
from doublecross.analysis.sentences.facts import Facts
from doublecross.analysis.sentences.rules import say
from doublecross.analysis.values import PositionValues
from doublecross.games.api.sentence import Sentence
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import boxes_given, capturing_edges

Judge = Callable[[DotsAndBoxesState], PositionValues]


class Judged(NamedTuple):
    """The value after a move, and the cost of the move."""

    value: Estimate
    cost: Cost


def judged(state: DotsAndBoxesState, values: PositionValues, action: int) -> Judged:
    """Return what the legal `action` does in the position that has these `values`."""
    judgement = values.judgement(action)
    return Judged(judgement.played, judgement.cost(state.current_player()))


def reply(state: DotsAndBoxesState, values: PositionValues) -> int:
    """Return the best action that an opponent would choose by nature.

    Of equally good ones it takes a box, else it draws the edge that gives the fewest boxes away.
    """
    takes = capturing_edges(state)
    return min(
        values.best,
        key=lambda edge: (edge not in takes, boxes_given(state, edge), edge),
    )


def phrases_about(
    state: DotsAndBoxesState,
    values: PositionValues,
    action: int,
    answer: tuple[int, ...],
) -> tuple[Sentence, ...]:
    """Return what the rules of reviews say about `action`; `answer` is the pv after it."""
    return say(Facts.of(state, action, values.judgement(action, answer)))
