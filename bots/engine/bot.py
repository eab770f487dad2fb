"""The bots that use the engine: `solver` and `champion`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar

from doublecross.bots.api import Bot, BotError, Choice, Limit, Option, StopFlag
from doublecross.bots.api.horizon import moves_to_solve
from doublecross.bots.api.timing import timed
from doublecross.bots.clock import now
from doublecross.bots.registry import ENGINES, NETWORKS
from doublecross.games.api import Game, State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState

if TYPE_CHECKING:
    from doublecross.bots.engine.engine import Engine
    from doublecross.bots.engine.thought import EngineThought
    from doublecross.bots.zero.net import Net
    from doublecross.games.dots_and_boxes.board import Board

_MEMORY_MB = 128
"""MiB for the tables if the limit sets none."""
_FASTEST = 8.0e6
"""Nodes a second that no current machine exceeds."""
_MOVES = 4
"""The number of moves whose positions should fit into the table."""
_MOST_THREADS = 64
"""The most threads for one search."""
_NET_BOXES = 49
"""On larger boards `champion` uses no network unless the option `net` names one."""
_NO_NET = "none"
"""The value of the option `net` that stands for no network."""
_GROWS = 4.0
"""A table is replaced by a larger one if this many times its memory is useful."""


def useful_mb(limit: Limit) -> float:
    """Return the memory, in MiB, beyond which an engine only becomes slower under `limit`.

    A search writes to all pages of its table within milliseconds, and the system clears each page
    at the first access. Under a short limit that takes longer than the search.
    """
    from doublecross.bots.engine.engine import TABLE_SHARE
    from doublecross.bots.search.exact.table import ENTRY_BYTES

    if limit.time_s is None:
        return math.inf
    entries = _MOVES * limit.time_s * _FASTEST
    return entries * ENTRY_BYTES / TABLE_SHARE / 2**20


class EngineBot(Bot):
    """Base of the bots that use the engine: it makes the engine at the first move and keeps it."""

    obeys = frozenset({"nodes"})
    packages: ClassVar[tuple[str, ...]] = ENGINES
    options: ClassVar[tuple[Option, ...]] = (
        Option("threads", 1, "Processor cores for an exact search."),
    )

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        # The window lists these classes. Only a bot that plays needs the compiled kernels. Most
        # games are on boards with short words; `engine_for` prepares for the others.
        super().__init__(rng, options)
        self._threads = int(self.settings["threads"])
        if not 1 <= self._threads <= _MOST_THREADS:
            raise BotError(
                f"Option threads of bot {self.name} must be between 1 and {_MOST_THREADS}."
            )
        self._engine: Engine | None = None
        self._net: Net | None = None
        self._memory_mb = 0.0
        self._prepare()

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Return whether `game` is Dots and Boxes."""
        return isinstance(game, DotsAndBoxes)

    def get_ready(self, game: Game) -> None:
        """Compile the kernels for the board of `game`; that takes time only once on a machine."""
        if isinstance(game, DotsAndBoxes):
            self._prepare(game.board)

    def _prepare(self, board: Board | None = None) -> None:
        from doublecross.bots.engine.engine import prepare

        prepare(board)
        if self._net is not None and (board is None or self._net_for(board)):
            from doublecross.bots.zero.search import prepare as prepare_search

            prepare_search(board)

    def engine_for(self, state: DotsAndBoxesState, limit: Limit) -> Engine:
        """Return the engine for the board of `state`.

        Its tables take at most the memory of `limit`, and not many times more than the searches of
        a few moves can fill. The engine of the move before is kept if it fits.
        """
        from doublecross.bots.engine.engine import Engine

        most_mb: float = _MEMORY_MB if limit.memory_mb is None else limit.memory_mb
        wanted_mb = min(most_mb, useful_mb(limit))
        engine, has_mb = self._engine, self._memory_mb
        # Boards are built once for each size, so comparing identities is enough.
        if (
            engine is None
            or engine.board is not state.board
            or not (wanted_mb / _GROWS <= has_mb <= most_mb)
        ):
            self._prepare(state.board)
            engine = self._engine = Engine(
                state.board,
                self.rng,
                wanted_mb,
                self._threads,
                net=self._net_for(state.board),
            )
            self._memory_mb = wanted_mb
        return engine

    def _net_for(self, board: Board) -> Net | None:
        """Return the network for `board`; one that nobody named only where it is known to help."""
        named = bool(self.settings.get("net"))
        return self._net if named or board.num_boxes <= _NET_BOXES else None


