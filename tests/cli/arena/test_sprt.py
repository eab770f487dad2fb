"""Tests for `doublecross sprt`: verdicts, the order of pairs, Ctrl-C, and wrong input."""

from __future__ import annotations

import io
import json
import re
import signal
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from rich.console import Console

from doublecross.bots.arena.job import ArenaGame
from doublecross.bots.arena.sprt_trial import Decided, Trial
from doublecross.cli.arena.run import Run
from doublecross.cli.arena.sprt_show import SprtDisplay, doubt
from doublecross.cli.main import main
from doublecross.cli.shared.console import FAILED, Problem
from doublecross.games.record import parse_records
from doublecross.stats.sprt import Sprt
from tests.bots.arena.test_sprt_trial import JOB, game, won
from tests.cli.commands import DEADLINE_S, PROGRAM, environment
from tests.cli.family import Family

pytestmark = pytest.mark.usefixtures("fork_server")

WIDE = "--elo0 0 --elo1 200 --size 2x2 --seed 1 --nodes 1000"
"""A test that a few pairs decide, with deterministic bots."""


def test_a_decided_test_stops_and_prints_its_verdict(
    here: Path, capsys: pytest.CaptureFixture[str], children: Family
) -> None:
    line = f"sprt rules random {WIDE} --concurrency 2 --max-pairs 100 --records games.txt"
    assert main([*line.split(), "--report", "page.html", "--csv", "games.csv"]) == 0
    assert children("doublecross.bots.arena.child") == []
    captured = capsys.readouterr()
    *table, verdict = captured.out.splitlines()
    assert verdict.startswith("H1 accepted after ")
    pairs = int(verdict.split()[3])
    assert 7 <= pairs < 40
    assert "for rules - random the results speak for +200 Elo, not 0 (LLR +" in verdict
    assert verdict.endswith("bounds -2.94 and +2.94).")
    assert table[0].startswith("rules - random: +")
    assert f"{pairs} pairs of Dots and Boxes 2x2, 1000 nodes, seed 1;" in captured.out
    printed = captured.err.splitlines()
    # This line appears once for the whole test: openings repeat.
    assert sum("12 openings" in line for line in printed) == 1
    standings = [line for line in printed if "  LLR " in line]
    assert len(standings) >= 2
    assert standings[-1].startswith(f"{pairs} pairs  LLR ")
    assert "(-2.94 to +2.94)" in standings[0]
    records = parse_records((here / "games.txt").read_text())
    assert 2 * pairs <= len(records) < 200
    assert all(record.moves for record in records)
    beyond = len(records) - 2 * pairs
    assert ("beyond these pairs not counted" in captured.out) == (beyond > 0)
    page = (here / "page.html").read_text("utf-8")
    assert f"H1 accepted after {pairs} pairs: " in page
    assert f"The LLR after each of {pairs} pairs: " in page
    assert re.findall(r'href="([^"]+)"', page)[-1] == f"games.txt#{2 * pairs}"
    assert len((here / "games.csv").read_text().splitlines()) == 1 + 2 * pairs


def test_the_verdict_does_not_depend_on_the_number_of_workers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = []
    for count in (1, 3):
        assert main(f"sprt random rules {WIDE} --concurrency {count} --json".split()) == 0
        found.append(json.loads(capsys.readouterr().out))
    for result in found:
        assert result.pop("concurrency") in (1, 3)
        assert result.pop("games_beyond") >= 0
        for side in ("first", "second"):
            for name in ("seconds", "longest_s", "mean_s", "searched_s", "mean_searched_s"):
                result[side]["effort"].pop(name)
    one, other = found
    assert one == other
    assert (one["verdict"], one["ended"]) == ("H0", "bound")
    assert one["sentence"].startswith(f"H0 accepted after {one['pairs']} pairs: ")
    assert one["llr"] <= one["lower"] < 0 < one["upper"]
    assert sum(one["pentanomial"]) == one["pairs"] < one["max_pairs"] == 10_000
    assert one["distinct_openings"] == 12
    names = ("elo0", "elo1", "alpha", "beta")
    assert [one[name] for name in names] == [0, 200, 0.05, 0.05]
    assert {each["nodes"] for each in one["limits"].values()} == {1000}


def test_it_is_undecided_when_all_pairs_are_played(capsys: pytest.CaptureFixture[str]) -> None:
    line = "sprt random random --size 3x3 --max-pairs 4 --seed 1 --concurrency 2 --margin 60"
    assert main(line.split()) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[-1].startswith(
        "Undecided after 4 pairs, the most allowed: for random #1 - random #2 the results speak"
        " neither for 0 Elo nor for +20 (LLR "
    )
    assert "Openings are repeated" not in captured.err


