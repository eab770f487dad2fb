"""Play the game pairs of a job on a Dask cluster, with the results of a single machine.

Theory of operation
-------------------
A task of the cluster is a few pairs of the job, played by an `Arena` with one worker process there.
All random choices follow from the seed of the job, so it does not matter which machine plays what,
or how often: when a machine dies, Dask gives its tasks to another one. Tasks are small at first and
then as long as `TASK_S`, so that a death costs little and the start of a worker process is rare.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Final

from doublecross.bots.api import BotError
from doublecross.bots.arena.arena import Arena, ArenaError, failure_note
from doublecross.bots.arena.job import ArenaGame, ArenaJob, PairTask
from doublecross.bots.dask_cluster import ONCE, connected, tasks_at_once, working

if TYPE_CHECKING:
    from distributed import Client, Future

TASK_S: Final = 4.0
"""Seconds that a task should take."""
_MOST_PAIRS: Final = 32
"""The most pairs of a task."""
_STARTS: Final = 2
"""A task lasts at least so many times as long as what is not a move in it."""


class ClusterArena:
    """Plays `job` on the Dask cluster whose scheduler is at `address`, such as ``tcp://host:8786``.

    The other parameters are those of `Arena`.
    """

    def __init__(
        self,
        job: ArenaJob,
        address: str,
        *,
        on_game: Callable[[ArenaGame], None],
        on_note: Callable[[str], None] = lambda _: None,
        done: Iterable[ArenaGame] = (),
    ) -> None:
        self._job = job
        self._address = address
        self._on_game = on_game
        self._on_note = on_note
        self._halves: dict[PairTask, ArenaGame] = {}
        """The games of pairs of which only one was played before."""
        over = set[PairTask]()
        for played in done:
            if self._halves.pop(played.task, None) is None:
                self._halves[played.task] = played
            else:
                over.add(played.task)
        self._waiting = deque(task for task in job.tasks if task not in over)
        self._pairs = 1

    async def run(self) -> None:
        """Play all games.

        Raises:
            BotError: a bot cannot be made there, or does not play this game.
            ArenaError: worker processes do not stay up.
            ClusterError: there is no cluster, or it fails.
        """
        async with connected(self._address) as client:
            await self._play(client)

    async def _play(self, client: Client) -> None:
        from distributed import as_completed

        running = as_completed()
        try:
            while self._waiting or running.count():
                for _ in range(await tasks_at_once(client, self._address) - running.count()):
                    if self._waiting:
                        running.add(self._submit(client))
                future = await anext(running)
                with working(self._address, ArenaError, BotError):
                    result = await future.result()
                self._take(*result)
        finally:
            # What is still under way is not wanted any more.
            await client.cancel(list(running.futures))

    def _submit(self, client: Client) -> Future[tuple[list[ArenaGame], float]]:
        """Hand the next pairs to the cluster."""
        count = min(self._pairs, len(self._waiting))
        tasks = tuple(self._waiting.popleft() for _ in range(count))
        done = tuple(self._halves[task] for task in tasks if task in self._halves)
        job = replace(self._job, tasks=tasks)
        return client.submit(play_tasks, job, done, **ONCE)

    def _take(self, games: list[ArenaGame], seconds: float) -> None:
        """Take the games of a task, which has lasted so long."""
        thought_s = sum(effort.seconds for played in games for effort in played.efforts)
        pairs = len({played.task for played in games})
        # A task that begins with slow imports must last, or most of the time goes into those.
        wanted_s = max(TASK_S, _STARTS * (seconds - thought_s))
        self._pairs = max(1, min(_MOST_PAIRS, int(pairs * wanted_s / max(thought_s, 0.001))))
        for played in games:
            if played.failure:
                self._on_note(failure_note(self._job, played))
            self._on_game(played)


def play_tasks(job: ArenaJob, done: tuple[ArenaGame, ...]) -> tuple[list[ArenaGame], float]:
    """Play the games of a job that are not `done`, on this machine.

    Returns:
        The games in the order of the job, and how many seconds they took.
    """
    games: list[ArenaGame] = []
    began = monotonic()
    asyncio.run(Arena(job, on_game=games.append, done=done).run())
    games.sort(key=lambda played: (job.tasks.index(played.task), played.game))
    return games, monotonic() - began
