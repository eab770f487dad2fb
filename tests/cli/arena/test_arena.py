"""Tests for `doublecross arena`: the table, JSON, records, Ctrl-C, and wrong input."""

from __future__ import annotations

import io
import json
import math
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import IO

import pytest
from rich.console import Console

from doublecross.bots.arena.job import ArenaGame, ArenaJob, match_tasks
from doublecross.bots.arena.moves import Effort, MoveBudget
from doublecross.bots.arena.tally import PairTally
from doublecross.bots.registry import parse_spec
from doublecross.cli.arena.records import GameRecords
from doublecross.cli.arena.show import ArenaDisplay, duration, limits_text
from doublecross.cli.main import main
from doublecross.cli.shared.console import out
from doublecross.cli.shared.report.formatting import elo_text
from doublecross.games.record import parse_records
from doublecross.games.registry import make_game
from doublecross.stats.bootstrap import Interval
from tests.cli.commands import DEADLINE_S, PROGRAM, environment

pytestmark = pytest.mark.usefixtures("fork_server")

SMALL = "--size 2x2 --seed 1 --concurrency 2 --margin 60"


def test_the_result_is_a_table(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(out(), "_width", 80)
    line = f"arena rules random {SMALL} --pairs 10 --records games.txt"
    assert main(line.split()) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0].startswith("rules - random: +")
    won, drawn, lost = (int(part[1:]) for part in lines[0].split(": ")[1].split())
    assert won + drawn + lost == 20
    assert won > lost
    table = dict(line.rstrip().split("  ", 1) for line in lines[1:7])
    table = {name: text.strip() for name, text in table.items()}
    assert table["Score"].startswith(f"{5 * (won + drawn / 2):.1f} % (")
    assert {"Elo difference", "Normalised Elo"} <= table.keys()
    assert sum(int(n) for n in table["Pairs with 0, ½, 1, 1½, 2"].split()) == 10
    assert "Net boxes a game" in table
    assert "…" not in captured.out
    assert lines[-1] == ("10 pairs of Dots and Boxes 2x2, 0.1 s a move, seed 1; intervals of 95 %")
    printed = captured.err.splitlines()
    assert [line.split()[0] for line in printed[:-1]] == [f"{n}/20" for n in range(2, 21, 2)]
    assert printed[-1] == "Wrote 20 games to games.txt."
    records = parse_records((here / "games.txt").read_text())
    assert len(records) == 20
    results = [(r.players.index("rules"), r.result) for r in records]
    assert won == sum(r in ((0, "1-0"), (1, "0-1")) for r in results)
    assert main(["replay", "games.txt", "--game", "2", "--at", "3"]) == 0


def test_a_game_of_openspiel_is_played_and_its_records_are_read_back(here: Path) -> None:
    line = "arena random greedy --game openspiel:hex(board_size=3) --pairs 1 --records games.txt"
    assert main(line.split()) == 0
    records = parse_records(Path("games.txt").read_text())
    assert [record.game.full_title for record in records] == ["hex(board_size=3)"] * 2


def test_each_finished_game_is_in_the_file_at_once(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "games.txt").write_text("an older file")
    monkeypatch.setattr(GameRecords, "save", lambda records, tally: None)
    assert main(f"arena rules random {SMALL} --pairs 2 --records games.txt".split()) == 0
    assert len(parse_records((here / "games.txt").read_text())) == 4


