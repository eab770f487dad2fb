"""Let a Dask cluster do the work of one machine, while a worker leaves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

import pytest
from distributed import LocalCluster

from doublecross.bots.dask_cluster import ClusterError, cluster_map
from doublecross.bots.judging.balance import find_balanced, playout_balance
from doublecross.games.registry import make_game


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    about = {"processes": False, "dashboard_address": ":0", "threads_per_worker": 1}
    with LocalCluster(n_workers=2, **about) as cluster:
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


def test_a_failure_on_the_cluster_is_one_sentence(cluster: LocalCluster) -> None:
    sentence = r"does not do its work: ZeroDivisionError: .*\.$"
    with (
        cluster_map(cluster.scheduler_address) as mapped,
        pytest.raises(ClusterError, match=sentence),
    ):
        list(mapped(partial(divmod, 1), [0]))
