"""Tests for `doublecross ladder`: the report, its files, Ctrl-C, failing bots, wrong input."""

from __future__ import annotations

import csv
import json
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from doublecross.cli.main import main
from doublecross.cli.tournament.ladder import plan
from doublecross.games.record import parse_records
from doublecross.games.registry import make_game
from doublecross.server.data_folder import data_folder
from tests.cli.commands import Command, running
from tests.cli.family import Family

pytestmark = [pytest.mark.timeout(120), pytest.mark.usefixtures("fork_server")]

SERVER, BOT = "doublecross.cli.main", "doublecross.bots.hosting.resident"
PROCESSES = (SERVER, BOT, "doublecross.bots.workers.child")
"""The modules of the processes of a ladder."""

MINE = """
import os
import sys
import threading
import time
from pathlib import Path

from doublecross.bots.api import Bot, Choice

BEGUN, ALLOWED, MOVES = Path("begun.txt"), Path("allowed.txt"), Path("moves.txt")


def end():
    while not BEGUN.exists():
        time.sleep(0.01)
    os._exit(3)


ORDERS = "".join(sys.argv[1:2])  # of the process that keeps the connection: a JSON object

if "fragile.txt" in os.listdir() and ORDERS.startswith("{") and '"mine:' in ORDERS:
    threading.Thread(target=end, daemon=True).start()


class Slow(Bot):
    name = "slow"
    summary = "makes as many moves as a file has letters, if there is one"

    def choose(self, state, limit, stop):
        BEGUN.touch()
        if ALLOWED.exists():
            with MOVES.open("a") as moves:
                moves.write(".")
            while MOVES.stat().st_size > ALLOWED.stat().st_size:
                time.sleep(0.01)
        return Choice(state.legal_actions()[0])
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "text.txt").write_text("hello\n")
    return tmp_path


@contextmanager
def ladder(line: str, cwd: Path) -> Iterator[tuple[Command, Iterator[str]]]:
    """A running ladder, and the lines that it writes to its standard error."""
    with running("ladder", *line.split(), cwd=cwd, forks=True) as command:
        yield command, errors_of(command)


def errors_of(command: Command) -> Iterator[str]:
    read, ended = 0, False
    while not ended:
        ended = command.process.poll() is not None
        lines = command.errors.splitlines(keepends=True)
        for line in lines[read:]:
            if line.endswith("\n"):
                read += 1
                yield line
        time.sleep(0.01)


def until(stream: Iterator[str], text: str) -> str:
    """Read lines until one contains `text`; return that line."""
    lines = []
    for line in stream:
        if text in line:
            return line
        lines.append(line)
    raise AssertionError(f"{text!r} was not printed, but {lines}")


def games_in(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def assert_each_once(path: Path, pairs: int) -> None:
    """Assert that the file has all games of so many pairs, each once."""
    games = Counter((int(game["pair"]), int(game["game"])) for game in games_in(path))
    assert games == {(pair, number): 1 for pair in range(1, pairs + 1) for number in (1, 2)}


def test_a_ladder_is_played_reported_and_shown_again(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "ladder random greedy rules --size 2x2 --pairs 2 --report a.html --csv a.csv"
    line += " --json a.json --records a.txt"
    assert main(line.split()) == 0
    first = capsys.readouterr()
    lines = first.out.splitlines()
    assert lines[:3] == [
        "3 bots, round robin of Dots and Boxes 2x2, 10+0.1, 2 game pairs when two meet.",
        "",
        "random, greedy, rules",
    ]
    assert lines[3] == (
        "Dots and Boxes 2x2, round robin, 2 pairs when two meet, 10+0.1, seed 1,"
        " 6 pairs from 2 openings"
    )
    assert lines[4].startswith("Winner")
    table = [line.split()[:2] for line in lines[7:10]]
    assert sorted(name for _, name in table) == ["greedy", "random", "rules"]
    printed = first.err.splitlines()
    assert printed[0].startswith("The bots get ready: ")
    assert printed[-4:] == [
        "Wrote the records to a.txt.",
        "Wrote the games to a.csv and the players to a-players.csv.",
        "Wrote a.json.",
        "Wrote the report to a.html.",
    ]
    found = json.loads((here / "a.json").read_text())
    assert (found["title"], found["games"]) == ("random, greedy, rules", 12)
    assert_each_once(here / "a.csv", 6)
    assert len((here / "a-players.csv").read_text().splitlines()) == 4
    page = (here / "a.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "random, greedy, rules" in page
    assert len(parse_records((here / "a.txt").read_text())) == 12
    assert main(["replay", "a.txt", "--game", "12", "--at", "3"]) == 0
    capsys.readouterr()

    assert main([*line.split(), "--concurrency", "7"]) == 0
    again = capsys.readouterr()
    assert again.out.splitlines() == lines[2:]
    assert again.err.startswith("This ladder has ended already; this is its result.\n")
    assert json.loads((here / "a.json").read_text()) == found


@pytest.mark.slow
def test_a_ladder_continues_after_ctrl_c_and_after_the_end_of_a_bot(
    here: Path, capsys: pytest.CaptureFixture[str], children: Family
) -> None:
    line = "mine:Slow random --size 2x2 --pairs 8 --concurrency 2"

    def allow(moves: int) -> None:
        # So the ladder cannot end while this test waits for the processor.
        with (here / "allowed.txt").open("a") as allowed:
            allowed.write("." * moves)

    allow(6)
    with ladder(line, here) as (command, errors):
        assert until(errors, "get ready")
        until(errors, "0 of 16 games")

        assert main(["ladder", *line.split()]) == 2
        second = capsys.readouterr()
        assert second.out == ""
        assert f"is playing a ladder in {data_folder() / 'ladder'}" in second.err

        bot, _ = children(BOT)
        bot.kill()
        note = until(errors, "killed")
        assert re.fullmatch(
            r"The process of (Slow|random) was killed by SIGKILL\. It is started again\.\n", note
        )
        allow(24)
        until(errors, " of 16 games")
        command.send(signal.SIGINT)
        assert command.wait() == 130
    rest = command.errors
    assert rest.splitlines()[-2:] == ["The same command continues from here.", "Stopped."]
    assert "Traceback" not in rest
    assert "Error" not in rest
    how_far = next(line for line in command.seen if line.startswith("running, "))
    before = int(how_far.split()[1])
    assert 0 < before < 16
    assert not any(map(children, PROCESSES))

    allow(1000)
    with ladder(f"{line} --concurrency 3 --csv a.csv", here) as (command, errors):
        # One line for each meeting. The first line depends on which bot is ready first.
        began = until(errors, " of 16 games")
        assert command.wait() == 0, command.errors
    assert int(began.split()[0]) >= before
    assert_each_once(here / "a.csv", 8)
    assert not any(map(children, PROCESSES))


def test_bots_that_fail_again_and_again_are_set_aside(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "fragile.txt").touch()
    monkeypatch.setattr("doublecross.bots.hosting.ladder.PAUSE_S", 0.01)
    line = "mine:Slow tests.bots.bad_bots:Raises random --format ladder --rounds 99 --time 1"
    assert main(["ladder", *line.split(), "--size=2x2"]) == 0
    captured = capsys.readouterr()
    assert captured.err.count("It is started again.") == 3
    assert captured.err.count("The process of Slow ended with exit code 3. It is given up.") == 1
    # Those that are played at the same time count as one.
    assert re.search(r"Raises was excluded: lost \d+ games in a row by crash ", captured.out)
    assert "Slow was excluded: its process ended again and again." in captured.out
    assert "The tournament was ended before its time." in captured.out


def test_a_bot_that_cannot_join_is_reported_before_any_game(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    children: Family,
) -> None:
    monkeypatch.setattr("doublecross.bots.hosting.ladder.PAUSE_S", 0.01)
    monkeypatch.setattr("doublecross.bots.hosting.ladder.STARTS", 1)
    assert main(["ladder", "random", "tests.bots.bad_bots:Unmakeable"]) == 2
    captured = capsys.readouterr()
    last = captured.err.splitlines()[-1]
    assert last.startswith("Error: Unmakeable cannot play: ")
    assert "Traceback" not in captured.err
    assert children() == []


def test_the_end_of_the_server_is_reported(
    here: Path, capsys: pytest.CaptureFixture[str], children: Family
) -> None:
    with ladder("mine:Slow random --size 4x4", here) as (command, errors):
        until(errors, "0 of 20 games")
        (server,) = children(SERVER)
        server.kill()
        assert command.wait() == 1
    assert command.errors.splitlines()[-1].startswith("Error: The server was killed by SIGKILL. ")
    assert not any(map(children, PROCESSES))


BAD = [
    ("rules", "at least two bots"),
    ("rules greedy --format chess", "There is no format 'chess'"),
    ("rules greedy --format swiss", "A Swiss tournament needs a number of --rounds"),
    ("rules greedy --format ladder", "set it with --rounds"),
    ("rules greedy --format ladder --rounds 5 --pairs 5", "use --rounds, not --pairs"),
    ("rules greedy --rounds 3", "The number of rounds of a round robin follows from its bots"),
    ("tests.bots.late_bots:OnlyTicTacToe rules", "does not play Dots and Boxes 5x5"),
    ("rules greedy --pairs 0", "--pairs"),
    ("rules greedy --seed 99999999999999999999", "--seed"),
    ("rules greedy --concurrency 0", "--concurrency"),
    ("rules kuleuven:ws://127.0.0.1:1", "kuleuven:ws://127.0.0.1:1 plays no openings"),
    ("rules greedy --report no/a.html", "there is no such folder"),
    ("rules greedy --folder text.txt", "The folder text.txt cannot be made"),
]


@pytest.mark.parametrize(("line", "says"), BAD, ids=[line for line, _ in BAD])
def test_wrong_input_is_reported_in_one_sentence(
    line: str, says: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ladder", *line.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("Error: ")
    assert captured.err.count("\n") == 1, captured.err
    assert says in captured.err
    assert not data_folder().exists()


def test_more_openings_than_fit_into_a_message_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "long"
    file.write_text("\n".join(" ".join(str((n + i) % 84) for i in range(40)) for n in range(51)))
    line = f"ladder random greedy --size 6x6 --openings {file}"
    assert main(line.split()) == 2
    assert "with 2000 moves in all, but" in capsys.readouterr().err


def test_bots_are_named_by_their_specs() -> None:
    game = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
    specs = ["mcts:simulations=9", "random", "random", "tests.bots.bad_bots:Raises:at=2"]
    terms, contenders = plan(specs, game, "gauntlet", "10+0.1", None, None, 1, 2)
    assert list(contenders) == ["mcts simulations 9", "random", "random 2", "Raises at 2"]
    assert terms.hero == "mcts simulations 9"
    assert terms.name == "mcts simulations 9, random, random 2, Raises at 2"
    terms, _ = plan(["random"] * 20, game, "round-robin", "10+0.1", 3, None, 1, 2)
    assert terms.name == "20 bots"
