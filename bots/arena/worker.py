"""Control one worker process of an arena: start it, follow its games, and end it."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Final, Literal

from doublecross.bots.arena.adjudication import is_due
from doublecross.bots.arena.deadlines import Deadline, StandstillWatch
from doublecross.bots.arena.job import ArenaGame, ArenaJob, PairTask
from doublecross.bots.arena.moves import LONGEST_S, Effort, PlayedMove, Termination, thoughts_of
from doublecross.bots.registry import bot_class
from doublecross.bots.workers.place import MAKE_S, START_S
from doublecross.games.api import State
from doublecross.processes.child import Child, Message

SLACK_S: Final = 0.5
"""Seconds beyond limit and grace in which a worker itself may report that a move was too late."""
CPU_PATIENCE: Final = 10
"""How many times its processor time a move may last."""
_CLOSE_S: Final = 1.0
"""Seconds that a process has to end after its input is closed."""

PairGame = tuple[PairTask, int]
"""A game pair, and the number of the game in it: 0 or 1."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game is over; `disturbed` says that the machine stood still for a while during it."""

    played: ArenaGame
    disturbed: bool = False


@dataclass(frozen=True, slots=True)
class WorkerFree:
    """A worker has no games to play; the first event of this kind means that it has started."""

    worker: Worker


@dataclass(frozen=True, slots=True)
class WorkerEnded:
    """The process of a worker has ended.

    `how` is ``refused`` if a bot cannot be made or does not play this game, ``idle`` if no game was
    being played, ``playing`` if one was; then a `GameEnded` for that game came before. `left` has
    the games that the worker had not begun, `trace` the traceback of a bot that cannot be made.
    """

    worker: Worker
    how: Literal["refused", "idle", "playing"]
    sentence: str
    left: tuple[PairGame, ...] = ()
    trace: str = ""


@dataclass(frozen=True, slots=True)
class WorkerFault:
    """A message of a worker was invalid."""

    error: Exception


WorkerEvent = GameEnded | WorkerFree | WorkerEnded | WorkerFault


@dataclass(eq=False, slots=True)
class _RunningGame:
    """The game that a worker is playing, as reported so far."""

    task: PairTask
    number: int
    state: State
    left_s: list[float | None]
    standstills: int
    """How many standstills there were before it."""
    making: int | None = None
    """The seat whose bot is being made; None when the game has begun."""
    moves: list[PlayedMove] = field(default_factory=list)

    @property
    def seat(self) -> int:
        """The seat whose bot is being made or has to move."""
        return self.state.current_player() if self.making is None else self.making

    def ended(
        self,
        termination: Termination = "completed",
        loser: int | None = None,
        failure: str = "",
        trace: str = "",
        scores: tuple[int, int] | None = None,
    ) -> ArenaGame:
        """Return the result of the game, which has ended in this way.

        If it was adjudicated, it has other final `scores` than the board.
        """
        first, second = scores or self.state.returns()
        winner = None if first == second else int(second > first)
        return ArenaGame(
            task=self.task,
            game=self.number,
            moves=tuple(move.recorded for move in self.moves),
            efforts=(self._effort(0), self._effort(1)),
            winner=winner if loser is None else 1 - loser,
            termination=termination,
            scores=scores or self.state.scores(),
            failure=failure,
            trace=trace,
            thoughts=thoughts_of(self.moves),
        )

    def _effort(self, seat: int) -> Effort:
        return Effort.of([move for move in self.moves if move.seat == seat])


