"""Solve small games by plain search, so that moves can be judged."""

from __future__ import annotations

from functools import cache
from typing import Final

from doublecross.games.api import Game, State

MOST_POSITIONS: Final = 20_000
"""Games with more positions are not solved; tic-tac-toe has 5,478."""


class TooLargeError(Exception):
    """The game has too many positions."""


class SolvedGame:
    """The result of each position of `game` with best play.

    Raises:
        TooLargeError: the game has too many positions.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._results: dict[tuple[int, ...], int] = {}
        self._solve(game.initial_state())

    def _solve(self, state: State) -> int:
        """Return the result of `state` for seat 0, and keep it."""
        known = self._results.get(state.key())
        if known is not None:
            return known
        if len(self._results) >= MOST_POSITIONS:
            raise TooLargeError
        if state.is_terminal():
            result = round(state.returns()[0])
        else:
            best = max if state.current_player() == 0 else min
            result = best(self._after(state, action) for action in state.legal_actions())
        self._results[state.key()] = result
        return result

    def _after(self, state: State, action: int) -> int:
        """Return the result after `action`."""
        state.apply(action)
        result = self._solve(state)
        state.undo()
        return result

    def values(self, state: State) -> dict[int, int]:
        """Return the result after each legal action of `state`, for the player to move."""
        sign = 1 if state.current_player() == 0 else -1
        return {action: sign * self._after(state, action) for action in state.legal_actions()}


@cache
def solved(game: Game) -> SolvedGame | None:
    """Return the results of `game`, None if it has too many positions."""
    try:
        return SolvedGame(game)
    except TooLargeError:
        return None
