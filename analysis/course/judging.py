"""Describe a learner's move: what it cost, and the sentence of the rules of reviews."""

from __future__ import annotations

from typing import NamedTuple

from doublecross.analysis.course.lesson import Exercise
from doublecross.analysis.course.moves import edges_of
from doublecross.analysis.judgement import Cost, Estimate
from doublecross.analysis.sentences.facts import Facts
from doublecross.analysis.sentences.rules import say
from doublecross.analysis.sentences.templates import phrase
from doublecross.analysis.values import PositionValues
from doublecross.games.api.sentence import Sentence
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import boxes_given, capturing_edges


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


def feedback_on(
    exercise: Exercise,
    state: DotsAndBoxesState,
    values: PositionValues,
    action: int,
    answer: tuple[int, ...],
) -> tuple[str, ...]:
    """Return the sentences about a wrong move: the reason, what it cost, and the result.

    The reason is the lesson's own sentence, or else that of a rule.
    """
    phrases = phrases_about(state, values, action, answer)
    facts = [each for each in phrases if each.rule == "cost" or "-to-" in each.rule]
    reasons: list[str] = [each for each in phrases if each not in facts]
    if own := own_sentence(exercise, state, action):
        reasons = [own]
    boxes = round(judged(state, values, action).cost.boxes)
    if not any(each.rule == "cost" for each in phrases):
        facts.insert(0, phrase("cost", count=boxes))
    return (*reasons, *facts)


def own_sentence(exercise: Exercise, state: DotsAndBoxesState, action: int) -> str:
    """Return the lesson's sentence about a wrong edge, or "" if it has none."""
    for wrong in exercise.wrong:
        if action in wrong.edges or (wrong.move and action in edges_of(wrong.move, state)):
            return wrong.say
    return ""
