"""The bot `random`: it plays any legal action, all equally likely."""

from __future__ import annotations

from time import perf_counter

from doublecross.bots.api import Bot, Choice, Limit, StopFlag
from doublecross.games.api import State


class RandomBot(Bot):
    """Plays any legal action of any game."""

    name = "random"
    version = "1"
    summary = "Plays any legal move, all equally likely."

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Choose a legal action uniformly at random."""
        start = perf_counter()
        action = self.rng.choice(state.legal_actions())
        return Choice(action, nodes=1, elapsed=perf_counter() - start)
