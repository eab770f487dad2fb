"""Play the game pairs of a job in worker processes, and replace workers that end early.

Theory of operation
-------------------
Each worker plays one pair at a time and reports each move after it is played. It never waits for
this process, so a move takes no more time than its bot needs. This process follows every game by
the rules. When a worker process ends or a bot does not answer, the seat to move loses the game: its
bot is the only one that can have caused this, unless somebody killed the process from outside. A
new worker plays the rest of the pair.

When the machine stands still, for example because a laptop sleeps, no bot can answer. Each then
gets its time again (`doublecross.bots.arena.deadlines`). A worker that measured the standstill as
the time of a move reports a loss on time. Such a game is played again, at most `MOST_REPLAYS`
times.

The workers are child processes (`doublecross.processes.child`): they import what this process
would, a Ctrl-C in the terminal does not reach them, and they end when their parent does.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Final

from doublecross.bots.api import BotError
from doublecross.bots.arena.deadlines import StandstillWatch
from doublecross.bots.arena.job import ArenaGame, ArenaJob
from doublecross.bots.arena.worker import (
    GameEnded,
    PairGame,
    Worker,
    WorkerEnded,
    WorkerEvent,
    WorkerFault,
    WorkerFree,
)
from doublecross.bots.workers.place import START_TRIES

GRACE_S: Final = 2.0
"""Seconds by which a move may exceed its share of a clock, and after which a bot that has still not
answered is stopped by force."""
MOST_REPLAYS: Final = 2
"""How often a game is played again that was lost on time when the machine stood still."""
_CHECK_S: Final = 0.25
"""Seconds between two checks for overdue workers."""
_BY: Final = {"timeout": "on time", "illegal": "by an illegal action", "crash": "by a crash"}


class ArenaError(RuntimeError):
    """The arena cannot play all games; the text is one sentence for people."""


class Arena:
    """Plays `job` on `workers` processes.

    Games in `done`, which were played before, are left out.
    `on_game` receives each game when it is over, in the order in which the games end. `on_note`
    receives a sentence about each bot that failed and each worker that ended early. `clock` returns
    the seconds by which workers are overdue; None uses the event loop's clock.

    Raises:
        ValueError: `workers` is below one, or above the number of cores if each needs its own.
    """

    def __init__(
        self,
        job: ArenaJob,
        *,
        workers: int = 1,
        on_game: Callable[[ArenaGame], None],
        on_note: Callable[[str], None] = lambda _: None,
        done: Iterable[ArenaGame] = (),
        grace_s: float = GRACE_S,
        clock: Callable[[], float] | None = None,
    ) -> None:
        if workers < 1:
            raise ValueError("An arena needs at least one worker.")
        if job.pin and workers > len(os.sched_getaffinity(0)):
            raise ValueError("There are fewer cores than workers.")
        self._job = job
        self._on_game = on_game
        self._on_note = on_note
        self._grace_s = grace_s
        self._clock = clock or (lambda: asyncio.get_running_loop().time())
        self._watch: StandstillWatch
        self._replays: Counter[PairGame] = Counter()
        over = {(played.task, played.game) for played in done}
        left = ([(t, game) for game in (0, 1) if (t, game) not in over] for t in job.tasks)
        self._waiting: deque[list[PairGame]] = deque(filter(None, left))
        self._games_left = sum(map(len, self._waiting))
        self._places = min(workers, len(self._waiting))
        self._workers: set[Worker] = set()
        self._ready: set[Worker] = set()
        self._ended: list[Worker] = []
        self._failures = 0

    @property
    def pids(self) -> tuple[int, ...]:
        """The process ids of the workers that have started."""
        return tuple(worker.pid for worker in self._ready)

    async def run(self) -> None:
        """Play all games.

        If the call is cancelled, or `on_game` raises an exception, the workers end. The games that
        `on_game` has received by then remain valid.

        Raises:
            BotError: a bot cannot be made or does not play this game.
            ArenaError: several worker processes in a row failed to start.
        """
        events: asyncio.Queue[WorkerEvent] = asyncio.Queue()
        post = events.put_nowait
        checked = asyncio.get_running_loop().time()
        self._watch = StandstillWatch(self._clock())
        try:
            for _ in range(self._places):
                self._start_worker(post)
            while self._games_left:
                try:
                    # Not wait_for: in Python 3.11 it loses a cancellation that meets a result.
                    async with asyncio.timeout(_CHECK_S):
                        event = await events.get()
                except TimeoutError:
                    pass
                else:
                    self._handle(event, post)
                now = asyncio.get_running_loop().time()
                # By the clock and not only after a pause: many events in a row must not delay the
                # checks.
                if now - checked >= _CHECK_S:
                    checked = now
                    for worker in tuple(self._workers):
                        worker.check()
        finally:
            self._ready.clear()
            # Close the ended workers too: only `close` waits until their processes are gone.
            await asyncio.gather(*(w.close() for w in (*self._workers, *self._ended)))

    def _handle(self, event: WorkerEvent, post: Callable[[WorkerEvent], None]) -> None:
        match event:
            case GameEnded(played, disturbed):
                if disturbed and played.termination == "timeout" and self._replay(played):
                    return
                self._games_left -= 1
                # Only failures in a row end the arena.
                self._failures = 0
                if played.failure:
                    self._on_note(failure_note(self._job, played))
                self._on_game(played)
            case WorkerFree(worker):
                self._ready.add(worker)
                if self._waiting:
                    worker.play(self._waiting.popleft())
            case WorkerEnded(worker, "refused", sentence, trace=trace):
                hint = self._memory_hint if "MemoryError" in trace else ""
                raise BotError(f"{sentence.removesuffix('.')}{hint}.", trace)
            case WorkerEnded(worker, how, sentence, left):
                self._replace(worker, how, sentence, left, post)
            case WorkerFault(error):
                raise error

    def _replace(
        self,
        worker: Worker,
        how: str,
        sentence: str,
        left: tuple[PairGame, ...],
        post: Callable[[WorkerEvent], None],
    ) -> None:
        self._workers.discard(worker)
        self._ready.discard(worker)
        self._ended.append(worker)
        if left:
            # Put the rest of the pair first, because half a pair does not count in the statistics.
            self._waiting.appendleft(list(left))
        # Between games no bot can have caused the end, so nobody loses a game by it.
        if how == "idle":
            self._failures += 1
            if self._failures >= START_TRIES:
                raise ArenaError(f"The workers do not stay up: {sentence}{self._memory_hint}.")
            self._on_note(f"A worker ended between games: {sentence}.")
        if self._waiting:
            self._start_worker(post)

    @property
    def _memory_hint(self) -> str:
        """The rest of a sentence about a worker that may have had too little memory."""
        limit = self._job.memory_mb
        return "" if limit is None else f"; --memory allows it {limit} MiB, which may be too little"

    def _start_worker(self, post: Callable[[WorkerEvent], None]) -> None:
        core = None
        if self._job.pin:
            taken = {worker.core for worker in self._workers}
            core = min(os.sched_getaffinity(0) - taken)
        self._workers.add(Worker(self._job, self._grace_s, post, self._clock, self._watch, core))

    def _replay(self, played: ArenaGame) -> bool:
        """Let a game be played again unless it was so too often; return whether it will be."""
        game = played.task, played.game
        if self._replays[game] >= MOST_REPLAYS:
            return False
        self._replays[game] += 1
        # The worker of this game takes it at the latest, or the one that replaces it.
        self._waiting.appendleft([game])
        self._on_note(
            f"Pair {played.task.number + 1}, game {played.game + 1} is played again, because this"
            " computer stood still."
        )
        return True


def failure_note(job: ArenaJob, played: ArenaGame) -> str:
    """Describe a game that was not completed, in one sentence."""
    assert played.loser is not None
    names, players = job.names, played.players
    loser, other = names[players[played.loser]], names[players[played.loser ^ 1]]
    return (
        f"Pair {played.task.number + 1}, game {played.game + 1}: {loser} loses to {other}"
        f" {_BY[played.termination]}: {played.failure}."
    )