def test_json_has_everything_and_the_same_seed_repeats_it(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for workers in ("1", "2"):
        line = (
            f"arena greedy random --size 2x2 --seed 4 --pairs 6 --clock 5+0.1 -c {workers} --json"
        )
        assert main(line.split()) == 0
        found.append(json.loads(capsys.readouterr().out))
    one, two = found
    assert (one.pop("concurrency"), two.pop("concurrency")) == (1, 2)
    for result in found:
        for side in ("first", "second"):
            for name in ("seconds", "longest_s", "mean_s"):
                assert result[side]["effort"].pop(name) > 0
            for name in ("searched_s", "mean_searched_s"):
                result[side]["effort"].pop(name)
    assert one == two
    assert one["pairs_planned"] == sum(one["pentanomial"]) == 6
    assert one["games"] == one["won"] + one["drawn"] + one["lost"] == 12
    assert {each["time_control"] for each in one["limits"].values()} == {"5+0.1"}
    low, high = one["score_interval"]
    assert low <= one["score"] <= high
    assert one["first"]["effort"]["overruns"] == 0


def test_a_game_with_few_openings_repeats_them(capsys: pytest.CaptureFixture[str]) -> None:
    line = "arena random random --size 1x1 --pairs 5 --opening-length 0 --seed 1 --margin 60"
    assert main(line.split()) == 0
    captured = capsys.readouterr()
    assert "There is only 1 opening" in captured.err
    assert "Openings are repeated." in captured.err
    assert captured.out.startswith("random #1 - random #2: +5 =0 -5")
    assert "Pairs with 0, ½, 1, 1½, 2  0  0  5  0  0" in captured.out
    printed = " ".join(captured.out.split())
    assert "All pairs are from 1 opening: these figures speak for this one" in printed
    assert "4 pairs of the same two players are from one that they had already" in printed


def test_failures_are_printed_a_few_times_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    line = f"arena tests.bots.bad_bots:Raises:at=2 random {SMALL} --pairs 5"
    assert main(line.split()) == 0
    captured = capsys.readouterr()
    assert captured.err.count(" by a crash: it raised ValueError: no idea") == 5
    assert captured.err.count("Further notes are not shown.") == 1
    assert captured.err.count("Traceback") == 1
    assert "tests.bots.bad_bots:Raises:at=2 lost 10 by crash." in captured.out
    assert "Elo difference             below " in captured.out


BAD = [
    ("arena rules tests.bots.bad_bots:Unmakeable --pairs 1", "cannot be made"),
    ("arena tests.bots.late_bots:OnlyTicTacToe rules", "does not play Dots and Boxes 5x5"),
    ("arena rules greedy --pairs 0", "--pairs must be from 1 to"),
    ("arena rules greedy --concurrency 0", "--concurrency must be from 1 to 256"),
    ("arena rules greedy --memory 9", "--memory must be at least 64, not 9."),
    ("arena rules mcts --memory 299", "at least 300 with mcts, whose packages need so much, not"),
    ("arena rules greedy --adjudicate 9 --memory 299", "at least 300 with --adjudicate, whose"),
    ("arena rules greedy --pin --concurrency 256", "--pin needs a core for each game at once"),
    ("gauntlet rules greedy --pin --dask tcp://a:1", "leave it out with --dask"),
    ("arena rules greedy --time 0", "--time must be above zero"),
    ("arena rules greedy --time nan", "--time must be above zero"),
    ("arena rules greedy --margin -1", "--margin must be zero or more"),
    ("arena rules greedy --clock 9+0 --margin 1", "--margin needs --time"),
    ("arena rules greedy --nodes 0", "--nodes must be above zero"),
    ("arena rules greedy --depth 0", "--depth must be above zero"),
    ("arena rules greedy --clock unlimited", "--clock must be seconds a side"),
    ("arena rules greedy --clock 0/5", "--clock must be seconds a side"),
    ("arena rules greedy --adjudicate 31", "--adjudicate must be from 1 to 30, not 31."),
    (
        "tune rules -o x=a|b --folder . --against kuleuven:ws://127.0.0.1:1",
        "kuleuven:ws://127.0.0.1:1 plays no openings",
    ),
    ("tune random -o x=a|b --folder . --game nim --adjudicate 9", "no exact solver plays Nim."),
    (
        "arena rules greedy --size 2x2 --opening-length 3 --adjudicate 9",
        "--adjudicate must be below 9: the opening leaves so many edges free.",
    ),
    ("arena rules greedy --opening-length 99", "from 0 to 60 edges"),
    ("arena rules greedy --opening-length -1", "from 0 to 60 edges"),
    ("arena rules greedy --records .", "it is a folder"),
    ("arena rules greedy --records a --csv a", "cannot be written twice"),
    ("arena rules greedy --records text.txt/file", "no such folder"),
    ("sprt rules tests.bots.bad_bots:Unmakeable --max-pairs 60", "cannot be made"),
    ("sprt rules greedy --elo0 20 --elo1 0", "--elo0 must be below --elo1; they are 20 and 0."),
    ("sprt rules greedy --elo1 2000", "--elo1 is from -1000 to 1000, not 2000"),
    ("sprt rules greedy --elo0 nan", "--elo0 is from -1000 to 1000, not nan"),
    ("sprt rules greedy --alpha 0", "--alpha must be above 0 and below 0.5, not 0"),
    ("sprt rules greedy --beta 0.5", "--beta must be above 0 and below 0.5, not 0.5"),
    ("sprt rules greedy --max-pairs 0", "--max-pairs must be from 1 to 100000, not 0"),
    ("sprt rules greedy --concurrency 0", "--concurrency must be from 1 to 256"),
    ("sprt rules greedy --time 0", "--time must be above zero"),
]


@pytest.mark.parametrize(("line", "says"), BAD, ids=[line for line, _ in BAD])
def test_wrong_input_is_reported_in_one_sentence(
    line: str, says: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line.split()) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    trace, error, sentence = captured.err.rpartition("Error: ")
    if not trace.startswith("Traceback"):
        trace, error, sentence = captured.err.partition("Error: ")
    assert error
    # A bot that fails has its traceback above the sentence.
    assert trace == "" or trace.startswith("Traceback"), captured.err
    assert bool(trace) == ("Unmakeable" in line)
    assert sentence.count("\n") == 1, captured.err
    assert any(part in captured.err for part in says.split("|")), captured.err


@contextmanager
def arena(*arguments: str, cwd: Path) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    """Run an arena; give it and its standard error."""
    with subprocess.Popen(
        [*PROGRAM, "arena", *arguments],
        cwd=cwd,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        try:
            yield process, process.stderr
        finally:
            if process.poll() is None:
                process.kill()


SLOW_GAMES = (
    "mine:Slow",
    "random",
    "--size=3x3",
    "--pairs=40",
    "--time=0.01",
    "--margin=60",
    "--concurrency=2",
)


def test_ctrl_c_prints_the_result_so_far(here: Path) -> None:
    # Beside what would break a process that imported from the folder that it is started in.
    (here / "random.py").write_text("raise ImportError('not this one')\n")
    (here / "bots").mkdir()
    (here / "bots" / "__init__.py").write_text("raise ImportError('not this one')\n")
    with arena(*SLOW_GAMES, "--json", "--records", "part.txt", cwd=here) as (process, errors):
        assert errors.readline().startswith(" 8/80 ")
        process.send_signal(signal.SIGINT)
        out, rest = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 130
    assert rest.endswith("Stopped.\n")
    assert "Traceback" not in rest
    result = json.loads(out)
    assert result["pairs_planned"] == 40
    assert 6 <= result["games"] < 80
    assert result["games"] == 2 * sum(result["pentanomial"])
    assert result["first"]["effort"]["mean_nodes"] == 7
    records = parse_records((here / "part.txt").read_text())
    assert len(records) == result["games"] + result["leftover"]


def test_a_terminal_gets_a_bar_with_the_standing(monkeypatch: pytest.MonkeyPatch) -> None:
    text = io.StringIO()
    console = Console(file=text, force_terminal=True, width=100)
    monkeypatch.setattr("doublecross.cli.arena.show.err", lambda: console)
    monkeypatch.setattr("doublecross.cli.shared.console.err", lambda: console)
    game = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
    tasks = match_tasks(game.openings(Random(1), 2).found)
    job = ArenaJob((parse_spec("rules"), parse_spec("random")), game, tasks, MoveBudget(time_s=1.0))
    show = ArenaDisplay(job, PairTally())
    with show.showing():
        for number in (0, 1):
            show.game(
                ArenaGame(tasks[0], number, (), (Effort(), Effort()), number, "completed", (3, 1)),
                0,
            )
        show.note("Something happened.")
    shown = text.getvalue()
    assert "rules - random" in shown
    assert "2/4" in shown
    assert "+2 =0 -0" in shown
    assert "Something happened." in shown


@pytest.mark.parametrize(
    ("elo", "low", "high", "text"),
    [
        (12.3, -4.6, 30.0, "+12 (-5 to +30)"),
        (math.inf, 607.0, math.inf, "above +607"),
        (-math.inf, -math.inf, -607.0, "below -607"),
        (300.0, 150.0, math.inf, "+300 (above +150)"),
        (-300.0, -math.inf, -150.0, "-300 (below -150)"),
        (math.inf, -math.inf, math.inf, "unknown"),
        (0.0, -math.inf, math.inf, "+0 (no bounds)"),
    ],
)
def test_elo_without_bounds_is_written_in_words(
    elo: float, low: float, high: float, text: str
) -> None:
    assert elo_text(elo, Interval(low, high)) == text


def test_times_and_limits_for_people() -> None:
    assert [duration(s) for s in (0.4, 89, 150, 9000)] == ["0 s", "89 s", "2 min", "2.5 h"]
    assert (
        limits_text(MoveBudget(clock_s=10, increment_s=0.1, nodes=5)) == "10+0.1 s a side, 5 nodes"
    )
    assert limits_text(MoveBudget(depth=3)) == "3 plies deep"
    assert limits_text(MoveBudget()) == "no limits"


def test_openings_from_a_file_are_repeated_and_a_folder_refuses_others(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "some").write_text("b5 a4\nposition startpos moves c4\n")
    line = f"arena random random {SMALL} --pairs 3 --openings some --folder run --records games"
    assert main(line.split()) == 0
    said = "There are only 2 openings in the file, fewer than the 3 wanted. Openings are repeated."
    assert said in capsys.readouterr().err
    named = [
        [r.game.action_name(a) for a in r.opening]
        for r in parse_records((here / "games").read_text())
    ]
    assert named == [["b5", "a4"]] * 2 + [["c4"]] * 2 + [["b5", "a4"]] * 2
    (here / "some").write_text("b5 a4\n")
    assert main(line.split()) == 2
    assert "there the choice of openings is 2 openings of a file" in capsys.readouterr().err
    (here / "some").write_text("b5 a4 b5\n")
    assert main(line.split()) == 2
    assert "some is not a file of openings. Line 1: The opening draws" in capsys.readouterr().err
