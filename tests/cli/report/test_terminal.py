"""Tables in a terminal: they fit, and say what the summary says."""

from __future__ import annotations

import io
import math
from random import Random

import pytest
from rich.console import Console

from cli.report import words
from cli.report.terminal import print_summary
from stats.bootstrap import Interval
from stats.results import Results
from stats.summary import Estimate, summarise
from tests.stats.tournaments import game, pair, results, tournament


def printed(found: Results, width: int = 80, anchor: int | None = None) -> list[str]:
    out = io.StringIO()
    console = Console(file=out, width=width, markup=False, highlight=False, emoji=False)
    print_summary(console, summarise(found, Random(5), resamples=50, anchor=anchor))
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    assert max(map(len, lines)) <= width
    return lines


def block(lines: list[str], head: str) -> list[str]:
    """The lines of the table whose header begins so, without it."""
    at = next(n for n, line in enumerate(lines) if line.startswith(head))
    end = lines.index("", at)
    return lines[at + 1 : end]


def test_eight_players_with_long_names_fit_into_80_columns() -> None:
    names = [f"alphabeta:depth={at},table=true" for at in range(8)]
    lines = printed(tournament({name: 90.0 * at for at, name in enumerate(names)}, 12))
    standings, cross = block(lines, "#"), block(lines, "Points")
    assert len(standings) == len(cross) == 8
    assert standings[0].startswith("1  alphabeta:depth=7,t…  +")
    assert standings[0].count(" to ") == 1
    assert "%" in standings[0]
    assert all(row.split()[2 + at] == "·" for at, row in enumerate(cross))
    assert len({len(row) for row in cross}) <= 3
    assert "…" not in "".join(row[25:] for row in standings)


def test_many_players_have_no_crosstable() -> None:
    lines = printed(tournament({f"bot{at}": 10.0 * at for at in range(12)}, 1))
    assert len(block(lines, "#")) == 12
    assert not [line for line in lines if line.startswith(("Points", "Each two"))]


def test_two_players_are_told_with_their_pairs() -> None:
    games = [*pair(0, (0, 1), 0, 0), *pair(1, (0, 1), 0, None), *pair(2, (0, 1), 1, 0)]
    lines = printed(results(["[b]A[/b]", "B"], games), anchor=1)
    assert lines[:2] == ["A cup", "Dots and Boxes 3x3, 0.1 s a move, 3 pairs"]
    (row,) = block(lines, "Each two")
    assert row.split()[:-2] == ["[b]A[/b]", "-", "B", "4½/6", *"00111", "+0.67"]
    los = float(row.split()[-2])
    assert 50 < los < 99
    assert "fixed" in block(lines, "#")[1]
    assert lines[-1] == "Elo: B is at 0; intervals of 95 %"
    assert not [line for line in lines if line.startswith("Points")]


def test_failures_and_what_is_not_counted_are_told() -> None:
    games = [
        game(0, 0, (0, 1), 0, termination="crash"),
        game(0, 1, (0, 1), 0, termination="timeout"),
        game(1, 0, (0, 1), 0, name="lonely"),
        *pair(2, (0, 1), None, None, void=True),
    ]
    lines = printed(results(["A", "B"], games, notes=("Stopped early.",)))
    assert block(lines, "Lost by") == ["B            1        1"]
    assert "Not counted: 1 game of an unfinished pair (lonely)." in lines
    assert "Not counted: 2 games of pairs that were voided (2.0, 2.1)." in lines
    assert "Stopped early." in lines


def test_without_games_there_is_a_table_all_the_same() -> None:
    lines = printed(results(["A", "B"], []))
    assert block(lines, "#")[0].split() == ["1", "A", "–", "–", "0/0", "–", "–"]


def test_a_name_cannot_steer_the_terminal() -> None:
    lines = printed(results(["a\x1b[2Jb\n", "B"], pair(0, (0, 1), 0, 1), title="t\x07"))
    assert "\x1b" not in "".join(lines)
    assert lines[0] == "t\ufffd"


@pytest.mark.parametrize(
    ("points", "text"), [(0, "0"), (0.5, "½"), (1.0, "1"), (12.5, "12½"), (200.0, "200")]
)
def test_points_are_written_with_halves(points: float, text: str) -> None:
    assert words.halves(points) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.00002, "0.02 ms"),
        (0.0032, "3.2 ms"),
        (0.0456, "46 ms"),
        (0.0996, "0.1 s"),
        (0.25, "0.25 s"),
        (12.4, "12 s"),
    ],
)
def test_times_have_two_digits(value: float | None, text: str) -> None:
    assert words.seconds(value) == text


def test_numbers_for_people() -> None:
    assert [words.likelihood(x) for x in (0.0, 0.0004, 0.5, 0.9996, 1.0)] == [
        "0.0 %",
        "<0.1 %",
        "50.0 %",
        ">99.9 %",
        "100.0 %",
    ]
    assert words.net(-0.001) == "+0.00"
    assert words.net_text(Estimate(1.0, Interval(-math.inf, math.inf))) == "+1.00 (no bounds)"
    assert words.bounds(Interval(-0.2, math.inf)) == "above +0"
    assert words.bounds(Interval(-math.inf, -14.6)) == "below -15"
    assert words.count(1, "pair") == "1 pair"
    assert words.count(12000, "game") == "12,000 games"
    assert words.score_of_pair(1.5) == "1½–½"
    assert words.kinds({"completed": 2, "crash": 1}) == "2 on the board, 1 by crash"
