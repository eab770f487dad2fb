"""The bot `greedy`: it scores whenever it can and plays at random otherwise, in any game."""

from __future__ import annotations

from time import perf_counter

from doublecross.bots.api import Bot, Choice, Limit, StopFlag
from doublecross.games.api import State


class GreedyBot(Bot):
    """Plays the action that adds most to its own score at once, and breaks ties at random.

    In Dots and Boxes it prefers capturing two boxes to capturing one. In tic-tac-toe it completes
    a winning line.
    """

    name = "greedy"
    version = "1"
    summary = "Takes whatever scores at once, otherwise plays at random."

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Choose one of the actions with the greatest immediate gain; the choice has no score."""
        start = perf_counter()
        actions = state.legal_actions()
        best, _ = best_gain(state, actions)
        action = self.rng.choice(best)
        return Choice(action, nodes=len(actions), elapsed=perf_counter() - start)


def best_gain(state: State, actions: list[int]) -> tuple[list[int], int]:
    """Return those of `actions` that raise the mover's score most at once, and by how much.

    The search applies actions to `state` and undoes them.
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
