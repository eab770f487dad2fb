"""Tests for `doublecross arena` with --report and --csv: the files, and early refusals."""

from __future__ import annotations

import csv
import html
import importlib.util
import json
import re
from pathlib import Path
from random import Random

import pytest

from doublecross.bots.arena.job import ArenaGame, ArenaJob, match_tasks
from doublecross.bots.arena.moves import Effort, MoveBudget
from doublecross.bots.arena.tally import PairTally
from doublecross.bots.registry import parse_spec
from doublecross.cli.arena import files as arena_files
from doublecross.cli.arena.files import ArenaFiles, results_of
from doublecross.cli.main import main
from doublecross.games.record import parse_records
from doublecross.games.registry import make_game
from doublecross.processes.installation import how_to_add

SMALL = "arena greedy random --size 2x2 --seed 1 --concurrency 2 --pairs 3 --margin 60"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    return tmp_path


def test_page_and_csv_refer_to_the_records(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = f"{SMALL} --records the_games.txt --report out/page.html --csv out/games.csv"
    assert main(line.split()) == 0
    printed = capsys.readouterr().err.splitlines()[-3:]
    assert printed == [
        "Wrote 6 games to the_games.txt.",
        "Wrote the games to out/games.csv and the players to out/games-players.csv.",
        "Wrote the report to out/page.html.",
    ]
    text = (here / "out" / "page.html").read_text("utf-8")
    assert "<h1>greedy - random</h1>" in text
    assert "Dots and Boxes 2x2 · 0.1 s a move, seed 1 · " in text
    links = re.findall(r'href="([^"]+)"', text)
    assert links == [f"../the_games.txt#{n}" for n in range(1, 7)]
    records = parse_records((here / "the_games.txt").read_text())
    with (here / "out" / "games.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["first"], row["second"]) for row in rows] == [r.players for r in records]
    results = {"first": "1-0", "second": "0-1", "draw": "1/2-1/2"}
    assert [results[row["winner"]] for row in rows] == [r.result for r in records]
    assert [row["record"] for row in rows] == [str(n) for n in range(1, 7)]
    assert all(int(row["finished_ms"]) > 1_700_000_000_000 for row in rows)
    assert [row["pair"] for row in rows] == [dict(r.tags)["Pair"] for r in records]
    assert [row["pair"] for row in rows] == list("112233")
    assert [row["opening"] for row in rows] == [" ".join(map(str, r.opening)) for r in records]
    players = (here / "out" / "games-players.csv").read_text().splitlines()
    assert len(players) == 3
    assert ",greedy 1," in "".join(players)


def test_the_page_and_the_csv_have_the_figures_of_the_table(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "arena rules greedy --size 3x3 --pairs 30 --nodes 100 --seed 5 --concurrency 2"
    assert main([*line.split(), "--report", "a.html", "--csv", "a.csv"]) == 0
    table = capsys.readouterr().out
    assert main([*line.split(), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    with (here / "a-players.csv").open(newline="") as file:
        first, second = csv.DictReader(file)
    assert [first["name"], second["elo"]] == ["rules", "0"]
    assert float(first["elo"]) == pytest.approx(printed["elo"], rel=1e-5)
    ends = [float(first["elo_low"]), float(first["elo_high"])]
    assert ends == pytest.approx(printed["elo_interval"], rel=1e-5)
    ends = [float(first["net_low"]), float(first["net_high"])]
    assert ends == pytest.approx(printed["net_interval"], rel=1e-5)
    assert float(first["net"]) == pytest.approx(printed["net"], rel=1e-5)
    low, high = printed["elo_interval"]
    assert f"{printed['elo']:+.0f} ({low:+.0f} to {high:+.0f})" in table
    text = (here / "a.html").read_text("utf-8")
    assert f"<strong>{printed['elo']:+.0f}</strong>" in text
    assert f"{low:+.0f} to {high:+.0f}</td>" in text
    low, high = printed["net_interval"]
    assert f"{printed['net']:+.2f} ({low:+.2f} to {high:+.2f})" in table
    assert f"{low:+.2f} to {high:+.2f}</td>" in text
    los = ">99.9 %" if printed["los"] > 0.999 else f"{100 * printed['los']:.1f} %"
    assert f"LOS                        {los}" in table
    assert f"<td>{html.escape(los)}</td>" in text
    assert printed["openings"] == 30


def test_without_a_file_the_page_holds_the_records(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SMALL.split(), "--report", "page.html"]) == 0
    text = (here / "page.html").read_text("utf-8")
    assert text.count('<div class="record"') == 6
    assert len(re.findall(r"\[Seat0 &#34;(?:greedy|random)&#34;\]", text)) == 6
    assert capsys.readouterr().err.endswith("Wrote the report to page.html.\n")
    assert list(here.iterdir()) != []
    assert not list(here.glob("*.csv"))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--report no/such/page.html", "no such folder"),
        ("--report out", "it is a folder"),
        ("--csv no/such.csv", "no such folder"),
        ("--csv .", "it is a folder"),
        ("--csv same --report same", "same cannot be written twice"),
        ("--csv g.csv --records g-players.csv", "g-players.csv cannot be written twice"),
        ("--report ./x --records out/../x", "cannot be written twice"),
    ],
)
def test_files_that_cannot_be_written_are_refused_first(
    options: str, says: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SMALL.split(), *options.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert says in captured.err


@pytest.mark.parametrize(
    ("missing", "option", "extra"),
    [
        ("matplotlib", "--report", "reports"),
        ("numpy", "--csv", "ratings"),
        ("numpy", "--report", "reports"),
    ],
)
def test_packages_that_are_missing_are_named_first(
    missing: str,
    option: str,
    extra: str,
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == missing else find(name)
    )
    assert main([*SMALL.split(), option, "file"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"({missing}): {how_to_add(extra)}\n" in captured.err
    assert captured.err.count("\n") == 1


def played(job: ArenaJob, pair: int, number: int, winner: int | None) -> ArenaGame:
    efforts = (Effort(4, 2.0, 1.5), Effort(0, 0.0, 0.0))
    return ArenaGame(job.tasks[pair], number, (), efforts, winner, "crash", (3, 1))


def half_played() -> tuple[ArenaJob, PairTally, dict[tuple[int, int], int]]:
    """Three games of three pairs, the second of which is unfinished."""
    game = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
    tasks = match_tasks(game.openings(Random(1), 3).found[:3])
    job = ArenaJob((parse_spec("rules"), parse_spec("rules")), game, tasks, MoveBudget(nodes=5), 9)
    tally, times = PairTally(), {}
    for at, (pair, number) in enumerate([(1, 0), (0, 1), (0, 0)]):
        tally.add(played(job, pair, number, 0))
        times[pair, number] = 1000 + at
    return job, tally, times


def test_an_interrupted_arena_reports_its_progress() -> None:
    job, tally, times = half_played()
    found = results_of(job, tally, times)
    assert found.title == "rules #1 - rules #2"
    assert [player.engine for player in found.players] == ["rules 1", "rules 1"]
    assert found.settings == "5 nodes, seed 9"
    assert found.notes == (
        "Stopped after 1 of 3 pairs.",
        "Normalised Elo of rules #1 against rules #2: +0 (no bounds).",
    )
    assert [(g.pair, g.game, g.name) for g in found.games] == [
        (0, 0, "1"),
        (0, 1, "2"),
        (1, 0, "3"),
    ]
    assert [g.finished_ms for g in found.games] == [1002, 1001, 1000]
    assert found.games[1].players == (1, 0)
    assert (found.games[0].mean_s, found.games[0].moves) == ((0.5, 0.0), (4, 0))


def test_a_page_with_very_many_games_explains_how_to_get_records(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena_files, "MOST_EMBEDDED", 2)
    job, tally, times = half_played()
    ArenaFiles(report=Path("page.html")).write(job, tally, times)
    text = (here / "page.html").read_text("utf-8")
    assert "With --records it links to a file that holds them" in text
    assert '<div class="record"' not in text
