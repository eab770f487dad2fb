"""Make the files of samples of a run, in a process of this machine or on a Dask cluster."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Final

from doublecross.bots.dask_cluster import ONCE, tasks_at_once, working
from doublecross.bots.training.files import replace_file
from doublecross.bots.training.folder import RunFolder
from doublecross.bots.training.plan import Job
from doublecross.bots.training.settings import TrainSettings
from doublecross.bots.training.subjects.api import Subject
from doublecross.bots.training.subjects.choose import subject_of
from doublecross.bots.training.teachers.arrays import SampleArrays
from doublecross.bots.zero.net import Net

if TYPE_CHECKING:
    from distributed import Client, Future

_ALONE: Final = Lock()
"""Held by the task that makes samples: a subject is not for several threads."""


def make_samples(
    settings: TrainSettings, job: Job, subject: Subject, net: Net | None
) -> SampleArrays:
    """Make the samples of a job."""
    seed = f"{settings.seed}/{job['do']}/{job['size']}/{job['number']}"
    return subject.teach(job["do"], net, settings.simulations, _shard(settings, job["do"]), seed)


def keep_samples(folder: RunFolder, settings: TrainSettings, job: Job, data: bytes) -> None:
    """Write the file of a job, and remove one that is too old."""
    replace_file(folder.shard(job["size"], job["number"], job["do"]), data)
    # Twice the window stays on the disk: shards differ in length.
    for other in ("labels", "self-play"):
        oldest = job["number"] - 2 * settings.window // _shard(settings, other)
        folder.shard(job["size"], oldest, other).unlink(missing_ok=True)


def _shard(settings: TrainSettings, teacher: str) -> int:
    """Return how many samples a file of `teacher` has."""
    # A sample of self-play costs a search, so its shards are smaller.
    return settings.shard if teacher == "labels" else max(1, settings.shard // 8)


class SampleCluster:
    """Lets a Dask cluster make samples for the run in `folder`."""

    def __init__(self, client: Client, address: str, folder: RunFolder) -> None:
        self._client = client
        self._address = address
        self._folder = folder
        self._settings = folder.settings()
        self._sent: tuple[int, Future[bytes]] | None = None

    async def most(self) -> int:
        """Return how many jobs should be under way."""
        return await tasks_at_once(self._client, self._address)

    async def make(self, job: Job) -> Job:
        """Do a job that makes samples; return its result.

        Raises:
            ClusterError: the workers failed again and again, or the scheduler has gone.
        """
        net = None if job["best"] is None else self._net(job["best"])
        task = self._client.submit(make_packed, self._settings, job, net, **ONCE)
        with working(self._address):
            count, data = await task.result()
        await asyncio.to_thread(keep_samples, self._folder, self._settings, job, data)
        return {"samples": count}

    def _net(self, step: int) -> Future[bytes]:
        """Return the network after `step` steps as a task, whose result workers get once each."""
        if self._sent is None or self._sent[0] != step:
            data = self._folder.candidate(step).read_bytes()
            # The scheduler can repeat a task, but not restore data that died with the workers.
            self._sent = step, self._client.submit(bytes, data)
        return self._sent[1]


def make_packed(settings: TrainSettings, job: Job, data: bytes | None) -> tuple[int, bytes]:
    """Return how many samples a job makes, and their file, with the network in `data`."""
    with _ALONE:
        subject = _subject(settings.game, job["size"], settings.label_edges)
        net = None if data is None else _loaded(data, settings.game, subject.form.planes)
        made = make_samples(settings, job, subject, net)
    return len(made), made.packed()


_subject = lru_cache(subject_of)


@lru_cache(1)
def _loaded(data: bytes, game: str, planes: int) -> Net:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "best.onnx"
        path.write_bytes(data)
        return Net.load(path, game, planes)
