"""Plays the game pairs of a job in worker processes, and replaces the workers that are lost.

Theory of operation
-------------------
Each worker plays a pair at a time, whole games, and tells each move as it is made; nothing waits
for this process, so moves cost no more than the bots take. The parent follows every game by the
rules. When a worker dies or a bot does not come back, the game is lost for the seat that was at
work (the only one that can have done it, unless somebody outside killed the process); the rest of
the pair goes to a new worker.

The workers are child processes (`processes.child`): they import what this process would, a Ctrl-C
in the terminal does not reach them, and they end when their parent does.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from bots.api import BotError
from bots.arena.job import ArenaGame, ArenaJob
from bots.arena.worker import Bug, Free, GameOf, News, Over, Worker, WorkerEnded
from bots.workers.place import START_TRIES

GRACE_S: Final = 2.0
"""Seconds by which a move may exceed its limit before the game is lost by it."""
_CHECK_S: Final = 0.25
_BY: Final = {"timeout": "on time", "illegal": "by an illegal action", "crash": "by a crash"}


class ArenaError(RuntimeError):
    """The games cannot be played to their end; one sentence for people."""


class Arena:
    """Plays `job` on `workers` processes. `on_game` gets each game once it is over, in the order
    in which they end; `on_note` a sentence about each failed bot and each lost worker."""

    def __init__(
        self,
        job: ArenaJob,
        *,
        workers: int = 1,
        on_game: Callable[[ArenaGame], None],
        on_note: Callable[[str], None] = lambda _: None,
        grace_s: float = GRACE_S,
    ) -> None:
        if workers < 1:
            raise ValueError("An arena needs at least one worker.")
        self._job = job
        self._places = min(workers, len(job.tasks))
        self._on_game = on_game
        self._on_note = on_note
        self._grace_s = grace_s
        self._waiting: deque[list[GameOf]] = deque([(t, 0), (t, 1)] for t in job.tasks)
        self._missing = 2 * len(job.tasks)
        self._workers: set[Worker] = set()
        self._up: set[Worker] = set()
        self._gone: list[Worker] = []
        self._failures = 0

    @property
    def pids(self) -> tuple[int, ...]:
        """The process ids of the workers that are up."""
        return tuple(worker.pid for worker in self._up)

    async def run(self) -> None:
        """Play all games. Cancelling it, or an exception from `on_game`, ends the workers; what was
        told until then stays true.

        Raises:
            BotError: a bot cannot be made or does not play this game.
            ArenaError: worker processes do not come up.
        """
        news: asyncio.Queue[News] = asyncio.Queue()
        post = news.put_nowait
        checked = asyncio.get_running_loop().time()
        try:
            for _ in range(self._places):
                self._workers.add(Worker(self._job, self._grace_s, post))
            while self._missing:
                try:
                    # Not wait_for: in Python 3.11 it loses a cancellation that meets a result.
                    async with asyncio.timeout(_CHECK_S):
                        item = await news.get()
                except TimeoutError:
                    pass
                else:
                    self._take(item, post)
                now = asyncio.get_running_loop().time()
                if now - checked >= _CHECK_S:
                    checked = now
                    for worker in tuple(self._workers):
                        worker.check()
        finally:
            self._up.clear()
            await asyncio.gather(*(w.close() for w in (*self._workers, *self._gone)))

    def _take(self, news: News, post: Callable[[News], None]) -> None:
        match news:
            case Over(played):
                self._missing -= 1
                self._failures = 0
                if played.failure:
                    self._on_note(self._failure(played))
                self._on_game(played)
            case Free(worker):
                self._up.add(worker)
                if self._waiting:
                    worker.play(self._waiting.popleft())
            case WorkerEnded(worker, "refused", sentence):
                raise BotError(sentence)
            case WorkerEnded(worker, how, sentence, left):
                self._replace(worker, how, sentence, left, post)
            case Bug(error):
                raise error

    def _replace(
        self,
        worker: Worker,
        how: str,
        sentence: str,
        left: tuple[GameOf, ...],
        post: Callable[[News], None],
    ) -> None:
        self._workers.discard(worker)
        self._up.discard(worker)
        self._gone.append(worker)
        if left:
            self._waiting.appendleft(list(left))
        if how == "idle":
            self._failures += 1
            if self._failures >= START_TRIES:
                raise ArenaError(f"The workers do not stay up: {sentence}.")
            self._on_note(f"A worker was lost between games: {sentence}.")
        if self._waiting:
            self._workers.add(Worker(self._job, self._grace_s, post))

    def _failure(self, played: ArenaGame) -> str:
        """One sentence about a game that was not completed."""
        assert played.loser is not None
        names, players = self._job.names, played.players
        loser, other = names[players[played.loser]], names[players[played.loser ^ 1]]
        return (
            f"Pair {played.task.number + 1}, game {played.game + 1}: {loser} loses to {other}"
            f" {_BY[played.termination]}: {played.failure}."
        )
