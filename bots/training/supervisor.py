"""Run the processes of a training run, hand out the jobs, and store what they found.

The supervisor computes nothing itself, so it answers Ctrl-C at once. It stores the state after each
job. A process that ends is replaced, and its job is given out again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from doublecross.bots.dask_cluster import connected
from doublecross.bots.training.folder import Entry, RunFolder, disk_sentence
from doublecross.bots.training.plan import Job, RunPlan
from doublecross.bots.training.settings import TrainError
from doublecross.processes.child import Child, ChildEnded

if TYPE_CHECKING:
    from doublecross.bots.training.making import SampleCluster

_FAILURES: Final = 3
"""So many processes in a row may end before the run gives up."""
_LOOK_S: Final = 5.0
"""Seconds between two looks for further workers of a cluster."""


class Supervisor:
    """Runs `plan` in `folder` on `workers` processes.

    With `dask` the Dask cluster at this address makes samples, too.
    `report` receives each entry of the journal, `note` a sentence about each process that ended
    early and each line that a process writes to its standard error.
    """

    def __init__(
        self,
        folder: RunFolder,
        plan: RunPlan,
        workers: int,
        *,
        report: Callable[[Entry], None] = lambda _: None,
        note: Callable[[str], None] = lambda _: None,
        dask: str | None = None,
    ) -> None:
        self._folder = folder
        self._plan = plan
        self._workers = workers
        self._report = report
        self._note = note
        self._dask = dask
        self._changed = asyncio.Event()
        self._failures = 0
        self._clock = monotonic()

    async def run(self) -> None:
        """Work until the plan is over.

        Raises:
            TrainError: a job cannot be done, or the processes do not stay up.
            ClusterError: there is no cluster, or it fails.
        """
        async with AsyncExitStack() as stack:
            cluster = None
            if self._dask is not None:
                # Here, because importing the teachers takes seconds.
                from doublecross.bots.training.making import SampleCluster

                client = await stack.enter_async_context(connected(self._dask))
                cluster = SampleCluster(client, self._dask, self._folder)
            self._clock = monotonic()
            self._store([])
            makes = partial(self._plan.next_job, learns=False, makes=True)
            places: list[Callable[[], Job | None]] = [self._for_learner]
            places += (self._workers - 1) * [makes]
            async with asyncio.TaskGroup() as group:
                here = [group.create_task(self._place(each)) for each in places]
                if cluster is not None:
                    far = group.create_task(self._far_places(cluster, group))
                    await asyncio.wait(here)
                    far.cancel()

    async def _far_places(self, cluster: SampleCluster, group: asyncio.TaskGroup) -> None:
        """Let the cluster do as many jobs at once as it can; at the end nobody needs them."""
        next_job = partial(self._plan.next_job, learns=False, makes=True, tests=False)
        places = list[asyncio.Task[None]]()
        try:
            while True:
                for _ in range(len(places), await cluster.most()):
                    places.append(group.create_task(self._work(cluster.make, next_job)))
                # Workers may come later.
                await asyncio.sleep(_LOOK_S)
        finally:
            for place in places:
                place.cancel()

    def _for_learner(self) -> Job | None:
        """Return a job for the process that learns; while it waits for samples, it makes some."""
        if self._workers == 1:
            return self._plan.next_job(learns=True, makes=True)
        learn = self._plan.next_job(learns=True, makes=False)
        return learn or self._plan.next_job(learns=False, makes=True)

    async def _place(self, next_job: Callable[[], Job | None]) -> None:
        """Keep one process at work, and replace it when it ends."""
        while not self._plan.over:
            child = await Child.start(
                "A process of the training",
                "doublecross.bots.training.child",
                str(self._folder.path),
                on_error_line=self._note,
                expendable=True,
            )
            try:
                await _answer(child)
                await self._work(partial(_ask, child), next_job)
            except ChildEnded as ended:
                self._failures += 1
                if self._failures >= _FAILURES:
                    raise TrainError(f"The processes do not stay up: {ended}") from ended
                self._note(str(ended))
            finally:
                await child.stop()

    async def _work(
        self, do: Callable[[Job], Awaitable[Job]], next_job: Callable[[], Job | None]
    ) -> None:
        """Let `do` do one job after another."""
        while not self._plan.over:
            job = next_job()
            if job is None:
                self._changed.clear()
                await self._changed.wait()
                continue
            try:
                reply = await do(job)
            except BaseException:
                self._plan.give_back(job)
                self._wake()
                raise
            self._failures = 0
            self._tick()
            self._store(self._plan.done(job, reply))
            self._wake()

    def _tick(self) -> None:
        now = monotonic()
        self._plan.seconds += now - self._clock
        self._clock = now

    def _store(self, entries: list[Entry]) -> None:
        """Store the entries and the state."""
        try:
            for entry in entries:
                self._folder.append(entry)
            self._folder.write_state(self._plan.state())
        except OSError as error:
            raise TrainError(disk_sentence(error, self._folder.path)) from error
        for entry in entries:
            self._report(entry)

    def _wake(self) -> None:
        self._changed.set()


async def _ask(child: Child, job: Job) -> Job:
    """Let a child do a job; return its result."""
    child.send(job)
    return await _answer(child)


async def _answer(child: Child) -> dict[str, Any]:
    """Return the next message of a child.

    Raises:
        TrainError: the child says that its job cannot be done.
        ChildEnded: the child has ended.
    """
    reply = await child.expect()
    if "failed" in reply:
        raise TrainError(str(reply["failed"]))
    return reply
