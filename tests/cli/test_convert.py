"""Tests for `doublecross convert`."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from doublecross.cli.main import main
from tests.cli.samples import GAME, write_games


def test_a_file_is_converted_there_and_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_games(Path("games.txt"))
    for source, target in (("games.txt", "a.csv"), ("a.csv", "a.jsonl"), ("a.jsonl", "b.txt")):
        assert main(["convert", source, target]) == 0
        assert capsys.readouterr().err == f"Wrote 2 games to {target}.\n"
    assert Path("b.txt").read_text() == Path("games.txt").read_text()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf0, 1, 2, 3\n")))
    assert main(["convert", "-", "-", "--to", "records", "--size", "1x1"]) == 0
    assert capsys.readouterr().out.endswith("1. b3 2. b1 3. a2 4. c2 0-1\n")


def test_a_wrong_record_is_named_and_the_exit_code_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.txt").write_text(GAME.replace("c2", "b1") + "\n" + GAME)
    assert main(["convert", "games.txt", "a.jsonl"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("Record 1, line 9: At ply 2: Edge b1 is drawn already.\n")
    assert said.endswith("Wrote 1 game to a.jsonl.\n")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("games.txt games.txt", "games.txt is the file that is read; write to another one."),
        ("games.txt a.xyz", "Name the format of a.xyz with --to, or give it an ending: .txt,"),
        ("none a.csv", "none cannot be read: No such file or directory."),
        ("words a.csv", "The format of words is unknown; name it with --from."),
        ("latin a.csv", "latin cannot be read. It is not UTF-8 text."),
    ],
)
def test_wrong_input_is_refused_in_one_sentence(
    line: str,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write_games(Path("games.txt"))
    Path("words").write_text("hello")
    Path("latin").write_bytes(b"{\xe9")
    assert main(["convert", *line.split()]) == 2
    assert f"Error: {sentence}" in capsys.readouterr().err
    assert not Path("a.csv").exists()