def as_choice(thought: EngineThought, start: float) -> Choice:
    """Return the answer of a bot that began to think at `start`, in seconds of `now`."""
    return Choice(
        thought.edge,
        score=thought.estimate,
        pv=thought.pv,
        nodes=thought.nodes,
        elapsed=now() - start,
        exact=thought.exact,
    )


def dots_state(state: State) -> DotsAndBoxesState:
    """Return `state` if it is one of Dots and Boxes.

    Raises:
        BotError: it belongs to another game.
    """
    if not isinstance(state, DotsAndBoxesState):
        raise BotError(f"This bot plays Dots and Boxes only, not {state.game.title}.")
    return state


class SolverBot(EngineBot):
    """Computes the exact value and plays a best edge."""

    name = "solver"
    version = "1"
    summary = "Solves the position and plays a best edge, however long that takes."

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Choose an edge that keeps the exact value.

        If the limit ends the search too early, a few playouts choose the edge, and `Choice.score`
        is an estimate.
        """
        start = now()
        state = dots_state(state)
        limit = timed(limit, self.moves_to_go(state))
        thought = self.engine_for(state, limit).think(state, limit, stop, sampling=False)
        return as_choice(thought, start)


class ChampionBot(EngineBot):
    """The strongest bot under a clock, on boards of every size."""

    name = "champion"
    version = "3"
    summary = "The strongest bot under a clock: exact search late in the game, sampling before."
    packages = NETWORKS
    options = (
        Option("time", 1.0, "Seconds for a move without any limit."),
        Option("ponder", False, "Whether the bot also thinks while its opponent does."),
        Option(
            "net",
            "",
            "The path of a network whose search takes the place of playouts far from the end; by "
            "default the one that comes with the bots on small boards, and none uses playouts.",
        ),
        *EngineBot.options,
    )

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        super().__init__(rng, options)
        self._seconds = float(self.settings["time"])
        if not 0 < self._seconds < 3600:
            raise BotError("Option time of bot champion is in seconds, above 0 and below 3600.")
        self._net = self._load(str(self.settings["net"]))
        self._prepare()

    def _load(self, name: str) -> Net | None:
        """Return the network at a path; without a name, the one that comes with the package.

        Raises:
            BotError: it is missing, or it does not fit.
        """
        from doublecross.bots.zero.net import Net
        from doublecross.bots.zero.planes import PLANES
        from doublecross.bots.zero.shipped import shipped

        if name == _NO_NET:
            return None
        path = Path(name) if name else shipped(DotsAndBoxes.key)
        if not name and not path.is_file():
            return None
        return Net.load(path, DotsAndBoxes.key, PLANES)

    @classmethod
    def moves_to_go(cls, state: State) -> int:
        """Count only the moves until the engine can solve the position, so they get the time."""
        return moves_to_solve(state) or super().moves_to_go(state)

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Choose the best edge found; `Choice.score` is exact near the end and sampled before."""
        start = now()
        state = dots_state(state)
        if limit.time_s is None and limit.clock_s is None and limit.nodes is None:
            limit = Limit(time_s=self._seconds, memory_mb=limit.memory_mb)
        limit = timed(limit, self.moves_to_go(state))
        engine = self.engine_for(state, limit)
        if limit.time_s is not None:
            # Making the tables at the first move takes part of the time.
            limit = replace(limit, time_s=max(0.001, limit.time_s - (now() - start)))
        return as_choice(engine.think(state, limit, stop), start)

    def ponder(self, state: State, stop: StopFlag) -> None:
        """Search the likely replies, so that the next move needs fewer nodes.

        The tables have the size that the limit of the last move allows, so nothing happens before
        the bot's first move.
        """
        state = dots_state(state)
        if self._engine is not None and self._engine.board is state.board:
            self._engine.ponder(state, stop)
