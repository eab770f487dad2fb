"""The plan hands out jobs, and decides about candidates."""

import json
from typing import Any

import pytest

from doublecross.bots.training.plan import RunPlan
from doublecross.bots.training.settings import TrainError, TrainSettings, board_named

SETTINGS = TrainSettings(
    sizes=("2x2", "3x3"), shard=512, batch=64, chunk=10, gate_every=20, gate_pairs=200
)
LOSSES = {"policy": 1.0, "score": 1.0, "mean": 1.0, "ownership": 1.0}


def reply_to(job: dict[str, Any], better: bool = True) -> dict[str, Any]:
    match job["do"]:
        case "labels" | "self-play":
            return {"samples": 512}
        case "learn":
            candidate = job["until"] % SETTINGS.gate_every == 0 or job.get("last", False)
            return {"step": job["until"], "losses": LOSSES, "candidate": candidate}
        case "gate":
            if job["best"] is None:
                return {"counts": [0] * 5}
            return {"counts": [0, 0, 0, 0, 20] if better else [20, 0, 0, 0, 0]}
        case _:
            return {"rows": []}


def play(plan: RunPlan, *, jobs: int = 1000, better: bool = True) -> list[str]:
    """Do jobs one after another, as a run with one process."""
    done = []
    while not plan.over and len(done) < jobs:
        job = plan.next_job(learns=True, makes=True)
        assert job is not None
        plan.done(job, reply_to(job, better))
        done.append(job["do"])
    return done


def test_a_run_with_one_process_does_everything_in_turn() -> None:
    plan = RunPlan(SETTINGS, steps=40)
    assert play(plan) == [
        *("labels", "labels", "learn", "learn", "truth", "gate", "promote"),
        *("learn", "learn", "truth", "gate", "gate", "promote"),
    ]
    assert plan.best == 40
    assert plan.samples == {"2x2": 512, "3x3": 512}


def test_the_last_net_is_a_candidate() -> None:
    plan = RunPlan(SETTINGS, steps=30)
    done = play(plan)
    assert done[-6:] == ["learn", "learn", "truth", "gate", "gate", "promote"]
    assert plan.best == 30


def test_learning_waits_for_samples() -> None:
    settings = TrainSettings(sizes=("2x2",), shard=512, batch=64, chunk=8, reuse=2.0)
    plan = RunPlan(settings, steps=50)
    # 8 steps see 512 samples, and each shard allows 1024.
    assert play(plan, jobs=6) == ["labels", "learn", "learn"] * 2


def test_a_worse_candidate_is_rejected() -> None:
    plan = RunPlan(SETTINGS, steps=40)
    play(plan, better=False)
    assert plan.best == 20
    assert plan.accepted == 1


def test_an_undecided_gate_ends_and_keeps_the_best_net() -> None:
    plan = RunPlan(SETTINGS, {"best": 20, "step": 40, "nominated": 40}, steps=40)
    plan.waiting = [{"do": "gate", "step": 40, "best": 20, "pairs": 0, "counts": [0] * 5}]
    parts = 0
    while not plan.over:
        job = plan.next_job(learns=False, makes=True)
        assert job is not None
        entries = plan.done(job, {"counts": [5, 0, 10, 0, 5]})
        parts += 1
    assert parts == SETTINGS.gate_pairs // 20
    assert entries[0]["accepted"] is False
    assert entries[0]["verdict"] == "none"


def test_a_state_continues_where_it_was_stored() -> None:
    whole, plan = RunPlan(SETTINGS, steps=60), RunPlan(SETTINGS, steps=60)
    wanted = play(whole)
    found = []
    for jobs in (3, 1, 4, 100):
        found += play(plan, jobs=jobs)
        plan = RunPlan(SETTINGS, json.loads(json.dumps(plan.state())), steps=60)
    assert found == wanted
    assert plan.state() == whole.state()


def test_a_job_that_was_not_done_is_given_out_again() -> None:
    plan = RunPlan(SETTINGS, steps=40)
    job = plan.next_job(learns=True, makes=True)
    assert job is not None
    plan.give_back(job)
    assert plan.next_job(learns=True, makes=True) == job


def test_two_processes_make_different_shards_and_one_learns() -> None:
    plan = RunPlan(SETTINGS, steps=40)
    jobs = [plan.next_job(learns=False, makes=True) for _ in range(3)]
    assert [(job["size"], job["number"]) for job in jobs if job] == [
        *(("2x2", 1), ("3x3", 1), ("2x2", 2)),
    ]
    assert plan.next_job(learns=True, makes=False) is None
    for job in jobs:
        assert job is not None
        plan.done(job, {"samples": 512})
    learn = plan.next_job(learns=True, makes=False)
    assert learn is not None
    assert learn["do"] == "learn"
    assert plan.next_job(learns=True, makes=False) is None


def test_teachers_wait_for_the_learner() -> None:
    plan = RunPlan(SETTINGS, steps=100)
    made = 0
    while job := plan.next_job(learns=False, makes=True):
        plan.done(job, {"samples": 512})
        made += 1
    assert made == 16 * 2 + 1
    learn = plan.next_job(learns=True, makes=False)
    assert learn is not None
    plan.done(learn, {"step": 10, "losses": LOSSES, "candidate": False})
    assert plan.next_job(learns=False, makes=True) is not None


def test_teachers_go_on_until_the_learner_has_enough() -> None:
    # A batch takes more samples than the teachers may otherwise be ahead.
    settings = TrainSettings(sizes=("2x2",), shard=16, batch=512, chunk=1, reuse=0.5)
    assert "learn" in play(RunPlan(settings, steps=1), jobs=6)


def test_learning_waits_for_samples_of_a_new_size() -> None:
    # The run before had samples of 2x2 only.
    plan = RunPlan(SETTINGS, {"given": {"2x2": 10**6}}, steps=10_000)
    made = {"labels": 0, "learn": 0}
    for job in play(plan, jobs=60):
        made[job] = made.get(job, 0) + 1
    # 10 steps see 640 samples, half of them of 3x3. Each pair of shards allows 8 * 512 of these.
    assert made["learn"] <= made["labels"] / 2 * 8 * 512 / 320


def test_the_learning_rate_falls_at_the_end() -> None:
    plan = RunPlan(SETTINGS, {"step": 990, "samples": {"2x2": 10**6, "3x3": 10**6}}, steps=1000)
    job = plan.next_job(learns=True, makes=False)
    assert job is not None
    assert 0.03 <= job["slow"] < 0.1


def test_time_ends_a_run() -> None:
    plan = RunPlan(SETTINGS, {"seconds": 50.0}, seconds=60.0)
    assert not plan.over
    plan.seconds = 61.0
    assert plan.over


def test_both_teachers_take_turns_once_there_is_a_net() -> None:
    settings = TrainSettings(sizes=("2x2",), teacher="both")
    plan = RunPlan(settings, {"best": 500}, steps=1)
    jobs = [plan.next_job(learns=False, makes=True) for _ in range(4)]
    assert [job["do"] for job in jobs if job] == ["self-play", "labels"] * 2


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        ("5", "no size of a board"),
        ("0x3", "no size of a board"),
        ("9x9", "too large to train on"),
        ("1x4", "too few junctions"),
    ],
)
def test_sizes_that_cannot_be_trained_are_refused(size: str, sentence: str) -> None:
    with pytest.raises(TrainError, match=sentence):
        board_named(size)
