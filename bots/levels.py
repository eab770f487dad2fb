"""The levels for people: `easy`, `medium`, `hard` and `perfect`.

Each class here is a level. Its line in `bots.registry.BUILT_IN` gives its place among them; all
lists of levels derive from there.

Theory of operation
-------------------
Each level knows one thing more about Dots and Boxes than the one below:

- `easy` overlooks many a box that it could take, and draws anywhere otherwise;
- `medium` takes boxes and mostly avoids giving any away, but overlooks that now and then;
- `hard` never does, and once no safe edge is left it searches how to play chains and loops: it
  declines boxes to keep control. It does not look ahead before that;
- `perfect` is the engine with up to `PERFECT_S` seconds a move: exact wherever the search reaches
  the end of the game (boards up to 3x4 from the first move, 5x5 with about 40 free edges) or the
  book knows it (3x5, 4x4), sampled before that.

In other games: chance with some sense, the bot `rules`, and tree search, short and long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from time import perf_counter
from typing import Final

from bots.api import Bot, Choice, Limit, StopFlag
from bots.api.timing import timed
from bots.engine.bot import ChampionBot
from bots.greedy import GreedyBot
from bots.mcts.bot import MctsBot
from bots.rules import RulesBot
from games.api import State
from games.dots_and_boxes.rules import DotsAndBoxesState
from games.dots_and_boxes.structure import safe_edges

PERFECT_S: Final = 1.8
"""Most seconds for a move of `perfect`."""
SEES: Final = 0.7
"""How often `easy` looks for something to take."""
CAREFUL: Final = 0.8
"""How often `medium` cares what it gives away."""
_HARD_SIMULATIONS: Final = 300
_HARD_S: Final = 1.0


class EasyBot(Bot):
    """For the first games of one's life."""

    name = "easy"
    version = "1"
    summary = "For beginners: overlooks some boxes, and draws anywhere otherwise."

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        super().__init__(rng, options)
        self._greedy = GreedyBot(rng)

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """At once."""
        start = perf_counter()
        if self.rng.random() < SEES:
            return self._greedy.choose(state, limit, stop)
        action = self.rng.choice(state.legal_actions())
        return Choice(action, nodes=1, elapsed=perf_counter() - start)


class MediumBot(Bot):
    """For those who know the rules."""

    name = "medium"
    version = "1"
    summary = "Takes every box and mostly avoids giving any away."

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        super().__init__(rng, options)
        self._greedy = GreedyBot(rng)
        self._rules = RulesBot(rng)

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """At once."""
        careful = self.rng.random() < CAREFUL
        return (self._rules if careful else self._greedy).choose(state, limit, stop)


class HardBot(Bot):
    """For those who know chains."""

    name = "hard"
    version = "1"
    summary = "Never gives a box away early, and searches how to play the chains at the end."

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        super().__init__(rng, options)
        self._rules = RulesBot(rng)
        self._end = ChampionBot(rng)
        self._search = MctsBot(rng, {"simulations": _HARD_SIMULATIONS})

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """By the rules while there are safe edges, by the engine afterwards."""
        if not isinstance(state, DotsAndBoxesState):
            return self._search.choose(state, limit, stop)
        if safe_edges(state):
            return self._rules.choose(state, limit, stop)
        return self._end.choose(
            state, _at_most(_HARD_S, timed(limit, self.moves_to_go(state))), stop
        )


class PerfectBot(Bot):
    """As strong as it gets while a person waits."""

    name = "perfect"
    version = "1"
    summary = "The strongest: exact up to 4x4, and later in the game on larger boards."

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        super().__init__(rng, options)
        self._champion = ChampionBot(rng)
        self._search = MctsBot(rng)

    @classmethod
    def moves_to_go(cls, state: State) -> int:
        """As the champion."""
        return ChampionBot.moves_to_go(state)

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """By the engine; other games by tree search, which solves small ones."""
        limit = _at_most(PERFECT_S, timed(limit, self.moves_to_go(state)))
        if isinstance(state, DotsAndBoxesState):
            return self._champion.choose(state, limit, stop)
        return self._search.choose(state, limit, stop)


def _at_most(seconds: float, limit: Limit) -> Limit:
    """`limit` with no more than `seconds` for the move."""
    return replace(limit, time_s=seconds if limit.time_s is None else min(seconds, limit.time_s))
