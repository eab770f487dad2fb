"""A cluster of three real nodes keeps what it has promised while parts of it break."""

from __future__ import annotations

from pathlib import Path

from tests.cluster.faults.faults import FAULTS
from tests.cluster.faults.running import Plan, chosen, run
from tests.cluster.harness.binaries import need

FAULTS_HERE = ("kill-leader", "cut-nats-short", "lose-commit", "freeze")


async def test_games_go_on(tmp_path: Path) -> None:
    need("postgres", "initdb", "nats-server")
    plan = Plan(FAULTS_HERE, pairs=6, seekers=2, entrants=3, pause_s=0.1)
    said: list[str] = []
    outcomes, load = await run(tmp_path, plan, said.append)
    assert load.book.faults == [], "\n".join(said)
    assert [outcome.name for outcome in outcomes] == list(FAULTS_HERE)
    # Games were in play while things broke; some pairs may have been between two of theirs.
    assert all(len(outcome.waits) >= plan.pairs // 2 for outcome in outcomes), said
    assert load.book.moves > 200
    assert load.tournaments


def test_the_choice_has_every_fault() -> None:
    assert sorted(chosen(len(FAULTS), 1)) == sorted(FAULTS)
    assert chosen(50, 2) == chosen(50, 2) != chosen(50, 3)
    assert set(FAULTS_HERE) <= set(FAULTS)
