"""Judge moves of any game by searching all that can follow, where that is little enough."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from doublecross.analysis.judgement import Estimate, Judgement
from doublecross.analysis.values import PositionValues, ordered
from doublecross.bots.judging.limits import MOST_PV, Stopped
from doublecross.games.api import Game, State

POSITIONS: Final = 200_000
"""The most positions that a judge looks at for one question: one to two seconds."""
_KEPT: Final = 400_000
"""The most positions that are kept, which takes about 60 MB."""
_BEST: Final = 1
"""The utility of a win."""


class TooLargeError(Exception):
    """Too much can follow from a position. The message is one sentence for people."""


class SolvedJudge:
    """Judges moves of a game in which the score is 1, 0 or -1; every value is exact.

    `positions` is the most positions for one question (None: `POSITIONS`). The judge keeps what it
    has solved, so that judging a game from its end costs little.
    """

    def __init__(self, game: Game, positions: int | None = None) -> None:
        self._game = game
        self._positions = POSITIONS if positions is None else positions
        self._left = 0
        self._known: dict[tuple[int, ...], int] = {}

    def judge(self, state: State, action: int) -> Judgement:
        """Judge the legal `action` in `state`.

        Raises:
            TooLargeError: too much can follow.
        """
        values = self.values(state)
        before, played = values.value, values.of(action)
        best = list(values.best)
        if action in best:
            best.remove(action)
            best.insert(0, action)
        return Judgement(
            before,
            played,
            tuple(best),
            every=True,
            pv=self._pv(state, best[0]),
            answer=self._pv(state, action)[1:],
        )

    def values(self, state: State, stop: Callable[[], bool] = lambda: False) -> PositionValues:
        """Return the values of all legal actions in `state`, which must not be over.

        Raises:
            TooLargeError: too much can follow.
            Stopped: `stop` has returned True.
        """
        self._left = self._positions
        if len(self._known) + self._positions > _KEPT:
            self._known.clear()
        state = state.clone()
        values = {}
        for action in state.legal_actions():
            values[action] = Estimate(float(self._after(state, action, stop)))
        actions = ordered(values, state.current_player())
        return PositionValues(actions[0].value, actions, self._pv(state, actions[0].action))

    def _after(self, state: State, action: int, stop: Callable[[], bool]) -> int:
        """Return the utility of seat 0 if both play best after `action`."""
        state.apply(action)
        value = self._value(state, stop)
        state.undo()
        return value

    def _value(self, state: State, stop: Callable[[], bool]) -> int:
        """Return the utility of seat 0 if both play best."""
        if state.is_terminal():
            return int(state.returns()[0])
        key = state.key()
        known = self._known.get(key)
        if known is not None:
            return known
        if stop():
            raise Stopped
        if self._left == 0:
            raise TooLargeError(
                f"Too much can follow from this position of {self._game.full_title}, so the"
                " values of its moves cannot be computed. Ask later in the game."
            )
        self._left -= 1
        sign = 1 if state.current_player() == 0 else -1
        best = -_BEST
        for action in state.legal_actions():
            best = max(best, sign * self._after(state, action, stop))
            if best == _BEST:
                break
        self._known[key] = sign * best
        return sign * best

    def _pv(self, state: State, first: int) -> tuple[int, ...]:
        """Return `first` and then a best action at each ply, up to the end of the game."""
        self._left = self._positions
        state, pv = state.clone(), [first]
        state.apply(first)
        while not state.is_terminal() and len(pv) < MOST_PV:
            value = self._value(state, lambda: False)
            pv.append(
                next(
                    action
                    for action in state.legal_actions()
                    if self._after(state, action, lambda: False) == value
                )
            )
            state.apply(pv[-1])
        return tuple(pv)
