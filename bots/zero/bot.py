"""The bot `zero`: a search guided by a network that learned from exact values and its own games.

A network belongs to one game. The bot plays Dots and Boxes, and each other game for which a network
comes with the package.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from doublecross.bots.api import Bot, BotError, Choice, Limit, Option, StopFlag
from doublecross.bots.api.horizon import moves_to_solve
from doublecross.bots.api.timing import timed
from doublecross.bots.clock import now
from doublecross.bots.registry import NETWORKS
from doublecross.games.api import Game, State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.registry import GAMES

if TYPE_CHECKING:
    from doublecross.bots.zero.net import Net
    from doublecross.bots.zero.player import Player

_MEMORY_MB = 128
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
        Option("ponder", False, "Whether the bot also thinks while its opponent does."),
    )

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        # The window lists this class. Only a bot that plays needs the network and the kernels.
        from doublecross.bots.zero.net import Net
        from doublecross.bots.zero.player import ZeroSettings
        from doublecross.bots.zero.search import prepare

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
        # Loaded here, so that a bot without a network fails before its game.
        self._net: Net = Net.load(str(self.settings["net"]) or _shipped(_first_game()))
        prepare()
        self._game: Game | None = None
        self._player: Player | None = None

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Return whether `game` is Dots and Boxes, or has a network in the package."""
        from doublecross.bots.zero.shipped import shipped

        return isinstance(game, DotsAndBoxes) or shipped(game.key).is_file()

    @classmethod
    def moves_to_go(cls, state: State) -> int:
        """Count only the moves until the exact search reaches the end, so they get the time."""
        return moves_to_solve(state) or super().moves_to_go(state)

    def get_ready(self, game: Game) -> None:
        """Compile the kernels for the board of `game`; that takes time only once on a machine."""
        from doublecross.bots.zero.search import prepare

        self._choose_net(game)
        self._require(game)
        if isinstance(game, DotsAndBoxes):
            prepare(game.board)

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Choose an action; `Choice.score` is exact near the end and the network's before."""
        start = now()
        limit = timed(limit, self.moves_to_go(state))
        player = self._player
        if player is None or self._game != state.game:
            self._game = state.game
            player = self._player = self._player_of(state, limit)
            if limit.time_s is not None:
                # Making the tables takes part of the time.
                limit = replace(limit, time_s=max(1e-3, limit.time_s - (now() - start)))
        thought = player.think(state, limit, stop)
        return Choice(
            thought.action,
            score=thought.score,
            pv=(thought.action,),
            nodes=thought.nodes,
            elapsed=now() - start,
            exact=thought.exact,
        )

    def ponder(self, state: State, stop: StopFlag) -> None:
        """Let the tree grow from `state`; nothing happens before the bot's first move."""
        if self._player is not None and self._game == state.game:
            self._player.ponder(state, stop)

    def _choose_net(self, game: Game) -> None:
        """Load the network for `game` that comes with the package, unless an option names one.

        Raises:
            BotError: none comes with the package.
        """
        from doublecross.bots.zero.net import Net

        if not self.settings["net"] and self._net.game != game.key:
            self._net = Net.load(_shipped(game.key))

    def _require(self, game: Game) -> None:
        """Check that the network is one for `game`.

        Raises:
            NetError: it is not.
        """
        from doublecross.bots.zero.grids import GENERIC_PLANES
        from doublecross.bots.zero.planes import PLANES

        boxes = isinstance(game, DotsAndBoxes)
        self._net.require(game.key, PLANES if boxes else GENERIC_PLANES)

    def _player_of(self, state: State, limit: Limit) -> Player:
        """Return a player for the game of `state`.

        Raises:
            NetError: the network does not fit, or none comes with the package.
        """
        from doublecross.bots.zero.player import GenericPlayer, ZeroPlayer

        game = state.game
        self._choose_net(game)
        self._require(game)
        if not isinstance(state, DotsAndBoxesState):
            return GenericPlayer(game, self._net, self.rng, self._settings)
        most = math.inf if limit.memory_mb is None else limit.memory_mb
        memory_mb = min(most, _MEMORY_MB)
        return ZeroPlayer(state.board, self._net, self.rng, self._settings, memory_mb)


def _first_game() -> str:
    """Return a game with a network in the package: Dots and Boxes, unless only others have one."""
    from doublecross.bots.zero.shipped import shipped

    return next((key for key in GAMES if shipped(key).is_file()), DotsAndBoxes.key)


def _shipped(game: str) -> Path:
    """Return the path of the network for `game` that comes with the package.

    Raises:
        BotError: there is none.
    """
    from doublecross.bots.zero.shipped import shipped

    path = shipped(game)
    if not path.is_file():
        raise BotError(
            f"The bot zero needs a network for {game}, and none comes with this version: "
            "name one with zero:net=PATH."
        )
    return path
