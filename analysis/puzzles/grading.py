"""Decide whether a position is a good puzzle, and how difficult it is.

Theory of operation
-------------------
A move *fails* if it changes the result of the game or costs two boxes or more. A position is a good
puzzle if

- it has a kind (`doublecross.analysis.puzzles.kinds`);
- a natural player fails with at least three quarters of the moves that this player regards as
  equally good. There are three natural players: the *careful* one takes every box, plays safe, and
  then gives away as little as possible; the *greedy* one takes a box or plays at random; the
  *declining* one leaves the last boxes of a chain or loop whenever that is possible;
- at most `MOST_KEEPING` of the free edges keep the value, and at most half of the choices;
- a rule of `doublecross.analysis.sentences` says why one of the failing natural moves is wrong.

The difficulty follows from points: log2(free edges / edges that keep the value), plus one point
for 8 free edges, plus 0.75 for each turn after the first. If the careful player finds the move, the
points are halved: who takes boxes and plays safe needs no more. Otherwise they grow by 1.5.
Below 4 points it is 1, below 5.5, 7 and 8.5 points 2, 3 and 4, and from there on 5.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass
from math import log2
from typing import Final

from doublecross.analysis.judgement import Judgement
from doublecross.analysis.puzzles.kinds import kind_of
from doublecross.analysis.sentences.facts import Facts
from doublecross.analysis.sentences.rules import say
from doublecross.analysis.values import PositionValues
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

MOST_KEEPING: Final = 6
FAILING: Final = 0.75
"""The share of the natural moves that must fail."""
STEPS: Final = (4.0, 5.5, 7.0, 8.5)
"""From how many points on a puzzle has the difficulty 2, 3, 4 and 5."""


@dataclass(frozen=True, slots=True)
class NaturalMoves:
    """The moves that each of the three natural players regards as equally good; see the module."""

    careful: Collection[int]
    greedy: Collection[int]
    declining: Collection[int]


@dataclass(frozen=True, slots=True)
class Idea:
    """The idea of a puzzle: its kind, and the natural moves that fail.

    `careful_fails` says whether the careful player fails.
    """

    kind: str
    traps: tuple[int, ...]
    careful_fails: bool


def failing(values: PositionValues, seat: int) -> set[int]:
    """Return the moves of `seat` that change the result or cost two boxes or more."""
    costs, result = values.losses(seat), values.value.winner()
    return {
        each.action
        for each in values.actions
        if costs[each.action] >= 2 or each.value.winner() != result
    }


def idea_of(state: DotsAndBoxesState, values: PositionValues, natural: NaturalMoves) -> Idea | None:
    """Return what makes the position a puzzle; None if nothing does.

    The sentence is not checked here, because it needs variations; see `has_reason`.
    """
    seat = state.current_player()
    keeping = [edge for edge, cost in values.losses(seat).items() if not cost]
    if len(keeping) > MOST_KEEPING or 2 * len(keeping) > len(values.actions):
        return None
    kind = kind_of(state, keeping)
    if kind is None:
        return None
    fails = failing(values, seat)
    careful = _fails(natural.careful, fails)
    for moves in (natural.careful, natural.declining, natural.greedy):
        if _fails(moves, fails):
            return Idea(kind, tuple(sorted(set(moves) & fails)), careful)
    return None


def has_reason(state: DotsAndBoxesState, judgement: Judgement, action: int) -> bool:
    """Return whether a rule says why a failing move is wrong."""
    phrases = say(Facts.of(state, action, judgement))
    return any(phrase.rule == "cost" for phrase in phrases)


def difficulty(values: PositionValues, seat: int, careful_fails: bool, turns: int) -> int:
    """Return the difficulty from 1 to 5; see the module for the formula."""
    costs = values.losses(seat)
    keeping = sum(not cost for cost in costs.values())
    points = log2(len(costs) / keeping) + len(costs) / 8 + 0.75 * (turns - 1)
    points = points + 1.5 if careful_fails else points / 2
    return 1 + bisect_right(STEPS, points)


def _fails(moves: Collection[int], fails: set[int]) -> bool:
    return bool(moves) and len(set(moves) & fails) >= FAILING * len(moves)
