"""Offer our games as environments of PettingZoo, for agents that learn.

An agent observes a dict: ``observation`` has a number for each edge (1: drawn), if the game has
edges, and then one for each cell (1: its own, -1: the opponent's, 0: nobody's); ``action_mask`` has
1 for each legal action. Who moves follows the rules, so a completed box keeps the turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, Space
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from doublecross.games.api import SEATS, State
from doublecross.games.registry import game_class

Observation = dict[str, Any]


def env(**options: Any) -> AECEnv:
    """Return the environment that `BoardEnv` describes; an illegal action loses the game."""
    inner: AECEnv = BoardEnv(**options)
    inner = wrappers.TerminateIllegalWrapper(inner, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))


class BoardEnv(AECEnv):
    """A game in its `size` (None: the usual one) as an environment.

    The reward is 1 for a win and -1 for a loss. With `net` each move is rewarded by what it changes
    of the net score. The only render mode is ``ansi``.
    """

    def __init__(
        self,
        game: str = "dots-and-boxes",
        size: str | None = None,
        *,
        net: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        kind = game_class(game)
        self._game = kind(kind.parse_size(size) if size else None)
        self._net = net
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{game}_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in SEATS]
        self.position: State = self._game.initial_state()
        """The position, for bots and for drawings of your own."""
        actions, cells = self._game.num_actions, len(self._game.geometry().cells)
        self._edges = actions if self._game.geometry().segments else 0
        board = Box(-1, 1, (self._edges + cells,), np.int8)
        self.observation_spaces: dict[str, Space[Observation]] = {
            agent: Dict({"observation": board, "action_mask": MultiBinary(actions)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Space[Observation]:
        """Return the space of `observe`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the numbers of all actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. The rules have no chance, so `seed` changes nothing."""
        self.position = self._game.initial_state()
        self.agents = self.possible_agents[:]
        self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> Observation:
        """Return what `agent` sees; only the agent to move has legal actions."""
        seat, legal = self.possible_agents.index(agent), self.position.legal_actions()
        mask = np.zeros(self._game.num_actions, np.int8)
        mask[legal] = 1
        owners = np.array(self.position.owners(), np.int8)
        cells = (owners == seat).astype(np.int8) - (owners == 1 - seat)
        observation = np.concatenate((1 - mask[: self._edges], cells)).astype(np.int8)
        mine = seat == self.position.current_player()
        return {"observation": observation, "action_mask": mask if mine else 0 * mask}

    def step(self, action: int | None) -> None:
        """Play `action` for the agent to move.

        Raises:
            IllegalAction: the rules do not allow it.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        assert action is not None
        before, mover = self._value(), self.position.current_player()
        self.position.apply(int(action))
        gain = self._value() - before
        self.rewards = dict(zip(self.agents, (gain, 0.0 - gain), strict=True))
        over = self.position.is_terminal()
        self.terminations = dict.fromkeys(self.agents, over)
        self.agent_selection = self.agents[1 - mover if over else self.position.current_player()]
        self._accumulate_rewards()

    def _value(self) -> float:
        first, second = self.position.scores() if self._net else self.position.returns()
        return float(first - second) if self._net else float(first)

    def render(self) -> str | None:
        """Return the board as text, if the render mode is ``ansi``."""
        return self.position.to_ascii(mark_last=True) if self.render_mode == "ansi" else None
