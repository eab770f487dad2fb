"""Tests for `doublecross stats`: its table, and its marks for unfinished searches."""

from __future__ import annotations

import json
import signal
from itertools import count
from pathlib import Path

import pytest

from doublecross.bots import textbook
from doublecross.cli.analysis.stats import depths_of
from doublecross.cli.main import main
from tests.cli.commands import running


def table(line: str, capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    """Return the rows that `stats` prints, each as its words; check their width."""
    assert main(["stats", *line.split()]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    lines = captured.out.splitlines()
    assert all(len(row) <= 80 for row in lines), captured.out
    return [row.split() for row in lines if row[:5].strip().isdigit()]


def test_the_table_of_tic_tac_toe(capsys: pytest.CaptureFixture[str]) -> None:
    rows = table("minimax alphabeta --game tic-tac-toe --depths 9,2,5,2,12", capsys)
    assert [row[:-1] for row in rows] == [
        ["2", "minimax", "0", "82"],
        ["2", "alphabeta", "0", "26", "31.71%"],
        ["5", "minimax", "0", "18,730"],
        ["5", "alphabeta", "0", "1,079", "5.76%"],
        ["9", "minimax", "0", "549,946"],
        ["9", "alphabeta", "0", "18,297", "3.33%"],
    ]
    assert all(float(row[-1]) >= 0 for row in rows)


def test_a_depth_beyond_the_end_means_the_whole_game(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = "stats alphabeta:table=true --size 2x2 --depths 11-99999"
    assert main(line.split()) == 0
    out = capsys.readouterr().out
    assert "12 plies at most" in out
    assert "Depths beyond 12 are the whole game." in out
    assert [row.split()[:3] for row in out.splitlines()[-2:]] == [
        ["11", "alphabeta:table=true", "+1"],
        ["12", "alphabeta:table=true", "+2"],
    ]
    assert main(["stats", "alphabeta", "--size", "1x1", "--depths", "1-4"]) == 0
    assert "Depths beyond" not in capsys.readouterr().out


def test_searches_that_reach_the_limit_are_marked_and_not_tried_deeper(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A second passes at every look at the clock: minimax is cut off after some hundreds of nodes.
    ticks = count()
    monkeypatch.setattr(textbook, "now", lambda: float(next(ticks)))
    line = "stats minimax alphabeta --size 2x2 -d 2,4,5 --limit 7"
    assert main(line.split()) == 0
    out = capsys.readouterr().out
    rows = [row.split() for row in out.splitlines() if row[:5].strip().isdigit()]
    nodes = 5 * 256
    assert rows == [
        ["2", "minimax", "0", "145", "2.000"],
        ["2", "alphabeta", "0", "35", "24.14%", "2.000"],
        ["4", "minimax", "?", f">{nodes:,}", ">7.000"],
        ["4", "alphabeta", "0", "383", f"<{100 * 383 / nodes:.2f}%", "3.000"],
        ["5", "minimax", "?", "not", "tried"],
        ["5", "alphabeta", "?", f">{nodes:,}", ">7.000"],
    ]
    assert out.splitlines()[-1].startswith("> cut off after 7 s")


def test_json_is_a_line_for_each_search(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ticks = count()
    monkeypatch.setattr(textbook, "now", lambda: float(next(ticks)))
    line = "stats minimax alphabeta:table=true --size 2x2 --depths 2,9 --limit 7 --json"
    assert main(line.split()) == 0
    rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    first = rows[0]
    assert first.pop("seconds") > 0
    assert first == {
        "game": "dots-and-boxes",
        "size": "2x2",
        "bot": "minimax",
        "depth": 2,
        "complete": True,
        "value": 0.0,
        "nodes": 145,
        "cutoffs": 0,
        "tt_hits": 0,
        "pv": [0, 1],
    }
    cut = rows[2]
    assert (cut["bot"], cut["depth"], cut["complete"]) == ("minimax", 9, False)
    assert (cut["value"], cut["pv"]) == (None, [])
    assert cut["nodes"] == 5 * 256


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "Missing argument"),
        ("rules", "rules does not search to a fixed depth"),
        ("tests.bots.late_bots:OnlyTicTacToe", "does not play Dots and Boxes 5x5"),
        ("minimax:depth=3", "--depths"),
        ("minimax:seed=3", "remove the seed"),
        ("alphabeta:evaluation=best", "one of net, unfilled"),
        ("minimax --depths 0", "at least 1 ply"),
        ("minimax --depths 2,0-3", "at least 1 ply"),
        ("minimax --depths x", "is not a list of depths"),
        ("minimax --depths 2,,3", "is not a list of depths"),
        ("minimax --depths 5-2", "wrong order"),
        ("minimax --limit 0", "above zero"),
        ("minimax --limit nan", "above zero"),
        (" ".join(["minimax"] * 17), "at most 16"),
    ],
)
def test_bad_input_is_reported_in_one_sentence(
    line: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", *line.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("Error: ")
    assert captured.err.count("\n") == 1
    assert says in captured.err


def test_depths_are_read() -> None:
    assert depths_of("2,5,7-9") == [2, 5, 7, 8, 9]
    assert depths_of(" 9 , 3 - 4, 3") == [3, 4, 9]


def test_ctrl_c_keeps_the_rows_so_far(tmp_path: Path) -> None:
    line = "stats minimax --size 5x5 --depths 1,2,20 --limit 1000"
    with running(*line.split(), cwd=tmp_path) as command:
        assert command.until("3,601").split()[:2] == ["2", "minimax"]
        command.send(signal.SIGINT)
        assert command.wait() == 130
        assert command.errors == "Stopped.\n"
        assert [row.split()[0] for row in command.seen if "minimax" in row] == ["1", "2"]
