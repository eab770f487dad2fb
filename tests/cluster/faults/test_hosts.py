"""A cluster on hosts of their own keeps what it has promised while its network fails."""

from __future__ import annotations

from pathlib import Path

from tests.cluster.faults.running import Plan, chosen, faults, run
from tests.cluster.harness.binaries import need, need_hosts

FAULTS_HERE = ("cut-from-node", "cut-crosswise", "move-node")


async def test_games_go_on_on_hosts_of_their_own(tmp_path: Path) -> None:
    need("postgres", "initdb", "nats-server", "haproxy")
    need_hosts().close()
    plan = Plan(FAULTS_HERE, True, pairs=6, seekers=2, entrants=0, seed=6, pause_s=0.1)
    said: list[str] = []
    outcomes, load = await run(tmp_path, plan, said.append)
    assert load.book.faults == [], "\n".join(said)
    assert [outcome.name for outcome in outcomes] == list(FAULTS_HERE)
    assert all(len(outcome.waits) >= plan.pairs // 2 for outcome in outcomes), said
    assert load.book.moves > 200


def test_the_choice_has_every_fault_of_hosts() -> None:
    names = faults(hosts=True)
    assert sorted(chosen(len(names), 1, hosts=True)) == sorted(names)
    assert {*FAULTS_HERE, "kill-leader", "fail-over"} <= set(names)
    assert "lose-commit" not in names
