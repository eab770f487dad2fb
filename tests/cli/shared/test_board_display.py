"""Tests for the live board of a match."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.cli.shared.board_display import BoardDisplay
from doublecross.cli.shared.console import out
from doublecross.games.registry import make_game

NAMES = ("Ann", "Bob")


@pytest.fixture
def display() -> BoardDisplay:
    out.cache_clear()
    return BoardDisplay(make_game("dots-and-boxes", {"rows": 1, "cols": 1}), NAMES)


def move(ply: int, seat: int, action: int) -> dict[str, Any]:
    return {"what": "move", "ply": ply, "seat": seat, "action": action, "expected": None}


def test_the_last_position_and_the_result_are_printed(
    display: BoardDisplay, capsys: pytest.CaptureFixture[str]
) -> None:
    with display.showing():
        display.news({"what": "began", "opening": [0], "room": "r", "players": list(NAMES)})
        for ply, action in enumerate((1, 2, 3)):
            display.news(move(ply, ply % 2, action))
        ended = {"index": 0, "seat": 0, "winner": 0, "termination": "completed", "scores": [1, 0]}
        display.news({"what": "game", **ended})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["A", "Ann", "1"]
    assert lines[1].split() == ["B", "Bob", "0"]
    assert " 2 | A #" in lines
    assert lines[-1] == "Ann wins 1:0."


def test_a_move_that_is_reported_again_is_not_played_twice(
    display: BoardDisplay, capsys: pytest.CaptureFixture[str]
) -> None:
    with display.showing():
        display.news({"what": "began", "opening": [], "room": "r", "players": list(NAMES)})
        for _ in range(2):
            display.news(move(0, 0, 0))
        display.news(move(1, 1, 1))
    assert capsys.readouterr().out.splitlines()[-1].startswith("Move 2: Bob ")
