"""`doublecross train` trains, continues after a kill as if nothing had happened, and reports."""

import csv
import json
import os
import re
import signal
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from distributed import LocalCluster

from doublecross.bots.training.making import keep_samples
from doublecross.cli.main import main
from doublecross.cli.train.plots import TITLES
from doublecross.cli.train.show import best_text
from doublecross.processes import forks
from doublecross.processes.installation import how_to_add
from tests.cli.commands import running

TINY = (
    *("train", "--sizes", "2x2", "--blocks", "1", "--channels", "4", "--workers", "1"),
    *("--against", "none", "--set", "batch=16", "--set", "shard=64", "--set", "chunk=4"),
    *("--set", "gate_every=8", "--set", "reuse=2", "--steps", "24"),
)

PRELOADED = (
    "doublecross.bots.training.jobs",
    "doublecross.bots.training.teachers.labels:prepare_labels",
    # The first step of a learner and its first network import these two, for two seconds.
    *("torch._dynamo", "torch.onnx"),
)


@pytest.fixture(scope="module", autouse=True)
def fork_server() -> Iterator[None]:
    """Import once what each process of a training imports, for five seconds."""
    with forks.serving(PRELOADED, ()):
        yield


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, fork_server: None) -> Path:
    """A run from its beginning to its end."""
    out = tmp_path_factory.mktemp("whole") / "run"
    assert main([*TINY, "--out", str(out)]) == 0
    return out


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_a_killed_run_continues_to_the_same_net(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with running(*TINY, "--out", str(out), cwd=tmp_path, forks=True) as command:
        command.until("step 8: losses")
        os.kill(command.process.pid, signal.SIGKILL)
        command.wait()
    assert json.loads((out / "state.json").read_text())["step"] < 24
    assert main([*TINY, "--out", str(out)]) == 0
    for name in ("best.onnx", "candidates/step-0000024.onnx"):
        assert (out / name).read_bytes() == (whole / name).read_bytes()
    found, wanted = (
        [[row[name] for name in ("step", "policy", "score")] for row in rows(path / "losses.csv")]
        for path in (out, whole)
    )
    assert found == wanted


def test_a_run_leaves_tables_plots_and_a_page(whole: Path) -> None:
    assert [row["step"] for row in rows(whole / "losses.csv")] == ["4", "8", "12", "16", "20", "24"]
    kinds = {row["kind"] for row in rows(whole / "ratings.csv")}
    assert kinds == {"truth", "gate"}
    page = (whole / "report.html").read_text()
    assert "Training on 2x2" in page
    for name in ("losses", "best", "lost"):
        picture = (whole / f"{name}.svg").read_bytes()
        assert f"data:image/svg+xml;base64,{b64encode(picture).decode()}" in page
        # Both modes, and no fixed colour: a white ground would dazzle in the dark.
        assert b"prefers-color-scheme:dark" in picture
        assert b"stroke: var(--series-0)" in picture
        assert re.findall(rb"(?:fill|stroke): #\w+", picture) == []
        # The heading stands above the picture, so it is not in the picture, too.
        assert TITLES[name].encode() not in picture
        assert page.count(f"<h2>{TITLES[name]}</h2>") == 1
    assert page.count("<img") == 3
    assert "net " not in re.sub(r"<[^>]*>", " ", page.partition("</style>")[2])
    assert "http://" not in page
    assert "https://" not in page


def test_the_report_says_how_the_run_went(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "report", str(whole)]) == 0
    text = capsys.readouterr().out
    assert "24 steps in 0:" in text
    assert "Step 24, 2x2: best move in" in text
    assert "Gate at step 8: the first network" in text


