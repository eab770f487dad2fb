"""Continue an arena and a test in a folder, after an end that left half of the games."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from doublecross.bots.arena.folder import GAMES
from doublecross.cli.main import main
from doublecross.games.record import parse_records

pytestmark = pytest.mark.usefixtures("fork_server")

COMMON = "--size 2x2 --seed 1 --concurrency 2 --margin 60 --json --records games.txt"
TIMES = re.compile(r"seconds|_s$|overruns|games_beyond")


def without_times(value: object) -> object:
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if not TIMES.search(k)}
    return value


def cut_off(folder: Path, lines: int) -> None:
    """Leave what a kill leaves: some games, and a line that is not whole."""
    games = (folder / GAMES).read_bytes().splitlines(keepends=True)
    (folder / GAMES).write_bytes(b"".join((*games[:lines], games[lines][:30])))


@pytest.mark.parametrize(
    "line",
    [
        f"arena rules random {COMMON} --pairs 6",
        f"sprt rules random {COMMON} --elo0 0 --elo1 300 --max-pairs 20",
    ],
)
def test_a_run_that_was_cut_off_ends_with_the_same_result(
    here: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    results = []
    for _ in range(2):
        assert main(f"{line} --folder run".split()) == 0
        result = without_times(json.loads(capsys.readouterr().out))
        games = parse_records((here / "games.txt").read_text())
        results.append((result, [(g.players, g.opening, g.moves, g.date) for g in games]))
        cut_off(here / "run", 5)
    (first, played), (second, again) = results
    assert first == second
    # Games beyond the verdict depend on how many were played at once.
    assert played[:8] == again[:8]


def test_another_run_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "arena random random --size 2x2 --pairs 1 --concurrency 1 --folder run"
    assert main(line.split()) == 0
    seed = re.search(r"seed (\d+)", capsys.readouterr().out)
    assert main(line.split()) == 0
    captured = capsys.readouterr()
    assert seed is not None
    assert f"seed {seed[1]};" in captured.out
    assert "2 games are in run already." in captured.err
    assert main(line.replace("pairs 1", "pairs 2").split()) == 2
    error = "run has games of another run: there the number of pairs is 1, here 2."
    assert error in " ".join(capsys.readouterr().err.split())
    assert main([*line.split(), "--adjudicate", "4"]) == 2
    error = "there the adjudication is off, here 4."
    assert error in " ".join(capsys.readouterr().err.split())
    (here / "run" / GAMES).write_text("{}\n")
    assert main(line.split()) == 2
    assert "games.jsonl is damaged; choose another folder." in capsys.readouterr().err
