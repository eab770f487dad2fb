"""Jobs do the same when they are repeated, and leave out damaged samples."""

from pathlib import Path

import pytest

from bots.training.folder import RunFolder
from bots.training.jobs import Jobs
from bots.training.settings import TrainSettings

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
