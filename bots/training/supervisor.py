"""Run the processes of a training run, hand out the jobs, and store what they found.

The supervisor computes nothing itself, so it answers Ctrl-C at once. It stores the state after each
job. A process that ends is replaced, and its job is given out again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any, Final

from doublecross.bots.training.folder import Entry, RunFolder, disk_sentence
from doublecross.bots.training.plan import Job, RunPlan
from doublecross.bots.training.settings import TrainError
from doublecross.processes.child import Child, ChildEnded

_FAILURES: Final = 3
"""So many processes in a row may end before the run gives up."""


class Supervisor:
    """Runs `plan` in `folder` on `workers` processes.

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
    ) -> None:
        self._folder = folder
        self._plan = plan
        self._workers = workers
        self._report = report
        self._note = note
        self._changed = asyncio.Event()
        self._failures = 0
        self._clock = monotonic()

    async def run(self) -> None:
        """Work until the plan is over.

        Raises:
            TrainError: a job cannot be done, or the processes do not stay up.
        """
        self._clock = monotonic()
        self._store([])
        next_job = self._plan.next_job
        async with asyncio.TaskGroup() as group:
            if self._workers == 1:
                group.create_task(self._place(partial(next_job, learns=True, makes=True)))
                return
            group.create_task(self._place(self._for_learner))
            for _ in range(self._workers - 1):
                group.create_task(self._place(partial(next_job, learns=False, makes=True)))

    def _for_learner(self) -> Job | None:
        """Return a job for the process that learns; while it waits for samples, it makes some."""
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
                await self._work(child, next_job)
            except ChildEnded as ended:
                self._failures += 1
                if self._failures >= _FAILURES:
                    raise TrainError(f"The processes do not stay up: {ended}") from ended
                self._note(str(ended))
            finally:
                await child.stop()

    async def _work(self, child: Child, next_job: Callable[[], Job | None]) -> None:
        """Give the process one job after another."""
        while not self._plan.over:
            job = next_job()
            if job is None:
                self._changed.clear()
                await self._changed.wait()
                continue
            try:
                child.send(job)
                reply = await _answer(child)
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
