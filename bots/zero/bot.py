"""The bot `zero`: a search guided by a network that learned from exact values and its own games."""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING

from bots.api import Bot, BotError, Choice, Limit, Option, StopFlag
from bots.api.timing import timed
from bots.clock import now
from bots.engine.horizon import moves_to_solve
from bots.registry import NETWORKS
from games.api import Game, State
from games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState

if TYPE_CHECKING:
    from bots.zero.player import ZeroPlayer

_MEMORY_MB = 64
"""MiB for the tree and the table of the exact search, if the limit allows it."""


class ZeroBot(Bot):
    """Searches few positions, which a network evaluates."""

    name = "zero"
    version = "1"
    summary = "Searches with a network that has learned what positions are worth."
    obeys = frozenset({"nodes"})
    packages = NETWORKS
    options = (
        Option(
            "simulations",
            0,
            "The most simulations for one move; 0 for as many as the limits of the move allow "
            "(400 if they have neither time nor nodes).",
        ),
        Option("net", "", "The path of the network; by default the one that comes with the bot."),
        Option("exact", True, "Whether the exact search helps where it reaches the end."),
        Option(
            "temperature",
            0.0,
            "0 plays the best move; a higher number plays other moves more often, 1 as often as "
            "the search prefers them.",
        ),
    )

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        # The window lists this class. Only a bot that plays needs the network and the kernels.
        from bots.zero.net import Net, NetError, shipped
        from bots.zero.planes import PLANES
        from bots.zero.player import ZeroSettings
        from bots.zero.search import prepare

        super().__init__(rng, options)
        temperature = float(self.settings["temperature"])
        simulations = int(self.settings["simulations"])
        if simulations < 0:
            raise BotError(f"Option simulations of bot zero must be 0 or more, not {simulations}.")
        if not (math.isfinite(temperature) and temperature >= 0):
            raise BotError(
                f"Option temperature of bot zero must be a number from 0 up, not {temperature}."
            )
        self._settings = ZeroSettings(simulations, bool(self.settings["exact"]), temperature)
        path = str(self.settings["net"])
        if not path and not shipped(DotsAndBoxes.key).is_file():
            raise NetError(
                "The bot zero needs a network, and none comes with this version: "
                "name one with zero:net=PATH."
            )
        self._net = Net.load(path or shipped(DotsAndBoxes.key), DotsAndBoxes.key, PLANES)
        prepare()
        self._player: ZeroPlayer | None = None

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Return whether `game` is Dots and Boxes."""
        return isinstance(game, DotsAndBoxes)

    @classmethod
    def moves_to_go(cls, state: State) -> int:
        """Count only the moves until the exact search reaches the end, so they get the time."""
        return moves_to_solve(state) or super().moves_to_go(state)

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Choose an edge; `Choice.score` is exact near the end and the network's before."""
        from bots.zero.player import ZeroPlayer

        start = now()
        if not isinstance(state, DotsAndBoxesState):
            raise BotError(f"The bot zero plays Dots and Boxes only, not {state.game.title}.")
        limit = timed(limit, self.moves_to_go(state))
        player = self._player
        # Boards are built once for each size, so comparing identities is enough.
        if player is None or player.board is not state.board:
            most = math.inf if limit.memory_mb is None else limit.memory_mb
            player = ZeroPlayer(
                state.board, self._net, self.rng, self._settings, min(most, _MEMORY_MB)
            )
            self._player = player
        thought = player.think(state, limit, stop)
        return Choice(
            thought.edge,
            score=thought.score,
            pv=(thought.edge,),
            nodes=thought.nodes,
            elapsed=now() - start,
            exact=thought.exact,
        )
