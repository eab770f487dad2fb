"""Tests for `doublecross openings make`."""

from __future__ import annotations

from pathlib import Path

import pytest

from doublecross.bots.opening_lines import read_openings
from doublecross.cli.main import main
from doublecross.games.registry import make_game

BOARD = make_game("dots-and-boxes", {"rows": 3, "cols": 3})


def test_balanced_openings_are_written_with_their_figures(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make = "openings make {} --size {} --length {} --balance {} --seed 1 -o some"
    assert main(make.format(4, "3x3", 8, "exact").split()) == 0
    first, *lines = (here / "some").read_text().splitlines()
    assert first == "# Dots and Boxes 3x3, seed 1, balance: exact"
    assert {line.partition("  # ")[2] for line in lines} <= {"value +1", "value -1"}
    assert len(read_openings(BOARD, (here / "some").read_text())) == 4
    assert main(make.format(3, "1x1", 1, "none").split()) == 1
    assert (here / "some").read_text() == "# Dots and Boxes 1x1, seed 1, balance: none\nb3\n"
    assert "no more openings of this length: 1 of 1 are balanced." in capsys.readouterr().err
