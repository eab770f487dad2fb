"""Play an arena on a Dask cluster, of which a worker leaves."""

from __future__ import annotations

from random import Random

import pytest
from distributed import LocalCluster

from doublecross.bots.arena.arena import Arena
from doublecross.bots.arena.cluster import ClusterArena
from doublecross.bots.arena.job import ArenaGame, ArenaJob, match_tasks
from doublecross.bots.arena.moves import MoveBudget
from doublecross.bots.dask_cluster import ClusterError
from doublecross.bots.registry import parse_spec
from doublecross.games.registry import make_game

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 2})


def job_of(pairs: int) -> ArenaJob:
    bots = (parse_spec("rules"), parse_spec("random"))
    tasks = match_tasks(GAME.openings(Random(1), pairs).found)
    return ArenaJob(bots, GAME, tasks, MoveBudget(time_s=20.0), seed=3)


def moves(games: list[ArenaGame]) -> dict[tuple[int, int], tuple[int, ...]]:
    return {(g.task.number, g.game): tuple(move.action for move in g.moves) for g in games}


@pytest.mark.processes
async def test_a_cluster_has_the_results_of_one_machine_even_if_a_worker_leaves() -> None:
    job, here, there = job_of(5), list[ArenaGame](), list[ArenaGame]()
    await Arena(job, workers=1, on_game=here.append).run()
    about = {"processes": False, "dashboard_address": ":0", "threads_per_worker": 1}
    async with LocalCluster(n_workers=2, asynchronous=True, **about) as cluster:

        def on_game(played: ArenaGame) -> None:
            there.append(played)
            if len(there) == 1:
                cluster.scale(1)

        arena = ClusterArena(job, cluster.scheduler_address, on_game=on_game, done=here[:3])
        await arena.run()
    assert len(there) == 7
    assert moves(there).items() <= moves(here).items()


async def test_a_cluster_that_is_not_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doublecross.bots.dask_cluster._CONNECT_S", 0.1)
    with pytest.raises(ClusterError, match=r"No Dask scheduler answers at tcp://127.0.0.1:1\."):
        await ClusterArena(job_of(1), "tcp://127.0.0.1:1", on_game=lambda played: None).run()
