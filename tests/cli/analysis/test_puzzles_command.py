"""`doublecross puzzles`: equal seeds make equal files, and files can be checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from doublecross.analysis.puzzles.book import read_book
from doublecross.bots.teaching import candidates
from doublecross.cli.analysis import puzzles as make
from doublecross.cli.main import main

pytestmark = pytest.mark.search


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make, "SIZES", ("3x3",))
    # The other bots load kernels.
    monkeypatch.setattr(candidates, "PLAYERS", ("rules", "greedy", "medium"))


def test_equal_seeds_make_equal_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        path = tmp_path / name
        found = main(["puzzles", "make", "-o", str(path), "--seed", str(seed), "--games", "2"])
        assert found == 0
        texts.append(path.read_text())
    assert texts[0] == texts[1] != texts[2]
    book = read_book(texts[0])
    assert book.command == "doublecross puzzles make --seed 1 --games 2 --count 360"
    assert f"{len(book.puzzles)} puzzles" in capsys.readouterr().out
    assert main(["puzzles", "check", str(tmp_path / "a")]) == 0
    assert f"All {len(book.puzzles)} puzzles are right." in capsys.readouterr().out


def test_a_limited_file_has_many_kinds(tmp_path: Path) -> None:
    path = tmp_path / "a"
    main(["puzzles", "make", "-o", str(path), "--games", "6", "--count", "8"])
    book = read_book(path.read_text())
    assert len(book.puzzles) == 8
    assert len({puzzle.kind for puzzle in book.puzzles}) >= 4


def test_what_is_wrong_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a"
    assert main(["puzzles", "check", str(path)]) == 2
    assert "cannot be read" in capsys.readouterr().err
    path.write_text("{}")
    assert main(["puzzles", "check", str(path)]) == 2
    assert "does not begin with a header" in capsys.readouterr().err.replace("\n", " ")
    nowhere = str(tmp_path / "no" / "a")
    assert main(["puzzles", "make", "-o", nowhere, "--games", "1"]) == 2
    assert "cannot be written" in capsys.readouterr().err
