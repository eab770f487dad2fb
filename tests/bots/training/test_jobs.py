"""Jobs do the same when they are repeated, and leave out damaged samples."""

from pathlib import Path

import pytest

from doublecross.bots.training.files import replace_file
from doublecross.bots.training.folder import RunFolder
from doublecross.bots.training.jobs import Jobs
from doublecross.bots.training.learning.export import onnx_bytes
from doublecross.bots.training.learning.model import NetShape, PolicyNet
from doublecross.bots.training.settings import TrainSettings
from doublecross.bots.zero.grids import GENERIC_PLANES
from doublecross.bots.zero.net import Net

SETTINGS = TrainSettings(
    sizes=("2x2",), blocks=1, channels=4, batch=16, shard=64, chunk=4, gate_every=4
)
LEARN = {"do": "learn", "from": 0, "until": 4, "slow": 1.0, "shards": {"2x2": 2}}


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    run = RunFolder(tmp_path / "run")
    run.begin(SETTINGS)
    jobs = Jobs(run.path)
    for number in (1, 2):
        jobs.do({"do": "labels", "size": "2x2", "number": number, "best": None})
    return run


def test_a_damaged_shard_is_left_out_with_a_line(
    folder: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    shard = folder.shard("2x2", 2, "labels")
    shard.write_bytes(shard.read_bytes()[:500])
    reply = Jobs(folder.path).do(LEARN)
    assert reply["step"] == 4
    assert "The samples in 000002-labels.npz are damaged. They are left out." in (
        capsys.readouterr().err
    )


def test_a_repeated_job_gives_the_same_result(folder: RunFolder) -> None:
    first = Jobs(folder.path).do(LEARN)
    net = folder.candidate(4).read_bytes()
    folder.candidate(4).unlink()
    # A new process finds the checkpoint, and has nothing to learn any more.
    assert Jobs(folder.path).do(LEARN) == first
    assert folder.candidate(4).read_bytes() == net


def test_a_gate_counts_pairs(folder: RunFolder) -> None:
    jobs = Jobs(folder.path)
    jobs.do(LEARN)
    job = {"do": "gate", "step": 4, "best": 4, "pairs": 0, "counts": [0] * 5}
    # A net that does not draw its moves plays a pair against itself 1-1.
    assert jobs.do(job) == {"counts": [0, 0, 20, 0, 0]}


def test_jobs_of_another_game(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    run.begin(
        TrainSettings(
            game="tic-tac-toe", blocks=1, channels=4, batch=16, shard=256, chunk=4, gate_every=4,
            simulations=8,
        )
    )  # fmt: skip
    jobs = Jobs(run.path)
    make = {"do": "self-play", "size": "3x3", "number": 1, "best": None}
    assert jobs.do(make)["samples"] >= 16
    shard = run.shard("3x3", 1, "self-play")
    first = shard.read_bytes()
    learn = {**LEARN, "shards": {"3x3": 1}}
    assert jobs.do(learn)["candidate"]
    net = run.candidate(4).read_bytes()
    assert Net.load(run.candidate(4), "tic-tac-toe", GENERIC_PLANES).span == 1
    # Another process repeats the jobs and gets the same.
    again = Jobs(run.path)
    again.do(make)
    run.checkpoint.unlink()
    again.do(learn)
    assert shard.read_bytes() == first
    assert run.candidate(4).read_bytes() == net
    (row,) = again.do({"do": "truth", "step": 4})["rows"]
    assert (row["size"], row["unit"]) == ("3x3", "points")
    gate = {"do": "gate", "step": 4, "best": 4, "pairs": 0, "counts": [0] * 5}
    # A net that does not draw its moves plays a pair against itself 1-1.
    assert again.do(gate) == {"counts": [0, 0, 20, 0, 0]}
    (row,) = again.do({"do": "match", "step": 4, "against": "random", "size": "3x3"})["rows"]
    assert sum(row["counts"]) == 5
    # With the network the samples are others.
    again.do({**make, "number": 2, "best": 4})
    assert run.shard("3x3", 2, "self-play").read_bytes() != first


def test_a_game_without_known_values_has_no_truth(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    run.begin(TrainSettings(game="connect-four", blocks=1, channels=4))
    net = PolicyNet(NetShape(1, 4, planes=GENERIC_PLANES, span=1, actions=1))
    replace_file(run.candidate(4), onnx_bytes(net, "connect-four", {}))
    assert Jobs(run.path).do({"do": "truth", "step": 4}) == {"rows": []}


def test_the_disk_keeps_twice_the_window_of_self_play(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    run.begin(TrainSettings(game="tic-tac-toe", shard=16, window=4, simulations=1))
    jobs = Jobs(run.path)
    for number in range(1, 7):
        jobs.do({"do": "self-play", "size": "3x3", "number": number, "best": None})
    # A file has two samples at least, so four files have twice the window.
    assert [path.name[:6] for path in run.shards("3x3")] == [f"{n:06}" for n in (3, 4, 5, 6)]