def test_sigterm_ends_it_undecided_as_ctrl_c_does(here: Path) -> None:
    arguments = "mine:Slow random --size 3x3 --time 0.01 --margin 60 -c 2 --seed 1 --elo1 1 --json"
    with subprocess.Popen(
        [*PROGRAM, "sprt", *arguments.split(), "--records", "part.txt"],
        cwd=here,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            while "pairs  LLR" not in process.stderr.readline():
                pass
            children = psutil.Process(process.pid).children()
            process.send_signal(signal.SIGTERM)
            out, errors = process.communicate(timeout=DEADLINE_S)
        finally:
            if process.poll() is None:
                process.kill()
    assert process.returncode == 0
    assert "Traceback" not in errors
    assert len(children) == 2
    assert psutil.wait_procs(children, timeout=10)[1] == []
    result = json.loads(out)
    assert (result["verdict"], result["ended"]) == (None, "interrupted")
    assert result["sentence"].startswith(f"Undecided, stopped after {result['pairs']} pairs: ")
    assert result["pairs"] >= 2
    records = parse_records((here / "part.txt").read_text())
    assert len(records) == 2 * result["pairs"] + result["games_beyond"]


# -- the order of pairs, without games ------------------------------------------------------------


def test_repeated_openings_are_a_reason_for_doubt() -> None:
    again = replace(JOB, tasks=JOB.tasks + JOB.tasks)
    assert doubt(again, 100) == ""
    assert doubt(again, 101).startswith("Only 100 openings differ in these 101 pairs. ")


def test_a_terminal_gets_a_live_line(monkeypatch: pytest.MonkeyPatch) -> None:
    text = io.StringIO()
    console = Console(file=text, force_terminal=True, width=140)
    for module in (
        "doublecross.cli.arena.sprt_show",
        "doublecross.cli.arena.show",
        "doublecross.cli.shared.console",
    ):
        monkeypatch.setattr(f"{module}.err", lambda: console)
    trial = Trial(Sprt(0, 200))
    show = SprtDisplay(JOB, trial)
    with show.showing():
        show.game(game(0, 0, 1.0), 0)
        show.game(game(0, 1, 0.0), 0)
        show.game(game(1, 0, 1.0), 0)
        show.game(game(1, 1, 0.5), 0)
    shown = text.getvalue()
    assert "rules - random" in shown
    assert "2 pairs" in shown
    assert f"LLR {trial.llr:+.2f} (-2.94 to +2.94)  Elo +89" in shown
    assert "all won" not in shown


def playing(
    games: Iterable[ArenaGame], end: BaseException | None
) -> Callable[[Run, SprtDisplay], None]:
    """Replace `Run.play`: report these games, then raise the error."""

    def play(run: Run, show: SprtDisplay) -> None:
        try:
            for played in games:
                show.game(played, 0)
        except Decided:
            if end is None:
                raise
        if end is not None:
            raise end

    return play


def test_without_a_terminal_it_prints_progress_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    even = [game(pair, number, float(number)) for pair in range(100) for number in (0, 1)]
    monkeypatch.setattr("doublecross.cli.arena.run.Run.play", playing(even, None))
    line = "sprt rules random --elo1 2 --max-pairs 100 --size 3x3 --json"
    assert main(line.split()) == 0
    captured = capsys.readouterr()
    warning, *printed = [line.split()[0] for line in captured.err.splitlines()]
    assert warning == "Even"  # winning every game would not be enough
    assert printed == ["1", "2", "5", "10", "20", "50", "100"]
    assert json.loads(captured.out)["ended"] == "max-pairs"


def test_ctrl_c_while_the_workers_of_a_decided_test_end_does_not_undo_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "doublecross.cli.arena.run.Run.play", playing(won(*range(80)), KeyboardInterrupt())
    )
    line = "sprt rules random --elo1 200 --size 3x3 --json"
    assert main(line.split()) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["verdict"], result["ended"]) == ("H1", "bound")


def test_a_failed_test_prints_its_result_so_far(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = Problem("The workers do not stay up.", FAILED)
    monkeypatch.setattr("doublecross.cli.arena.run.Run.play", playing(won(0), lost))
    assert main(["sprt", "rules", "random", "--size", "3x3"]) == FAILED
    captured = capsys.readouterr()
    assert captured.out.splitlines()[-1].startswith("Undecided, failed after 1 pair: ")
    assert "Error: The workers do not stay up.\n" in captured.err


def test_too_few_pairs_for_a_clean_score_are_told_before_the_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("doublecross.cli.arena.run.Run.play", playing((), None))
    for most, told in ((206, True), (207, False)):
        main(["sprt", "rules", "random", "--elo1", "5", "--max-pairs", str(most)])
        assert ("needs 207 pairs" in capsys.readouterr().err) is told
