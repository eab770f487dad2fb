"""Holds sample records."""

from __future__ import annotations

from pathlib import Path

GAME = """\
[Game "dots-and-boxes"]
[Size "1x1"]
[Seat0 "Ann"]
[Seat1 "[bold]Bob[/]"]
[TimeControl "60+1"]
[Result "0-1"]
[Termination "completed"]

1. b1 {59.250} 2. a2 {60.125} 3. c2 {9.500} 4. b3 {58.000} 0-1
"""

LINE = """\
[Game "tic-tac-toe"]
[Size "3x3x3"]
[Seat0 "Cid"]
[Seat1 "Dee"]
[Result "1-0"]
[Termination "resigned"]

1. a1 2. b2 1-0
"""


def write_games(path: Path) -> None:
    path.write_text(f"{GAME}\n{LINE}")
