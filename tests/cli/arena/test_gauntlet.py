"""Test `doublecross gauntlet`: its table, files and records, and that it continues."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doublecross.bots.arena.folder import GAMES
from doublecross.cli.main import main
from doublecross.games.record import parse_records

pytestmark = pytest.mark.usefixtures("fork_server")


def test_a_bot_meets_each_opponent_from_the_same_openings(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = (
        "gauntlet rules random greedy --size 2x2 --pairs 3 --seed 1 --concurrency 2 --margin 60"
        " --folder run"
    )
    files = "--records games.txt --report page.html --csv games.csv"
    assert main([*line.split(), *files.split()]) == 0
    shown = capsys.readouterr().out
    rows = [text.split()[:2] for text in shown.splitlines()[2:5]]
    assert rows == [["random", "3"], ["greedy", "3"], ["all", "6"]]
    assert "3 pairs of Dots and Boxes 2x2 against each, 0.1 s a move, seed 1;" in shown
    records = parse_records((here / "games.txt").read_text())
    openings = [record.opening for record in records]
    assert len(openings) == 12
    assert openings[0:2] == openings[2:4] != openings[4:6]
    assert ["random" in record.players for record in records] == [True, True, False, False] * 3
    assert "Normalised Elo of rules against all: " in (here / "page.html").read_text("utf-8")
    assert len((here / "games.csv").read_text().splitlines()) == 13
    # What a kill leaves.
    games = (here / "run" / GAMES).read_bytes().splitlines(keepends=True)
    (here / "run" / GAMES).write_bytes(b"".join((*games[:5], games[5][:30])))
    assert main([*line.split(), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["second"]["name"] for one in found["opponents"]] == ["random", "greedy"]
    assert [one["games"] for one in found["opponents"]] == [6, 6]
    assert list(found["limits"]) == ["rules", "random", "greedy"]
    each = [one["pentanomial"] for one in found["opponents"]]
    assert found["all"]["pentanomial"] == [a + b for a, b in zip(*each, strict=True)]
    again = "  ".join(f"{100 * one['score']:.1f} %" for one in found["opponents"])
    assert again == "  ".join(text.split()[2] + " %" for text in shown.splitlines()[2:4])
