"""One worker of an arena seen from its parent: what it plays, whose move it is, how it ends."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Final, Literal

from bots.arena.job import LONGEST_S, ArenaGame, ArenaJob, Effort, PairTask, PlayedMove, Termination
from bots.workers.place import MAKE_S, START_S
from games.api import State
from processes.child import Child, Message

SLACK_S: Final = 0.5
"""Seconds beyond limit and grace within which a worker itself says that a move came too late."""
_CLOSE_S: Final = 1.0
"""Seconds that a process has to end once its input is closed."""

GameOf = tuple[PairTask, int]
"""A game pair, and which of its two games."""


@dataclass(frozen=True, slots=True)
class Over:
    """A game is over."""

    played: ArenaGame


@dataclass(frozen=True, slots=True)
class Free:
    """A worker has nothing to do; the first time it says so it is up."""

    worker: Worker


@dataclass(frozen=True, slots=True)
class WorkerEnded:
    """A worker's process is gone. `how` is ``refused`` if a bot cannot be made or does not play
    this game, ``idle`` if it had no game in play, ``playing`` if it had: then that game is lost
    and was told of before. `left` are games that it was to play and did not begin."""

    worker: Worker
    how: Literal["refused", "idle", "playing"]
    sentence: str
    left: tuple[GameOf, ...] = ()


@dataclass(frozen=True, slots=True)
class Bug:
    """What a worker said made no sense."""

    error: Exception


News = Over | Free | WorkerEnded | Bug


@dataclass(eq=False, slots=True)
class _Live:
    """The game in play, as far as it was told."""

    task: PairTask
    number: int
    state: State
    left_s: list[float | None]
    making: int | None = None
    """The seat whose bot is being made; None: the game is on."""
    moves: list[PlayedMove] = field(default_factory=list)

    @property
    def seat(self) -> int:
        """The seat at work."""
        return self.state.current_player() if self.making is None else self.making

    def over(
        self,
        termination: Termination = "completed",
        loser: int | None = None,
        failure: str = "",
        trace: str = "",
    ) -> ArenaGame:
        """The game as it ended."""
        first, second = self.state.returns()
        winner = None if first == second else int(second > first)
        return ArenaGame(
            task=self.task,
            game=self.number,
            moves=tuple(move.recorded for move in self.moves),
            efforts=(self._effort(0), self._effort(1)),
            winner=winner if loser is None else 1 - loser,
            termination=termination,
            scores=self.state.scores(),
            failure=failure,
            trace=trace,
        )

    def _effort(self, seat: int) -> Effort:
        return Effort.of([move for move in self.moves if move.seat == seat])


class Worker:
    """A process that plays one pair at a time; `post` gets its news."""

    def __init__(self, job: ArenaJob, grace_s: float, post: Callable[[News], None]) -> None:
        self._job = job
        self._grace_s = grace_s
        self._post = post
        self._child: Child | None = None
        self._games: list[GameOf] = []
        self._live: _Live | None = None
        self._over = False
        self._deadline = math.inf
        self._within(START_S)
        self._life = asyncio.get_running_loop().create_task(self._run())

    @property
    def pid(self) -> int:
        """The id of the process, which must have said that it is up."""
        assert self._child is not None
        return self._child.pid

    def play(self, games: list[GameOf]) -> None:
        """Play these games of one pair."""
        self._games = list(games)
        task = games[0][0]
        orders = [
            (n, task.seated(n), [self._job.seed_of(task, n, seat) for seat in (0, 1)])
            for _, n in games
        ]
        self._within(START_S)
        assert self._child is not None
        self._child.send({"opening": task.opening, "games": orders})

    def check(self) -> None:
        """End the process if it is overdue; to be called every few tenths of a second."""
        if self._over or asyncio.get_running_loop().time() <= self._deadline:
            return
        if self._child is not None:
            self._child.kill()
        live = self._live
        if live is not None and live.making is None:
            self._end("it did not answer and was stopped by force", "timeout")
        else:
            self._end("it was not up in time")

    async def close(self) -> None:
        """End the process and wait for that; no news any more. It ends by itself when its pipe
        is closed, at once unless a bot holds the interpreter; then it is killed."""
        self._over = True
        self._life.cancel()
        await asyncio.gather(self._life, return_exceptions=True)

    # -- inside ------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Run the process from its start to its end."""
        try:
            child = await Child.start("The worker process", "bots.arena.child", expendable=True)
        except OSError as error:
            self._end(f"a worker process could not be started ({error})")
            return
        try:
            self._child = child
            job = self._job
            child.send(
                {
                    "bots": [str(bot) for bot in job.bots],
                    "key": job.game.key,
                    "params": dict(job.game.params),
                    "budget": asdict(job.budget),
                    "grace_s": self._grace_s,
                }
            )
            while (message := await child.receive()) is not None:
                self._heard(message)
            self._end(f"the worker process {await child.how_it_ended()}")
        finally:
            await child.stop(_CLOSE_S)

    def _within(self, seconds: float) -> None:
        """The next line must come within so many seconds."""
        self._deadline = asyncio.get_running_loop().time() + seconds

    def _heard(self, message: Message) -> None:
        if self._over:
            return
        try:
            self._take(message)
        except Exception as error:  # noqa: BLE001 - it would be lost in asyncio's callback
            self._over = True
            self._post(Bug(error))

    def _take(self, message: Message) -> None:
        what = message.pop("what")
        if what == "move":
            self._moved(PlayedMove(**message))
        elif what in ("trying", "making"):
            self._within(MAKE_S)
            if self._live is not None:
                self._live.making = message["seat"]
        elif what == "start":
            assert self._live is not None
            self._live.making = None
            self._await_move(self._live)
        elif what == "game":
            self._begin(message["number"])
        elif what == "failed":
            assert self._live is not None
            failed = self._live.over(
                message["termination"], message["seat"], message["sentence"], message["trace"]
            )
            self._finish(failed)
        elif what == "ready":
            self._free()
        elif what == "refused":
            self._over = True
            self._post(WorkerEnded(self, "refused", message["text"]))
        else:
            raise ValueError(f"a worker says {what!r}")

    def _begin(self, number: int) -> None:
        task, expected = self._games.pop(0)
        assert number == expected
        clock_s = self._job.budget.clock_s
        state = self._job.game.initial_state(task.opening)
        self._live = _Live(task, number, state, [clock_s, clock_s], making=0)
        self._within(MAKE_S)

    def _moved(self, move: PlayedMove) -> None:
        live = self._live
        assert live is not None
        live.state.apply(move.action)
        live.moves.append(move)
        live.left_s[move.seat] = move.left_s
        if live.state.is_terminal():
            self._finish(live.over())
        else:
            self._await_move(live)

    def _await_move(self, live: _Live) -> None:
        # The most that any bot would get.
        time_s = self._job.budget.limit(live.left_s[live.seat], moves=1).time_s
        self._within((LONGEST_S if time_s is None else time_s) + self._grace_s + SLACK_S)

    def _finish(self, played: ArenaGame) -> None:
        self._live = None
        self._within(START_S)
        self._post(Over(played))
        if not self._games:
            self._free()

    def _free(self) -> None:
        self._deadline = math.inf
        self._post(Free(self))

    def _end(self, sentence: str, termination: Termination = "crash") -> None:
        if self._over:
            return
        self._over = True
        live, left = self._live, tuple(self._games)
        if live is None:
            self._post(WorkerEnded(self, "idle", sentence, left))
            return
        self._live = None
        when = f"at ply {live.state.ply}" if live.making is None else "while it was made"
        self._post(Over(live.over(termination, live.seat, f"{sentence} {when}")))
        self._post(WorkerEnded(self, "playing", sentence, left))
