"""Judges that know everything about a small board, by brute force."""

from __future__ import annotations

from doublecross.analysis.judgement import Estimate, Evaluator, Judgement
from doublecross.analysis.values import PositionValues, ordered
from doublecross.games.api import State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from tests.bots.search.brute import table


def score(state: State) -> int:
    scores = state.scores()
    return scores[0] - scores[1]


def value(state: DotsAndBoxesState) -> int:
    """Return the final net score of seat 0."""
    if state.is_terminal():
        return score(state)
    here = int(table(state.board.rows, state.board.cols)[state.edges])
    return score(state) + (here if state.current_player() == 0 else -here)


class BruteJudge:
    """Judges moves on boards up to 2x3 by the value of every position."""

    def judge(self, state: State, action: int) -> Judgement:
        assert isinstance(state, DotsAndBoxesState)
        before = value(state)
        best = tuple(edge for edge in state.legal_actions() if value(_after(state, edge)) == before)
        return Judgement(
            Estimate(before),
            Estimate(value(_after(state, action))),
            best,
            every=True,
            pv=_pv(state, best[0]),
            answer=_pv(state, action)[1:],
        )


class NetJudge:
    """Judges moves of any game that is small, by the final net score of all that can follow."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, ...], int] = {}

    def judge(self, state: State, action: int) -> Judgement:
        sign = 1 if state.current_player() == 0 else -1
        values = {each: self._after(state, each) for each in state.legal_actions()}
        top = max(values.values(), key=lambda value: sign * value)
        best = tuple(each for each, value in values.items() if value == top)
        pv = (best[0], *self._line(state, best[0]))
        return Judgement(Estimate(top), Estimate(values[action]), best, every=True, pv=pv)

    def _line(self, state: State, action: int) -> tuple[int, ...]:
        """Return best play after `action`."""
        now, after = self._after(state, action), state.clone()
        after.apply(action)
        for each in after.legal_actions():
            if self._after(after, each) == now:
                return each, *self._line(after, each)
        return ()

    def _after(self, state: State, action: int) -> int:
        state.apply(action)
        key = state.key()
        if key not in self._known:
            best = max if state.current_player() == 0 else min
            actions = state.legal_actions()
            self._known[key] = (
                best(self._after(state, each) for each in actions) if actions else score(state)
            )
        state.undo()
        return self._known[key]


def _after(state: DotsAndBoxesState, edge: int) -> DotsAndBoxesState:
    after = state.clone()
    after.apply(edge)
    return after


def _pv(state: DotsAndBoxesState, first: int) -> tuple[int, ...]:
    state, pv = _after(state, first), [first]
    while not state.is_terminal():
        now = value(state)
        pv.append(next(e for e in state.legal_actions() if value(_after(state, e)) == now))
        state.apply(pv[-1])
    return tuple(pv)


def position_values(judge: Evaluator, state: State) -> PositionValues:
    """Return the values of a position by judging each of its actions."""
    judged = {action: judge.judge(state, action) for action in state.legal_actions()}
    actions = ordered({a: each.played for a, each in judged.items()}, state.current_player())
    return PositionValues(actions[0].value, actions, judged[actions[0].action].pv)