class Worker:
    """Controls a process that plays one pair at a time; `post` receives its events.

    `clock` returns seconds, and `watch` looks at that clock. The process runs on `core`
    alone, or on any core if that is None.
    """

    def __init__(
        self,
        job: ArenaJob,
        grace_s: float,
        post: Callable[[WorkerEvent], None],
        clock: Callable[[], float],
        watch: StandstillWatch,
        core: int | None = None,
    ) -> None:
        self._job = job
        self._grace_s = grace_s
        self._post = post
        self._clock = clock
        self._watch = watch
        self.core = core
        self._child: Child | None = None
        self._games: list[PairGame] = []
        self._running: _RunningGame | None = None
        self._done = False
        self._deadline = Deadline(watch)
        self._expect_within(START_S)
        self._task = asyncio.get_running_loop().create_task(self._run())

    @property
    def pid(self) -> int:
        """The process id; the worker must have started."""
        assert self._child is not None
        return self._child.pid

    def play(self, games: list[PairGame]) -> None:
        """Start playing these games of one pair."""
        self._games = list(games)
        task = games[0][0]
        orders = [
            (n, task.seated(n), [self._job.seed_of(task, n, seat) for seat in (0, 1)])
            for _, n in games
        ]
        self._expect_within(START_S)
        assert self._child is not None
        self._child.send({"number": task.number, "opening": task.opening, "games": orders})

    def check(self) -> None:
        """End the process if its next message is overdue; call this several times a second."""
        now = self._clock()
        self._watch.check(now)
        if self._done or not self._deadline.is_over(now):
            return
        if self._child is not None:
            self._child.kill()
        running = self._running
        if self._judging:
            self._end("the exact solver did not answer")
        elif running is not None and running.making is None:
            left_s = running.left_s[running.seat]
            waited_s = self._deadline.waited_s(now)
            flagged = left_s is not None and not self._job.cpu and waited_s > left_s
            what = "its clock ran out" if flagged else "it did not answer"
            self._end(f"{what} and it was stopped by force", "timeout")
        else:
            self._end("it did not start in time")

    async def close(self) -> None:
        """End the process, wait for its end, and post no more events.

        The process ends when its input is closed. If a bot keeps the interpreter's lock, so that no
        other thread runs, the process is killed.
        """
        # Set this first, so that the end of the process posts no event.
        self._done = True
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    # -- implementation ----------------------------------------------------------------------

    async def _run(self) -> None:
        """Run the process from its start to its end."""
        try:
            child = await Child.start(
                "The worker process",
                "doublecross.bots.arena.child",
                expendable=True,
                memory_mb=self._job.memory_mb,
            )
        except OSError as error:
            self._end(f"a worker process could not be started ({error})")
            return
        try:
            self._child = child
            if self.core is not None:
                # It may have ended already.
                with contextlib.suppress(ProcessLookupError):
                    os.sched_setaffinity(child.pid, {self.core})
            job = self._job
            child.send(
                {
                    "bots": [str(bot) for bot in job.bots],
                    "key": job.game.key,
                    "params": dict(job.game.params),
                    "budgets": [asdict(job.budget_of(player)) for player in range(len(job.bots))],
                    "cpu": job.cpu,
                    "adjudicate": job.adjudicate,
                    "grace_s": self._grace_s,
                }
            )
            while (message := await child.receive()) is not None:
                self._receive(message)
            self._end(f"the worker process {await child.how_it_ended()}")
        finally:
            await child.stop(_CLOSE_S)

    @property
    def _judging(self) -> bool:
        """Return whether the process looks for the exact value of its game, and no bot thinks."""
        running = self._running
        if running is None or running.making is not None:
            return False
        return is_due(running.state, self._job.adjudicate)

    def _expect_within(self, seconds: float) -> None:
        """Set the deadline for the next message, `seconds` from now."""
        self._deadline.expect_within(seconds, self._clock())

    def _receive(self, message: Message) -> None:
        # Messages of a process that was given up may still arrive.
        if self._done:
            return
        self._watch.check(self._clock())
        try:
            self._handle(message)
        except Exception as error:  # noqa: BLE001 - it would be lost in asyncio's callback
            self._done = True
            self._post(WorkerFault(error))

    def _handle(self, message: Message) -> None:
        what = message.pop("what")
        if what == "move":
            self._add_move(PlayedMove(**message))
        elif what in ("trying", "making"):
            self._expect_within(MAKE_S)
            if self._running is not None:
                self._running.making = message["seat"]
        elif what == "start":
            assert self._running is not None
            self._running.making = None
            self._await_move(self._running)
        elif what == "game":
            self._begin(message["number"])
        elif what == "failed":
            assert self._running is not None
            failed = self._running.ended(
                message["termination"], message["seat"], message["sentence"], message["trace"]
            )
            self._finish(failed, disturbed=self._is_disturbed(self._running))
        elif what == "adjudicated":
            assert self._running is not None
            first, second = message["scores"]
            self._finish(self._running.ended("adjudicated", scores=(first, second)))
        elif what == "ready":
            self._report_free()
        elif what == "refused":
            self._done = True
            self._post(WorkerEnded(self, "refused", message["text"], trace=message["trace"]))
        else:
            raise ValueError(f"a worker sent the unknown message {what!r}")

    def _begin(self, number: int) -> None:
        task, expected = self._games.pop(0)
        assert number == expected
        left_s = [self._job.budget_of(player).clock_s for player in task.seated(number)]
        state = self._job.game.initial_state(task.opening)
        # The child makes the bot of seat 0 first.
        self._running = _RunningGame(task, number, state, left_s, self._watch.count, making=0)
        self._expect_within(MAKE_S)

    def _add_move(self, move: PlayedMove) -> None:
        running = self._running
        assert running is not None
        running.state.apply(move.action)
        running.moves.append(move)
        running.left_s[move.seat] = move.left_s
        if running.state.is_terminal():
            self._finish(running.ended())
        else:
            self._await_move(running)

    def _await_move(self, running: _RunningGame) -> None:
        if self._judging:
            self._expect_within(START_S)
            return
        player = running.task.seated(running.number)[running.seat]
        budget, left_s = self._job.budget_of(player), running.left_s[running.seat]
        # With one move to go the clock's share is the largest, so no bot gets more time.
        keeps_time = bot_class(self._job.bots[player].name).keeps_time
        time_s = budget.limit(left_s, None if keeps_time else 1).time_s
        wait_s = LONGEST_S if time_s is None else budget.latest_s(time_s, 0.0)
        if time_s is None and left_s is not None:
            wait_s = time_s = left_s
        if self._job.cpu and time_s is not None:
            # A process that shares its core needs more time than it computes.
            wait_s *= CPU_PATIENCE
        self._expect_within(wait_s + self._grace_s + SLACK_S)

    def _is_disturbed(self, running: _RunningGame) -> bool:
        """Return whether a standstill has taken time from a bot in this game."""
        return not self._job.cpu and self._watch.count > running.standstills

    def _finish(self, played: ArenaGame, *, disturbed: bool = False) -> None:
        self._running = None
        self._expect_within(START_S)
        self._post(GameEnded(played, disturbed))
        if not self._games:
            self._report_free()

    def _report_free(self) -> None:
        self._deadline.clear()
        self._post(WorkerFree(self))

    def _end(self, sentence: str, termination: Termination = "crash") -> None:
        if self._done:
            return
        running, left = self._running, tuple(self._games)
        if running is not None and self._judging:
            # No bot is to blame, so the game is played again.
            left, running = ((running.task, running.number), *left), None
        self._done = True
        if running is None:
            self._post(WorkerEnded(self, "idle", sentence, left))
            return
        self._running = None
        when = f"at ply {running.state.ply}" if running.making is None else "while it was made"
        player = running.task.seated(running.number)[running.seat]
        is_silent = termination == "timeout" and all(m.seat != running.seat for m in running.moves)
        hint = bot_class(self._job.bots[player].name).if_silent if is_silent else ""
        ended = running.ended(termination, running.seat, f"{sentence} {when}{hint}")
        self._post(GameEnded(ended, self._is_disturbed(running)))
        self._post(WorkerEnded(self, "playing", sentence, left))
