"""Bots for tests of limits: one uses up time on the clock of the test, one plays one game only."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bots.api import Bot, Choice, Limit, StopFlag
from games.api import Game, State


class TestClock:
    """Seconds that pass only when a bot lets them."""

    __test__ = False

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Spends(Bot):
    """Takes so many seconds for its moves, in turn; after the last one no time at all."""

    name = "spends"
    summary = "Spends time."

    def __init__(self, clock: TestClock, seconds: Sequence[float]) -> None:
        super().__init__(Random(0))
        self._clock = clock
        self._seconds = list(seconds)
        self.limits: list[Limit] = []

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        self.limits.append(limit)
        if self._seconds:
            self._clock.now += self._seconds.pop(0)
        return Choice(state.legal_actions()[0], nodes=len(self.limits))


class OnlyTicTacToe(Bot):
    name = "only-tic-tac-toe"
    summary = "Plays tic-tac-toe only."

    @classmethod
    def plays(cls, game: Game) -> bool:
        return game.key == "tic-tac-toe"

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        return Choice(state.legal_actions()[0])
