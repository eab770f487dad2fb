"""`doublecross lessons`: the list, and the check of an author's file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doublecross.cli.main import main
from tests.analysis.course.lessons import OPENED, exercise, lesson


def test_the_lessons_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lessons"]) == 0
    shown = capsys.readouterr().out
    assert "double-dealing" in shown
    assert "The double-dealing move" in shown


def _file(folder: Path, name: str, **fields: object) -> str:
    best = exercise("best", "3x3", OPENED, **{"best": "c6", "value": 5, "moves": 2, **fields})
    path = folder / name
    path.write_text(json.dumps(lesson(best)))
    return str(path)


@pytest.mark.search
def test_an_author_hears_what_is_not_true(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = _file(tmp_path, "01-good.json")
    assert main(["lessons", "check", good]) == 0
    assert capsys.readouterr().out == "The exercise is true.\n"
    assert main(["lessons", "check", _file(tmp_path, "bad.json", value=3), good]) == 1
    assert capsys.readouterr().out == (
        "bad/one: with best play the learner ends at +5, not at +3.\n"
        "good/one has the same position as bad/one, perhaps mirrored; use another.\n"
        "2 things are not true.\n"
    )
    assert main(["lessons", "check", _file(tmp_path, "typo.json", valeu=3)]) == 2
    assert "unknown field 'valeu'" in capsys.readouterr().err


@pytest.mark.search
def test_a_position_that_cannot_be_solved_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.bots.teaching.lesson_values.NODES", 100)
    path = tmp_path / "early.json"
    path.write_text(json.dumps(lesson(exercise("play", "4x4", "b1", value=0))))
    assert main(["lessons", "check", str(path)]) == 2
    assert "too early in the game" in capsys.readouterr().err
