"""The levels of difficulty for people: `easy`, `medium`, `tricky`, `hard` and `perfect`.

Each class here is a level. The order of the levels follows from
`doublecross.bots.registry.BUILT_IN`.

Theory of operation
-------------------
Each level plays Dots and Boxes with one more piece of knowledge than the level below:

- `easy` overlooks some boxes that it could take, and plays at random otherwise;
- `medium` takes every box and usually avoids giving boxes away;
- `tricky` slips less often and gives the shortest chain away. It has heard of control: sometimes it
  leaves the last boxes of a chain or loop while others are left, without counting whether it pays;
- `hard` always avoids giving boxes away early. When no safe edge is left it searches how to play
  the chains and loops, and declines boxes to keep control. It does not look ahead before that;
- `perfect` is the engine with up to `PERFECT_S` seconds a move. Its play is exact where the search
  reaches the end of the game (boards up to 3x4 from the first move, 5x5 with about 40 free edges)
  or the opening book has the position (3x5, 4x4). Before that it samples.

The class of a level is loaded in many processes, and most of them never let it play: the window
lists it, and a runner keeps its connection. `hard` and `perfect` therefore import their searches,
whose compiled kernels take half a second, only when they are made.

In other games `easy` is `greedy` with random moves in between, `medium` and `tricky` are `greedy`
or `rules`, and `hard` and `perfect` search the tree, `hard` with few simulations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from time import perf_counter
from typing import Final

from doublecross.bots.api import Bot, Choice, Limit, StopFlag
from doublecross.bots.api.horizon import moves_to_solve
from doublecross.bots.api.timing import timed
from doublecross.bots.greedy import GreedyBot
from doublecross.bots.registry import ENGINES, NETWORKS
from doublecross.bots.rules import RulesBot
from doublecross.games.api import Game, State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import analyse, double_dealing_edges, safe_edges

PERFECT_S: Final = 1.8
"""The longest time for a move of `perfect`, in seconds."""
GREEDY_SHARE: Final = 0.7
"""The part of its moves in which `easy` looks for a box to take."""
CAREFUL_SHARE: Final = 0.8
"""The part of its moves in which `medium` avoids giving boxes away."""
STEADY_SHARE: Final = 0.96
"""The part of its moves in which `tricky` avoids giving boxes away."""
KEEP_SHARE: Final = 0.25
"""How often `tricky` leaves the last boxes of a chain or loop when it might keep control."""
_HARD_SIMULATIONS: Final = 300
"""Simulations for a move of `hard` in games other than Dots and Boxes."""
_HARD_S: Final = 1.0
"""The longest time for a move of `hard`, in seconds."""


class EasyBot(Bot):
    """The level for people who play their first games."""

    name = "easy"
    version = "1"
    summary = "For beginners: misses some chances, and plays at random otherwise."

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        super().__init__(rng, options)
        self._greedy = GreedyBot(rng)

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Take a box, or play at random; this takes no noticeable time."""
        start = perf_counter()
        if self.rng.random() < GREEDY_SHARE:
            return self._greedy.choose(state, limit, stop)
        action = self.rng.choice(state.legal_actions())
        return Choice(action, nodes=1, elapsed=perf_counter() - start)


class MediumBot(Bot):
    """The level for people who know the rules."""

    name = "medium"
    version = "1"
    summary = "Takes every chance, and mostly avoids giving one away."

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        super().__init__(rng, options)
        self._greedy = GreedyBot(rng)
        self._rules = RulesBot(rng)

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Play as `rules` or as `greedy`; this takes no noticeable time."""
        careful = self.rng.random() < CAREFUL_SHARE
        return (self._rules if careful else self._greedy).choose(state, limit, stop)


class TrickyBot(Bot):
    """The level for people who have just learned what chains are."""

    name = "tricky"
    version = "1"
    summary = "Gives away as little as it can, and sometimes keeps control."

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        super().__init__(rng, options)
        self._greedy = GreedyBot(rng)
        self._rules = RulesBot(rng)

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Decline boxes or play as `rules`, rarely as `greedy`; this takes no noticeable time."""
        start = perf_counter()
        if isinstance(state, DotsAndBoxesState) and (edges := control_edges(state)):
            if self.rng.random() < KEEP_SHARE:
                return Choice(self.rng.choice(edges), nodes=1, elapsed=perf_counter() - start)
            return self._rules.choose(state, limit, stop)
        steady = self.rng.random() < STEADY_SHARE
        return (self._rules if steady else self._greedy).choose(state, limit, stop)


def control_edges(state: DotsAndBoxesState) -> tuple[int, ...]:
    """Return the double-dealing moves if the opponent would have to open a long chain or loop.

    That is so if only long chains and loops are left beside the boxes that can be taken.
    """
    edges = double_dealing_edges(state)
    if not edges:
        return ()
    parts = analyse(state)
    others = bool(parts.chains or parts.loops) and not parts.junctions
    return edges if others and len(parts.long_chains) == len(parts.chains) else ()


class HardBot(Bot):
    """The level for people who know chains."""

    name = "hard"
    version = "1"
    obeys = frozenset({"nodes"})
    summary = "Gives nothing away early, and searches how to play the end."
    packages = ENGINES

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        from doublecross.bots.engine.bot import ChampionBot
        from doublecross.bots.mcts.bot import MctsBot

        super().__init__(rng, options)
        self._rules = RulesBot(rng)
        # So its strength does not depend on the network that comes with the package.
        self._end = ChampionBot(rng, {"net": "none"})
        self._search = MctsBot(rng, {"simulations": _HARD_SIMULATIONS})

    def get_ready(self, game: Game) -> None:
        """Compile what the search of the end needs."""
        self._end.get_ready(game)

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Play by the rules while there are safe edges, and search afterwards."""
        if not isinstance(state, DotsAndBoxesState):
            return self._search.choose(state, limit, stop)
        if safe_edges(state):
            return self._rules.choose(state, limit, stop)
        return self._end.choose(
            state, _at_most(_HARD_S, timed(limit, self.moves_to_go(state))), stop
        )


class PerfectBot(Bot):
    """The strongest level whose moves a person can wait for."""

    name = "perfect"
    version = "1"
    obeys = frozenset({"nodes"})
    summary = "The strongest: perfect on small boards, and on larger ones late in the game."
    packages = NETWORKS

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        from doublecross.bots.engine.bot import ChampionBot
        from doublecross.bots.mcts.bot import MctsBot

        super().__init__(rng, options)
        self._champion = ChampionBot(rng)
        self._search = MctsBot(rng)

    @classmethod
    def moves_to_go(cls, state: State) -> int:
        """Return the estimate of the bot `champion`."""
        return moves_to_solve(state) or super().moves_to_go(state)

    def get_ready(self, game: Game) -> None:
        """Compile what the bot `champion` needs."""
        self._champion.get_ready(game)

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Choose with the engine; in other games with tree search, which solves small ones."""
        limit = _at_most(PERFECT_S, timed(limit, self.moves_to_go(state)))
        if isinstance(state, DotsAndBoxesState):
            return self._champion.choose(state, limit, stop)
        return self._search.choose(state, limit, stop)


def _at_most(seconds: float, limit: Limit) -> Limit:
    """Return `limit` with no more than `seconds` for the move."""
    return replace(limit, time_s=seconds if limit.time_s is None else min(seconds, limit.time_s))
