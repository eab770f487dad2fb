"""Define bots for tests of limits: one advances the test clock, one plays a single game."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random

from doublecross.bots.api import Bot, Choice, Limit, StopFlag
from doublecross.games.api import Game, State


class TestClock:
    """A clock in seconds that only a bot advances."""

    __test__ = False

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Spends(Bot):
    """Use up the given seconds for its moves in turn, and no time after the last one."""

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


class Sleeps(Bot):
    """Take more time than processor time."""

    name = "sleeps"
    summary = "Sleeps."

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        time.sleep(0.15)
        return Choice(state.legal_actions()[0])
