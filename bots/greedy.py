"""The bot `greedy`: scores whenever it can, otherwise plays at random; for any game."""

from __future__ import annotations

from time import perf_counter

from bots.api import Bot, Choice, Limit, StopFlag
from games.api import State


class GreedyBot(Bot):
    """Plays the action that adds most to its own score at once, chance deciding among equals.

    In Dots and Boxes that is a capture, two boxes before one; in tic-tac-toe the winning line.
    """

    name = "greedy"
    version = "1"
    summary = "Takes whatever scores at once, otherwise plays at random."

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """One of the actions with the greatest immediate gain; of the rest it expects nothing."""
        start = perf_counter()
        actions = state.legal_actions()
        best, _ = best_gain(state, actions)
        action = self.rng.choice(best)
        return Choice(action, nodes=len(actions), elapsed=perf_counter() - start)


def best_gain(state: State, actions: list[int]) -> tuple[list[int], int]:
    """Those of `actions` that raise the mover's score most at once, and by how much.

    `state` is played on and left as it was.
    """
    mover = state.current_player()
    before = state.scores()[mover]
    best: list[int] = []
    most = 0
    for action in actions:
        state.apply(action)
        gain = state.scores()[mover] - before
        state.undo()
        if gain > most or not best:
            best, most = [action], gain
        elif gain == most:
            best.append(action)
    return best, most
