"""Play other games than Dots and Boxes between networks, searches and perfect players."""

from __future__ import annotations

from random import Random
from typing import Protocol

from doublecross.bots.training.judging.solved import SolvedGame
from doublecross.bots.zero.generic import GenericSearch
from doublecross.bots.zero.grids import encode_state, grid_of, targets
from doublecross.bots.zero.net import Evaluator
from doublecross.games.api import Game, State


class GridPlayer(Protocol):
    """Plays a game."""

    def choose(self, state: State) -> int:
        """Return a legal action for `state`, which is not over."""


class GridNetPlayer:
    """Plays the action with the highest prior of a network, without a search."""

    def __init__(self, net: Evaluator) -> None:
        self._net = net

    def choose(self, state: State) -> int:
        """Return the action."""
        aims = targets(state)
        logits = self._net.evaluate(encode_state(state, aims)[None]).policy[0, 0].reshape(-1)
        places = grid_of(state.game).cells
        return max(aims, key=lambda action: max(logits[places[cell]] for cell in aims[action]))


class GridSearchPlayer:
    """Searches each position of `game` with `simulations` simulations, as the bot `zero` does."""

    def __init__(self, game: Game, net: Evaluator, simulations: int, rng: Random) -> None:
        self._search = GenericSearch(game, net, rng)
        self._simulations = simulations

    def choose(self, state: State) -> int:
        """Return the best action that the search finds."""
        return self._search.run(state, self._simulations, gumbel=False).action


class PerfectGridPlayer:
    """Plays a best action of a solved game, a random one if there are several."""

    def __init__(self, solved: SolvedGame, rng: Random) -> None:
        self._solved = solved
        self._rng = rng

    def choose(self, state: State) -> int:
        """Return the action."""
        values = self._solved.values(state)
        best = max(values.values())
        return self._rng.choice([action for action, value in values.items() if value == best])


def play_grid(state: State, players: tuple[GridPlayer, GridPlayer]) -> int:
    """Play from `state` to the end; return the result for seat 0."""
    while not state.is_terminal():
        state.apply(players[state.current_player()].choose(state))
    return round(state.returns()[0])
