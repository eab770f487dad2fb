"""Let a Dask cluster do the work of one machine, while a worker leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest
from distributed import LocalCluster

from doublecross.bots.dask_cluster import ClusterError, cluster_map, connected
from doublecross.bots.judging.balance import find_balanced, playout_balance
from doublecross.bots.training.folder import RunFolder
from doublecross.bots.training.making import SampleCluster, keep_samples, make_packed
from doublecross.bots.training.settings import TrainSettings
from doublecross.bots.zero.grids import GENERIC_PLANES, GENERIC_SPAN
from doublecross.games.registry import make_game
from tests.bots.zero.tiny import save_net

IN_THREADS: Final[dict[str, Any]] = {
    "processes": False,
    "dashboard_address": ":0",
    "threads_per_worker": 1,
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, **IN_THREADS) as cluster:
        yield cluster


@pytest.fixture(autouse=True)
def two_workers(cluster: LocalCluster) -> None:
    cluster.scale(2)
    cluster.wait_for_workers(2)


def test_a_cluster_finds_the_openings_of_one_machine(cluster: LocalCluster) -> None:
    game = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
    balance = playout_balance(game, 4, 25, 3)
    here = list(islice(find_balanced(game, 1, 3, balance), 8))
    with cluster_map(cluster.scheduler_address) as mapped:
        search = find_balanced(game, 1, 3, balance, mapped)
        there = [next(search)]
        cluster.scale(1)
        there += islice(search, 7)
    assert there == here


async def test_a_cluster_makes_the_samples_of_one_machine(
    cluster: LocalCluster, tmp_path: Path
) -> None:
    settings = TrainSettings(game="tic-tac-toe", shard=64, simulations=4)
    here, there = RunFolder(tmp_path / "here"), RunFolder(tmp_path / "there")
    for folder in (here, there):
        folder.begin(settings)
    # The second network is another generation.
    of = {"game": "tic-tac-toe", "planes": GENERIC_PLANES, "actions": 1, "span": GENERIC_SPAN}
    nets = [save_net(there.candidate(step), step, **of).read_bytes() for step in (0, 4)]
    jobs = [
        {"do": "self-play", "size": "3x3", "number": number, "best": 4 * (number > 3)}
        for number in range(1, 7)
    ]
    for job in jobs:
        count, data = make_packed(settings, job, nets[job["number"] > 3])
        keep_samples(here, settings, job, data)
    async with connected(cluster.scheduler_address) as client:
        far = SampleCluster(client, cluster.scheduler_address, there)
        making = [asyncio.ensure_future(far.make(job)) for job in jobs]
        await making[0]
        cluster.scale(1)
        assert (await making[-1])["samples"] == count
        await asyncio.gather(*making)
    for mine, its in zip(here.shards("3x3"), there.shards("3x3"), strict=True):
        assert mine.read_bytes() == its.read_bytes()


def test_a_failure_on_the_cluster_is_one_sentence(cluster: LocalCluster) -> None:
    sentence = r"does not do its work: ZeroDivisionError: .*\.$"
    with (
        cluster_map(cluster.scheduler_address) as mapped,
        pytest.raises(ClusterError, match=sentence),
    ):
        list(mapped(partial(divmod, 1), [0]))


async def test_a_cluster_without_workers_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doublecross.bots.dask_cluster._WORKER_S", 0.01)
    async with LocalCluster(n_workers=0, asynchronous=True, **IN_THREADS) as cluster:
        with pytest.raises(ClusterError, match="has no workers"):
            async with connected(cluster.scheduler_address):
                pass
