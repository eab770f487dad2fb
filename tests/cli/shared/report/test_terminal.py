"""Tests for the tables in a terminal: their width and their figures."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from rich.console import Console

from doublecross.cli.shared.report import formatting, notes
from doublecross.cli.shared.report.terminal import print_summary
from doublecross.stats.bootstrap import Interval
from doublecross.stats.means import Estimate
from doublecross.stats.results import Encounter, Place, PlayedGame, Results
from doublecross.stats.summary import summarise
from tests.stats.tournaments import game, pair, results, tournament


def printed(found: Results, width: int = 80, anchor: int | None = None) -> list[str]:
    out = io.StringIO()
    console = Console(file=out, width=width, markup=False, highlight=False, emoji=False)
    print_summary(console, summarise(found, Random(5), resamples=50, anchor=anchor))
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    assert max(map(len, lines)) <= width
    return lines


def block(lines: list[str], head: str) -> list[str]:
    """Return the lines of the table whose header starts like this, without the header."""
    at = next(n for n, line in enumerate(lines) if line.startswith(head))
    end = lines.index("", at)
    return lines[at + 1 : end]


def test_eight_players_with_long_names_fit_into_80_columns() -> None:
    names = [f"alphabeta:depth={at},table=true" for at in range(8)]
    lines = printed(tournament({name: 90.0 * at for at, name in enumerate(names)}, 12))
    standings, cross = block(lines, "#"), block(lines, "Points")
    assert len(standings) == len(cross) == 8
    assert standings[0].startswith("1  alphabeta:depth=7,…  ")
    assert standings[-1].startswith("8  alphabeta:depth=0,…  ")
    assert standings[0].count(" to ") == 1
    assert "%" in standings[0]
    assert all(row.split()[2 + at] == "·" for at, row in enumerate(cross))
    assert len({len(row) for row in cross}) <= 3
    assert "…" not in "".join(row[25:] for row in standings)


def test_many_players_have_no_crosstable() -> None:
    lines = printed(tournament({f"bot{at}": 10.0 * at for at in range(12)}, 1))
    assert len(block(lines, "#")) == 12
    assert not [line for line in lines if line.startswith(("Points", "Each two"))]


def test_two_players_are_shown_with_their_pairs() -> None:
    games = [*pair(0, (0, 1), 0, 0), *pair(1, (0, 1), 0, None), *pair(2, (0, 1), 1, 0)]
    lines = printed(results(["[b]A[/b]", "B"], games), anchor=1)
    assert lines[:2] == ["A cup", "Dots and Boxes 3x3, 0.1 s a move, 3 pairs"]
    (row,) = block(lines, "Each two")
    assert row.split()[:-2] == ["[b]A[/b]", "-", "B", "4½/6", *"00111", "+0.67"]
    assert block(lines, "#")[0].split()[:5] == ["1", "[b]A[/b]", "4½", "6", "75.0"]
    los = float(row.split()[-2])
    assert 50 < los < 99
    assert "fixed" in block(lines, "#")[1]
    assert lines[-1] == "Elo: B is at 0; intervals of 95 %"
    assert not [line for line in lines if line.startswith("Points")]


def test_failures_and_uncounted_games_are_reported() -> None:
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


def test_a_report_without_pairs_explains_that() -> None:
    lines = printed(results(["A", "B"], []))
    assert "No pair is complete yet, so there is nothing to rate." in lines
    assert block(lines, "#")[0].split() == ["1", "A", "0", "0", "–", "–", "–", "–"]
    empty = printed(results([], [], notes=("The tournament is not over.",)))
    assert empty[2:] == ["", "Nobody has joined yet.", "", "The tournament is not over."]


def standing(*games: list[PlayedGame], **more: Any) -> Results:
    """Return a knockout that B has won after a bye."""
    return results(
        ["A", "B", "C"],
        [g for both in games for g in both],
        **{
            "format": "knockout",
            "places": (Place(2, 2.0), Place(1, 1.5, byes=1), Place(3, 0.5)),
            "encounters": (
                Encounter(1, 1, None, (0,), onward=1),
                Encounter(1, 0, 2, (1,), onward=0),
                Encounter(2, 1, 0, (2,), onward=1),
            ),
        }
        | more,
    )


KNOCKOUT = (pair(1, (0, 2), 0, None, opening=()), pair(2, (1, 0), 1, None, opening=()))


def test_a_tournament_shows_its_winner_and_rounds() -> None:
    lines = printed(standing(*KNOCKOUT))
    assert lines[1].endswith(", 2 pairs from 1 opening")
    assert lines[2] == "Winner: B"
    assert [line.split()[:3] for line in block(lines, "#")] == [
        ["1", "B", "1½"],
        ["2", "A", "2"],
        ["3", "C", "½"],
    ]
    assert block(lines, "Round") == [
        "1      B         bye  B",
        "1      A - C    1½–½  A",
        "2      B - A    1½–½  B",
    ]
    assert "Pair 1 (B) was a bye, without games." in lines
    going = printed(standing(*KNOCKOUT, over=False))
    assert going[2] == "Ahead: B"


def test_points_for_byes_are_shown_separately() -> None:
    places = (Place(2, 2.0), Place(1, 3.5, byes=1), Place(3, 0.5))
    lines = printed(standing(*KNOCKOUT, format="swiss", places=places))
    first = block(lines, "#")[0].split()
    assert first[:5] == ["1", "B", "3½", "2", "75.0"]
    assert "Points of B: 2 of them for a bye." in lines


def test_shared_places_are_marked() -> None:
    places = (Place(1, 2.0), Place(1, 1.5), Place(3, 0.5))
    lines = printed(standing(*KNOCKOUT, places=places))
    assert lines[2] == "Winners, who share first place: A and B"
    assert [line.split()[0] for line in block(lines, "#")] == ["1=", "1=", "3"]


def test_a_tie_on_points_is_no_win_even_if_the_tie_break_decides_the_places() -> None:
    places = (Place(2, 2.0), Place(1, 2.0, byes=1), Place(3, 0.0))
    lines = printed(standing(*KNOCKOUT, format="swiss", places=places))
    assert lines[2] == "Winners, who share first place: A and B"
    assert "A and B have 2 points each; B is listed first by the tie-break." in lines
    going = printed(standing(*KNOCKOUT, format="swiss", places=places, over=False))
    assert going[2] == "Ahead: A and B"
    assert "Points of C: ½ more, of games with players who left early, do not count." in lines


def test_few_openings_cause_a_warning() -> None:
    lines = " ".join(printed(standing(*KNOCKOUT)))
    assert "All pairs are from 1 opening: ratings, intervals and the first mover’s score" in lines
    assert "First mover: 75.0 %, no interval" in lines
    # Once is enough.
    assert "too few openings" not in lines
    assert lines.count("no interval") == 1
    again = [g for at in range(12) for g in pair(at, (0, 1), 0, 1, opening=(at % 11,))]
    lines = " ".join(printed(results(["A", "B"], again)))
    assert "All pairs are from" not in lines
    assert "There were too few openings: 1 pair of the same two players is from one" in lines
    fresh = [g for at in range(12) for g in pair(at, (0, 1), 0, 1, opening=(at,))]
    assert "opening" not in " ".join(printed(results(["A", "B"], fresh))[2:])


def test_a_bound_is_shown_and_explained() -> None:
    games = [g for at in range(6) for g in pair(at, (0, 1), 0, 0)]
    lines = printed(results(["A", "B"], games))
    first, second = (line.split() for line in block(lines, "#"))
    assert first[6:8] == ["+0", "fixed"]
    assert second[6:8] == ["–", "below"]
    bound = second[8]
    text = " ".join(lines)
    assert (
        f"“below {bound}” of B: the results only show that it is at least {bound[1:]} below 0"
        in (text)
    )
    assert "only within each of these groups: A; B." in text
    assert lines[-1] == "Elo: A is at 0; intervals of 95 %"
    assert "Elo difference" not in text


@pytest.mark.parametrize(
    ("low", "high", "says"),
    [
        (-math.inf, -290.4, "at least 290 below 0"),
        (-math.inf, 912.0, "at most 912 above 0"),
        (150.0, math.inf, "at least 150 above 0"),
        (-75.0, math.inf, "at most 75 below 0"),
    ],
)
def test_bounds_are_put_into_words(low: float, high: float, says: str) -> None:
    games = [*pair(0, (0, 1), 0, 1), *pair(1, (0, 2), 0, 0)]
    found = summarise(results(["A", "B", "C"], games), Random(5), resamples=2)
    standing = found.standings[2]
    assert standing.rating is not None
    wanted = replace(standing, rating=replace(standing.rating, interval=Interval(low, high)))
    assert says in notes.one_sided(replace(found, standings=(*found.standings[:2], wanted)))


def test_a_name_cannot_steer_the_terminal() -> None:
    lines = printed(results(["a\x1b[2Jb\n", "B"], pair(0, (0, 1), 0, 1), title="t\x07"))
    assert "\x1b" not in "".join(lines)
    assert lines[0] == "t\ufffd"


@pytest.mark.parametrize(
    ("points", "text"), [(0, "0"), (0.5, "½"), (1.0, "1"), (12.5, "12½"), (200.0, "200")]
)
def test_points_are_written_with_halves(points: float, text: str) -> None:
    assert formatting.halves(points) == text


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
    assert formatting.seconds(value) == text


def test_numbers_for_people() -> None:
    assert [formatting.likelihood(x) for x in (0.0, 0.0004, 0.5, 0.9996, 1.0)] == [
        "<0.1 %",
        "<0.1 %",
        "50.0 %",
        ">99.9 %",
        ">99.9 %",
    ]
    assert formatting.net(-0.001) == "+0.00"
    assert formatting.net_text(Estimate(1.0, Interval(-math.inf, math.inf))) == "+1.00 (no bounds)"
    assert formatting.bounds(Interval(-0.2, math.inf)) == "above +0"
    assert formatting.bounds(Interval(-math.inf, -14.6)) == "below -15"
    assert formatting.count(1, "pair") == "1 pair"
    assert formatting.count(12000, "game") == "12,000 games"
    assert formatting.score_of_pair(1.5) == "1½–½"
    assert formatting.kinds({"completed": 2, "crash": 1}) == "2 on the board, 1 by crash"


def test_names_that_are_cut_stay_different() -> None:
    mcts = ("mcts simulations 200", "mcts simulations 1000", "hard")
    assert formatting.shorts(mcts, 12) == ("mcts…200", "mcts…1000", "hard")
    assert formatting.shorts(mcts, 21) == mcts
    depths = ("alphabeta:depth=7,table=true", "alphabeta:depth=6,table=true")
    assert formatting.shorts(depths, 20) == ("alphabeta:depth=7,…", "alphabeta:depth=6,…")
    assert formatting.shorts(depths, 12) == ("alph…7,tabl…", "alph…6,tabl…")
    alike = (f"{'n' * 20}a{'n' * 20}", f"{'n' * 20}b{'n' * 20}", "mmmmmmmmmmmmmmmmmmmmmm")
    assert formatting.shorts(alike, 12)[:2] == ("nnnn…nnnn #1", "nnnn…nnnn #2")
    for names in (mcts, depths, alike):
        for most in (9, 12, 18):
            cut = formatting.shorts(names, most)
            assert len(set(cut)) == len(names)
            assert max(map(len, cut)) <= most
    assert formatting.short("日本語の名前" * 5, 9) == "日本語の…語の名前"
