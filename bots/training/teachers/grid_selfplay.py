"""The teacher `self-play` of other games than Dots and Boxes.

Theory of operation
-------------------
The games are those of `bots.training.teachers.selfplay`: most moves take a fast search, and the
positions with a full search become samples. A game begins with a few random moves and goes on to
its end, because no closed form ends it earlier. The target of the score is the result of the game.
Where the search proves the value of a position, this value replaces the result, also for the
positions before it.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

import numpy as np

from bots.training.teachers.grid_samples import GridSamples
from bots.training.teachers.selfplay import FAST, FULL_SHARE
from bots.zero.generic import GenericResult, GenericSearch
from bots.zero.grids import GENERIC_PLANES, GENERIC_SPAN, grid_of, targets
from bots.zero.net import Evaluator, Uniform
from games.api import Game, State

_RANDOM: Final = 4
"""At most one move in so many of the longest game is random, at its beginning."""


class _Seen(NamedTuple):
    """A position of a game: its search, and what becomes a sample if the search was a full one."""

    full: bool
    found: GenericResult
    mover: int
    owners: tuple[int, ...]
    left: int
    aims: dict[int, tuple[int, ...]]


class GridSelfPlay:
    """Plays games of `game` with `net`; without one all moves are equally likely at first."""

    def __init__(self, game: Game, net: Evaluator | None, simulations: int) -> None:
        self.game = game
        self._net = net or Uniform(GENERIC_PLANES, GENERIC_SPAN, 1)
        self._simulations = simulations

    def make(self, count: int, seed: int | str) -> GridSamples:
        """Return at least `count` samples: whole games until there are so many."""
        rng = Random(seed)
        search = GenericSearch(self.game, self._net, rng)
        parts: list[GridSamples] = []
        have = 0
        while have < count:
            game = self._play(search, rng)
            if game is not None:
                parts.append(game)
                have += len(game)
        return GridSamples.join(parts)

    def _play(self, search: GenericSearch, rng: Random) -> GridSamples | None:
        """Play a game; return its samples, None without any."""
        search.forget()
        state = random_position(self.game, rng, self.game.max_game_length // _RANDOM)
        seen: list[_Seen] = []
        while not state.is_terminal():
            full = rng.random() < FULL_SHARE
            simulations = self._simulations if full else max(1, self._simulations // FAST)
            found = search.run(state, simulations, gumbel=full)
            seen.append(
                _Seen(
                    full,
                    found,
                    state.current_player(),
                    state.owners() if full else (),
                    state.plies_left(),
                    targets(state) if full else {},
                )
            )
            action = found.action
            if not full:
                # Fast moves are drawn, so that games differ.
                action = rng.choices(found.actions, found.policy.tolist())[0]
            state.apply(action)
        return self._samples(seen, round(state.returns()[0]))

    def _samples(self, seen: list[_Seen], final: int) -> GridSamples | None:
        """Return the samples of a game with the result `final` for seat 0."""
        rows: list[_Seen] = []
        scores: list[int] = []
        for one in reversed(seen):
            if one.found.exact:
                final = one.found.low if one.mover == 0 else -one.found.low
            if one.full:
                rows.append(one)
                scores.append(final if one.mover == 0 else -final)
        if not rows:
            return None
        owners = np.array([one.owners for one in rows])
        movers = np.array([one.mover for one in rows])
        policy = np.zeros((len(rows), len(grid_of(self.game).cells)))
        legal = np.zeros(policy.shape, np.bool_)
        for row, one in enumerate(rows):
            for action, share in zip(one.found.actions, one.found.policy, strict=True):
                cells = list(one.aims[action])
                legal[row, cells] = True
                policy[row, cells] = share / len(cells)
        return GridSamples(
            owners == movers[:, None],
            owners == 1 - movers[:, None],
            legal,
            np.rint(255 * policy).astype(np.uint8),
            np.array([one.left for one in rows], np.int16),
            movers.astype(np.bool_),
            np.array(scores, np.int8),
        )


def random_position(game: Game, rng: Random, most: int | None = None) -> State:
    """Return a position after at most `most` random moves (None: any number), which is not over."""
    longest = game.max_game_length - 1 if most is None else most
    while True:
        state = game.initial_state()
        for _ in range(rng.randint(0, longest)):
            state.apply(rng.choice(state.legal_actions()))
            if state.is_terminal():
                break
        else:
            return state