def test_a_net_is_measured(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = ("--size", "2x2", "--games", "4", "--positions", "5")
    assert main(["train", "test", str(whole / "best.onnx"), *few]) == 0
    assert "boxes lost a game against best play (4 games, whole games)" in capsys.readouterr().out
    assert main(["train", "test", str(whole / "best.onnx"), *few, "--simulations", "8"]) == 0
    assert "8 simulations a move" in capsys.readouterr().out


@pytest.mark.timeout(180)
def test_another_game_is_trained_with_a_cluster_reported_and_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny = (
        *("train", "--game", "tic-tac-toe", *TINY[3:], "--set", "simulations=4"),
        *("--set", "shard=512", "--steps", "8"),
    )
    out = tmp_path / "run"
    # This process stores what a cluster makes.
    keep = Mock(wraps=keep_samples)
    monkeypatch.setattr("doublecross.bots.training.making.keep_samples", keep)
    with LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as cluster:
        assert main([*tiny, "--out", str(out), "--dask", cluster.scheduler_address]) == 0
    assert keep.called
    page = (out / "report.html").read_text()
    assert "Training on tic-tac-toe 3x3" in page
    assert "Points lost a game" in page
    assert "Boxes" not in page.replace("Dots and Boxes", "")
    # The folder knows the game.
    assert main(["train", "--out", str(out), "--steps", "8"]) == 0
    assert "has reached its end" in capsys.readouterr().out
    assert main(["train", "report", str(out)]) == 0
    assert "points lost a game" in capsys.readouterr().out
    test = ("train", "test", str(out / "best.onnx"))
    assert main([*test, "--games", "2", "--positions", "5", "--simulations", "8"]) == 0
    text = capsys.readouterr().out
    assert "best.onnx on 3x3, 8 simulations a move:" in text
    assert "points lost a game against best play (2 games)" in text
    assert main([*test, "--against", "random", "--pairs", "1"]) == 0
    assert "on 3x3 against random:" in capsys.readouterr().out
    assert main([*test, "--size", "6x6"]) == 2
    assert "is too large to be solved by plain search. Measure" in capsys.readouterr().err
    assert main([*test, "--no-solver"]) == 2
    assert "--no-solver is for dots-and-boxes" in capsys.readouterr().err


@pytest.mark.timeout(180)
def test_a_run_begins_from_another_one(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    other = ("--sizes", "2x2,2x3", "--teacher", "both", "--steps", "8")
    assert main([*TINY, *other, "--from", str(whole), "--out", str(out)]) == 0
    state = json.loads((out / "state.json").read_text())
    before = json.loads((whole / "state.json").read_text())
    assert state["given"] == before["samples"]
    assert state["samples"]["2x3"] > 0
    gates = [
        json.loads(line)
        for line in (out / "journal.jsonl").read_text().splitlines()
        if '"gate"' in line
    ]
    assert gates[0]["best"] == 0  # the first opponent is the best network of the run before
    given = (whole / "samples" / "2x2" / "000001-labels.npz").read_bytes()
    assert (out / "samples" / "2x2" / "000001-labels.npz").read_bytes() == given


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--blocks", "2"), "has blocks 1, so its network does not fit."),
        (("--from", "nothing"), "There is no training run in nothing."),
    ],
)
def test_a_run_that_does_not_fit_is_no_beginning(
    whole: Path,
    arguments: tuple[str, ...],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    source = ("--from", str(whole), *arguments)
    assert main(["train", *source, "--out", "new"]) == 2
    assert sentence in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_finished_run_says_so(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TINY, "--out", str(whole)]) == 0
    assert "has reached its end. Give it more hours or steps." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--channels", "8"), "has channels 4. Leave the option out to continue it"),
        (("--sizes", "3x3"), "has sizes 2x2. Leave the option out to continue it"),
    ],
)
def test_other_settings_do_not_continue_a_run(
    whole: Path, arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--out", str(whole), "--steps", "9", *arguments]) != 0
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Name the folder of the run"),
        (("--out", "new", "--hours", "0"), "--hours must be above zero, not 0."),
        (("--out", "new", "--set", "size=3"), "There is no setting 'size'; there are"),
        (("--out", "new", "--set", "batch=2.5"), "The setting batch is a whole number, not '2.5'."),
        (("--out", "new", "--set", "batch"), "Give the setting batch a value: --set batch=NUMBER"),
        (("--out", "new", "--against", "nobody"), "There is no bot 'nobody'"),
        (("report", "new"), "There is no training run in new."),
        (("test", "new.onnx"), "There is no network at new.onnx."),
    ],
)
def test_wrong_requests_get_one_sentence(
    arguments: tuple[str, ...],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", *arguments]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert "Traceback" not in error
    assert not list(tmp_path.iterdir())


def test_missing_packages_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name == "torch" else real(name, *a)
    )
    assert main(["train", "--out", str(tmp_path / "new")]) == 2
    assert f"(torch): {how_to_add('engines', 'train', 'reports')}\n" in capsys.readouterr().err


def test_only_nets_of_games_that_zero_plays_are_offered_for_play() -> None:
    net = Path("best.onnx")
    assert best_text(net, "dots-and-boxes", "3x3").endswith("Play it: zero:net=best.onnx")
    assert best_text(net, "tic-tac-toe", "3x3").endswith("Play it: zero:net=best.onnx")
    assert "Measure it: doublecross train test best.onnx" in best_text(net, "nim", "1x3x5x7")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
