"""A cluster of three real nodes keeps what it has promised while parts of it break."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cluster.faults.faults import faults
from tests.cluster.faults.running import Plan, chosen, run
from tests.services.binaries import need, need_hosts

HERE = Plan(
    ("kill-leader", "cut-nats-short", "lose-commit", "freeze"),
    pairs=6,
    seekers=2,
    entrants=3,
    pause_s=0.1,
)
CUTS = ("cut-from-node", "cut-crosswise", "move-node")
ON_HOSTS = Plan(CUTS, True, pairs=6, seekers=2, entrants=0, seed=6, pause_s=0.1)
PLANS = pytest.mark.parametrize("plan", [HERE, ON_HOSTS], ids=["here", "on hosts"])


@PLANS
async def test_games_go_on(tmp_path: Path, plan: Plan) -> None:
    need("postgres", "initdb", "nats-server")
    if plan.hosts:
        need("haproxy")
        need_hosts().close()
    said: list[str] = []
    outcomes, load = await run(tmp_path, plan, said.append)
    assert load.book.faults == [], "\n".join(said)
    assert [outcome.name for outcome in outcomes] == list(plan.faults)
    # Games were in play while things broke; some pairs may have been between two of theirs.
    assert all(len(outcome.waits) >= plan.pairs // 2 for outcome in outcomes), said
    assert load.book.moves > 200
    assert bool(load.tournaments) == bool(plan.entrants)


@PLANS
def test_the_choice_has_every_fault(plan: Plan) -> None:
    names = faults(hosts=plan.hosts)
    assert sorted(chosen(len(names), 1, hosts=plan.hosts)) == sorted(names)
    assert chosen(50, 2) == chosen(50, 2) != chosen(50, 3)
    assert {*plan.faults, "fail-over"} <= set(names)
    assert ("lose-commit" in names) is not plan.hosts
