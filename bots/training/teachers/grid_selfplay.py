"""The teacher `self-play` of other games than Dots and Boxes.

Theory of operation
-------------------
As in `doublecross.bots.training.teachers.selfplay`, some moves get a full search and others a fast
one. Here every position becomes a sample, because the result of the game says as much about it
after a fast search. Only a full search is a target of the policy.

A game begins with random moves: mostly few, but now and then half of the longest game, so that the
network also sees what strange opponents do. It goes on to its end, because no closed form ends it
earlier. The target of the score is the result of the game. Where the search proves the value of a
position, this value replaces the result, also for the positions before it.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

import numpy as np

from doublecross.bots.training.teachers.grid_samples import GridSamples
from doublecross.bots.training.teachers.selfplay import FAST
from doublecross.bots.zero.generic import GenericResult, GenericSearch
from doublecross.bots.zero.grids import GENERIC_PLANES, GENERIC_SPAN, grid_of, targets
from doublecross.bots.zero.net import Evaluator, Uniform
from doublecross.games.api import Game, State

FULL_SHARE: Final = 0.5
"""The share of moves with a full search."""


class _Seen(NamedTuple):
    """A position of a game that becomes a sample, with its search."""

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
            parts.append(self._play(search, rng))
            have += len(parts[-1])
        return GridSamples.join(parts)

    def _play(self, search: GenericSearch, rng: Random) -> GridSamples:
        """Play a game; return its samples."""
        search.forget()
        most = self.game.max_game_length // 2
        state = random_position(self.game, rng, int((most + 1) * rng.random() ** 2))
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
                    state.owners(),
                    state.plies_left(),
                    targets(state),
                )
            )
            action = found.action
            if not full:
                # Fast moves are drawn, so that games differ.
                action = rng.choices(found.actions, found.policy.tolist())[0]
            state.apply(action)
        return self._samples(seen, round(state.returns()[0]))

    def _samples(self, seen: list[_Seen], final: int) -> GridSamples:
        """Return the samples of a game with the result `final` for seat 0."""
        owners = np.array([one.owners for one in seen])
        movers = np.array([one.mover for one in seen])
        scores = np.zeros(len(seen), np.int8)
        policy = np.zeros((len(seen), len(grid_of(self.game).cells)))
        legal = np.zeros(policy.shape, np.bool_)
        for row, one in reversed(list(enumerate(seen))):
            if one.found.exact:
                final = one.found.low if one.mover == 0 else -one.found.low
            scores[row] = final if one.mover == 0 else -final
            for action, share in zip(one.found.actions, one.found.policy, strict=True):
                cells = list(one.aims[action])
                legal[row, cells] = True
                policy[row, cells] = one.full * share / len(cells)
        return GridSamples(
            owners == movers[:, None],
            owners == 1 - movers[:, None],
            legal,
            np.rint(255 * policy).astype(np.uint8),
            np.array([one.left for one in seen], np.int16),
            movers.astype(np.bool_),
            scores,
        )


def random_position(game: Game, rng: Random, plies: int) -> State:
    """Return a position after `plies` random moves, or before the last one if the game ended."""
    state = game.initial_state()
    for _ in range(plies):
        state.apply(rng.choice(state.legal_actions()))
        if state.is_terminal():
            state.undo()
            break
    return state
