"""A run's folder survives damage, and refuses what is not its own."""

import errno
import json
from pathlib import Path

import pytest

from doublecross.bots.training.folder import RunFolder, disk_sentence
from doublecross.bots.training.settings import TrainError, TrainSettings

SETTINGS = TrainSettings(sizes=("2x2",), seed=7)


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    run = RunFolder(tmp_path / "run")
    run.begin(SETTINGS)
    return run


def test_settings_are_kept(folder: RunFolder) -> None:
    assert folder.settings() == SETTINGS


def test_a_foreign_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir")
    with pytest.raises(TrainError, match="has other files and no training run"):
        RunFolder(tmp_path).begin(SETTINGS)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir")
    with pytest.raises(TrainError, match=r"is a file\. Name a folder"):
        RunFolder(tmp_path / "letter.txt").begin(SETTINGS)


@pytest.mark.parametrize("text", ["", "{", "{}", "[1]", '{"sizes": ["3x3"]}'])
def test_damaged_settings_are_refused(folder: RunFolder, text: str) -> None:
    (folder.path / "run.json").write_text(text)
    with pytest.raises(TrainError, match="of another version, or its"):
        folder.settings()


def test_what_was_written_after_the_state_is_cut_off(folder: RunFolder) -> None:
    folder.append({"kind": "learn", "step": 10})
    folder.write_state({"step": 10})
    folder.append({"kind": "learn", "step": 20})
    state = folder.read_state()
    assert state is not None
    folder.cut_journal(state["journal"])
    assert [entry["step"] for entry in folder.journal()] == [10]


def test_a_damaged_line_of_the_journal_is_noted_and_left_out(tmp_path: Path) -> None:
    notes: list[str] = []
    folder = RunFolder(tmp_path / "run", notes.append)
    folder.begin(SETTINGS)
    folder.append({"step": 1})
    with (folder.path / "journal.jsonl").open("a") as file:
        file.write('{"step": 2')
    assert list(folder.journal()) == [{"step": 1}]
    assert notes == ["Line 2 of journal.jsonl is damaged and left out."]


def test_a_damaged_state_is_refused(folder: RunFolder) -> None:
    (folder.path / "state.json").write_text('{"step": ')
    with pytest.raises(TrainError, match=r"state\.json is damaged"):
        folder.read_state()


def test_only_one_process_trains_in_a_folder(folder: RunFolder) -> None:
    with (
        folder.locked(),
        pytest.raises(TrainError, match="Another process is training"),
        RunFolder(folder.path).locked(),
    ):
        pass


def test_a_full_disk_has_a_sentence_of_its_own() -> None:
    full = disk_sentence(OSError(errno.ENOSPC, "No space left on device"), Path("runs/a"))
    assert full == (
        "The disk with runs/a is full. Make room, and start the same command again: the run"
        " continues."
    )
    other = disk_sentence(PermissionError(errno.EACCES, "Permission denied", "x"), Path("runs/a"))
    assert other == "x cannot be used: permission denied."


@pytest.mark.parametrize("text", ["{}", json.dumps({**SETTINGS.to_json(), "more": 1})])
def test_settings_of_other_versions_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no settings of this version"):
        TrainSettings.from_json(text)


@pytest.mark.parametrize(
    ("name", "value"),
    [("rate", float("nan")), ("rate", -1), ("seed", -5), ("channels", 10**6), ("reuse", 0)],
)
def test_numbers_that_no_run_can_use_are_refused(name: str, value: float) -> None:
    with pytest.raises(TrainError, match=f"The setting {name} is from "):
        TrainSettings(**{name: value})  # type: ignore[arg-type]


def test_a_damaged_best_net_is_restored(tmp_path: Path) -> None:
    notes: list[str] = []
    folder = RunFolder(tmp_path / "run", notes.append)
    folder.begin(SETTINGS)
    folder.candidate(500).write_bytes(b"net")
    folder.best.write_bytes(b"garbage")
    folder.restore_best(500)
    assert folder.best.read_bytes() == b"net"
    assert "best.onnx was damaged. It is the network after 500 steps again." in notes[0]
    folder.restore_best(500)
    folder.restore_best(None)
    assert len(notes) == 1
