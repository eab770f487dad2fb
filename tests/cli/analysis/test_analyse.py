"""Tests for `doublecross analyse`: its results, its output and its limits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from doublecross.cli.main import main
from doublecross.games.dots_and_boxes.board import board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.record import Record, RecordedMove, format_records, parse_records
from doublecross.processes.installation import how_to_add
from tests.bots.search.brute import random_position, table
from tests.cli.commands import PROGRAM, environment
from tests.cli.samples import LINE
from tests.cli.test_bad_input import assert_one_sentence

KEYS = {"rows", "cols", "edges", "value", "best", "moves", "exact", "nodes", "seconds"}
MORE = {"bounds", "pv", "stopped"}
OF_RECORD = {"ply", "seat", "scores", "final", "final_bounds"}

SHORT = """\
[Game "dots-and-boxes"]
[Size "1x3"]
[Seat0 "Ann"]
[Seat1 "[bold]Bob[/]"]
[Result "*"]
[Opening "a2 b1 b3"]

1. d3 2. c2 d1 *
"""
"""Bob has taken the first box; Ann is to move with two boxes left."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    game = DotsAndBoxes({"rows": 1, "cols": 1})
    over = Record(game, ("Cid", "Dee"), tuple(map(RecordedMove, range(4))))
    games = f"{SHORT}\n{LINE}\n{format_records([over])}"
    (tmp_path / "games.txt").write_text(games)
    (tmp_path / "one.txt").write_text(SHORT)
    (tmp_path / "text.txt").write_text("hello\n")
    (tmp_path / "chess.txt").write_text(SHORT.replace("dots-and-boxes", "chess"))
    (tmp_path / "cut.txt").write_text(SHORT[:-3])
    (tmp_path / "illegal.txt").write_text(SHORT.replace("d1", "c2"))
    return tmp_path


def answer(line: str, capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    assert main(["analyse", *line.split(), "--json"]) == code
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.count("\n") == 1
    found: dict[str, Any] = json.loads(captured.out)
    return found


def page(line: str, capsys: pytest.CaptureFixture[str], *, long: bool = False) -> list[str]:
    assert main(["analyse", *line.split()]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("Solving ") if long else captured.err == ""
    lines: list[str] = captured.out.splitlines()
    assert max(map(len, lines)) <= 80
    return lines


def test_every_move_of_a_position_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    shape, values = board(2, 3), table(2, 3)
    rng = Random(1)
    for _ in range(12):
        edges = random_position(shape, rng, rng.randint(1, 17))
        drawn = shape.members(edges)
        arguments = ["2x3", "--edges", ",".join(map(str, drawn))] if drawn else ["2x3"]
        found = answer(" ".join(arguments), capsys)
        assert found.keys() == KEYS | MORE
        assert (found["rows"], found["cols"], found["edges"]) == (2, 3, drawn)
        assert found["value"] == values[edges]
        assert found["bounds"] == [values[edges]] * 2
        assert (found["exact"], found["stopped"]) == (True, None)
        assert [int(edge) for edge in found["moves"]] == shape.members(shape.full & ~edges)
        top = [int(edge) for edge, value in found["moves"].items() if value == found["value"]]
        assert found["best"] == top
        assert max(found["moves"].values()) == found["value"]
        assert found["pv"][0] in top
        assert sorted(found["pv"]) == shape.members(shape.full & ~edges)
        assert found["nodes"] >= 0
        assert found["seconds"] > 0


def test_edges_may_be_named_or_numbered(capsys: pytest.CaptureFixture[str]) -> None:
    game = DotsAndBoxes({"rows": 2, "cols": 2})
    wanted = [0, 3, 7]
    names = [game.action_name(edge) for edge in wanted]
    ways = ["0,3,7", "7,3,0", ",".join(names), ",".join(names).upper(), f"{names[0]},3,7"]
    found = [answer(f"2x2 --edges {way}", capsys) for way in ways]
    assert main(["analyse", "2x2", "--json", "--edges", f" {names[0]}, 3  7 "]) == 0
    found.append(json.loads(capsys.readouterr().out))
    assert main(["analyse", "2x2", "--json", "--edges", ""]) == 0
    assert json.loads(capsys.readouterr().out)["edges"] == []
    assert all(one["edges"] == wanted for one in found)
    assert len({(one["value"], tuple(one["best"]), str(one["moves"])) for one in found}) == 1


def test_best_only_leaves_the_other_edges_out(capsys: pytest.CaptureFixture[str]) -> None:
    all_of_it = answer("2x3 --edges 0,9", capsys)
    best = answer("2x3 --edges 0,9 --best-only", capsys)
    assert best["moves"] == {}
    assert best["exact"] is True
    assert all(best[key] == all_of_it[key] for key in ("value", "best", "edges"))
    text = "\n".join(page("2x2 --best-only", capsys))
    edges = "b5 (0), d5 (1), b1 (4), d1 (5), a4 (6), e4 (8), a2 (9), e2 (11)"
    assert f"\n\nBest edges: {edges}\n\nExpected: 1. " in text
    assert "Value" not in text


def test_more_threads_find_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = (answer(f"3x3 --edges 0,9 --threads {number}", capsys) for number in (1, 2))
    assert one["exact"] is two["exact"] is True
    assert all(one[key] == two[key] for key in ("value", "best", "moves"))


def test_a_page_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    lines = page("1x2 -e a2", capsys)
    assert lines[:-1] == [
        "Dots and Boxes 1x2: 1 edge drawn, 6 free",
        "",
        "   a b c d e",
        " 3 +   +   +",
        " 2 |",
        " 1 +   +   +",
        "",
        "The player to move wins by 2 from here with best play.",
        "",
        "Value  Edges",
        "   +2  b3 (0), b1 (2)",
        "    0  d3 (1), d1 (3), c2 (5), e2 (6)",
        "",
        lines[-3],
        "",
    ]
    assert lines[-3].startswith("Expected: 1. b")
    assert lines[-1].startswith("Exact: ")
    assert lines[-1].endswith(" s.")


def test_the_expected_line_is_numbered_by_turns(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = page("2x2", capsys)
    (line,) = (line for line in lines if line.startswith("Expected: "))
    moves = line.removeprefix("Expected: ")
    record = (
        f'[Game "dots-and-boxes"]\n[Size "2x2"]\n[Seat0 "A"]\n[Seat1 "B"]\n[Result "1-0"]\n'
        f'[Termination "completed"]\n\n{moves} 1-0\n'
    )
    (read,) = parse_records(record)
    assert read.final_state().scores() == (3, 1)


def test_a_position_of_a_record(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = DotsAndBoxes({"rows": 1, "cols": 3})
    opening, moves = (
        [game.parse_action(name) for name in names.split()] for names in ("a2 b1 b3", "d3 c2 d1")
    )
    for ply, seat, scores in ((0, 0, [0, 0]), (1, 1, [0, 0]), (2, 1, [0, 1]), (3, 0, [0, 1])):
        found = answer(f"--record games.txt --ply {ply}", capsys)
        assert found.keys() == KEYS | MORE | OF_RECORD
        assert (found["ply"], found["seat"], found["scores"]) == (ply, seat, scores)
        drawn = sorted([*opening, *moves[:ply]])
        assert found["edges"] == drawn
        value = int(table(1, 3)[sum(1 << edge for edge in drawn)])
        assert found["value"] == value
        so_far = scores[seat] - scores[1 - seat]
        assert (found["final"], found["final_bounds"]) == (value + so_far, [value + so_far] * 2)
    assert answer("--record one.txt", capsys)["ply"] == 3


def test_a_page_about_a_game(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = page("--record games.txt --game 1 --ply 3", capsys)
    assert lines[0] == ("Ann - [bold]Bob[/], Dots and Boxes 1x3, game 1 of 3: after move 3 of 3")
    assert lines[2:6] == [
        "   a b c d e f g",
        " 3 +---+---+   +",
        " 2 | B |",
        " 1 +---+###+   +",
    ]
    assert lines[7] == "Ann (A) is to move at 0:1."
    assert lines[8] == ("With best play Ann gets 2 boxes more than [bold]Bob[/] from here, and Ann")
    assert lines[9] == "wins 2:1."


def test_boxes_of_the_opening_belong_to_nobody(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The opening has completed the first of three boxes.
    record = SHORT.replace("a2 b1 b3", "a2 b1 b3 c2").replace("1. d3 2. c2 d1 *", "1. d3 *")
    Path("given.txt").write_text(record)
    text = " ".join(page("--record given.txt", capsys))
    assert " * " in text
    assert "is to move at 0:0. With best play [bold]Bob[/] gets 2 boxes fewer than Ann" in text
    assert "and Ann wins 2:0." in text


def test_equal_and_lost_positions_are_described(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "With best play the boxes that are left are shared equally." in page("1x2", capsys)
    assert "The player to move loses by 1 from here with best play." in page("1x1", capsys)


@pytest.mark.parametrize("part", [0.1, 1.0])
def test_unsolved_values_have_bounds(part: float, capsys: pytest.CaptureFixture[str]) -> None:
    # A node too few is enough to leave something open.
    nodes = max(1, int(part * answer("3x3", capsys)["nodes"]) - 1)
    found = answer(f"3x3 --nodes {nodes}", capsys)
    assert (found["exact"], found["stopped"], found["nodes"]) == (False, "nodes", nodes)
    low, high = found["bounds"]
    assert low <= -3 <= high
    assert found["value"] == (-3 if low == high else None)
    values = table(3, 3)
    assert len(found["moves"]) == 24
    bounded = 0
    for edge, value in found["moves"].items():
        least, most = value if isinstance(value, list) else (value, value)
        assert least <= -values[1 << int(edge)] <= most
        bounded += isinstance(value, list)
    assert bounded
    assert all(values[1 << edge] == 3 for edge in found["best"])


def test_the_page_shows_unsolved_values(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = page("7x7 --nodes 300", capsys, long=True)
    text = " ".join(lines)
    # Bounds that only say what the rules say are no news, so the page says what to do instead.
    assert "not known yet (not solved in 300 nodes): each player may still get all 49 boxes" in text
    assert "A position with fewer than 112 free edges is easier: draw some with --edges," in text
    assert "comes out between" not in text
    assert "The search has found no difference between the edges yet." in lines
    assert lines[-1].startswith("300 nodes in ")
    nodes = answer("3x3", capsys)["nodes"] - 1
    text = " ".join(page(f"3x3 --nodes {nodes}", capsys))
    assert "The player to move loses by 3 from here with best play." in text
    assert f"only known within bounds (not solved in {nodes:,} nodes)." in text
    text = " ".join(page("6x8 --time 0.05 --best-only", capsys, long=True))
    assert "(not solved in 0.05 s)" in text
    Path("start.txt").write_text(SHORT.replace('"1x3"', '"4x4"').replace("a2 b1 b3", "a2"))
    text = " ".join(page("--record start.txt --ply 1 --nodes 10", capsys, long=True))
    assert "Bob[/] (B) is to move at 0:0. Who" in text
    assert "(not solved in 10 nodes): each player may still get all 16 boxes that are left." in text
    assert "take a later one with --ply, or search longer with --time." in text


def test_bounds_that_say_more_than_the_rules_are_shown(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shape = board(4, 4)
    drawn = ",".join(map(str, shape.members(random_position(shape, Random(3), 22))))
    text = " ".join(page(f"4x4 --edges {drawn} --nodes 1", capsys))
    assert "the player to move comes out between -10 and +14 from here (not solved in 1 " in text


def test_a_search_in_a_pipe_says_what_it_does(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for more, limits in (("--time 0.1", "0.1 s"), ("--nodes 90 --json", "60 s or 90 nodes")):
        assert main(["analyse", "5x5", *more.split()]) == 0
        assert capsys.readouterr().err == (
            f"Solving 5x5 with 60 free edges takes up to {limits}: --time and --nodes set the"
            " limits, and Ctrl-C prints what is found so far.\n"
        )


def test_a_terminal_shows_a_status_line_and_ctrl_c_prints_what_is_known(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, "analyse", "5x5", "--json"],
        cwd=tmp_path,
        env=environment(TERM="xterm", COLUMNS="80"),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
    )
    os.close(theirs)
    try:
        shown = b""
        while b"M nodes" not in shown:
            shown += os.read(ours, 4096)
        assert b"5x5: value -25 to +25, " in shown
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=40)
    finally:
        process.kill()
        process.wait(40)
        os.close(ours)
    found = json.loads(out)
    assert process.returncode == 130
    assert (found["exact"], found["value"], found["stopped"]) == (False, None, "interrupted")
    assert found["bounds"] == [-25, 25]
    assert 0 < found["seconds"] < 60
    assert found["nodes"] > 0


BAD = [
    ("", "--record"),
    ("11x3", "from 1 to 10"),
    ("2x2 --edges 12", "'12' is not an edge of a board of 2x2 boxes"),
    ("2x2 --edges 0,-1", "'-1' is not an edge"),
    ("2x2 --edges 0,5,0", "b5 (0) twice"),
    ("2x2 --edges b5,0", "b5 (0) twice"),
    ("2x2 --edges 0,,5", "is not a list of edges"),
    ("1x1 --edges 0,1,2,3", "no edge is left to analyse"),
    ("2x2 --time 0", "number of seconds above zero"),
    ("2x2 --time nan", "number of seconds above zero"),
    ("2x2 --memory 70000", "less than or equal to 65536"),
    ("2x2 --ply 3", "--record"),
    ("2x2 --record games.txt", "not both"),
    ("--edges 1 --record games.txt", "not both"),
    ("--record games.txt --game 5", "holds 3 games; there is no game 5"),
    ("--record games.txt --ply 4", "has 3 moves; there is no position 4"),
    ("--record games.txt --game 2", "is Tic-tac-toe; only Dots and Boxes"),
    ("--record games.txt --game 3", "is over after 4 moves"),
    ("--record games.txt --game 3 --ply 4", "is over after 4 moves"),
]


@pytest.mark.parametrize(("line", "says"), BAD, ids=[line for line, _ in BAD])
def test_bad_input_is_reported_in_one_sentence(
    line: str, says: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", *line.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert_one_sentence(captured.err, says)


def test_missing_packages_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    assert main(["analyse", "2x2"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert_one_sentence(captured.err, f"(numba): {how_to_add('engines')}")


def test_too_little_memory_is_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(memory_mb: float) -> None:
        raise MemoryError

    monkeypatch.setattr("doublecross.bots.search.exact.solver.new_table", refuse)
    assert main(["analyse", "2x2", "--memory", "4000"]) == 2
    assert_one_sentence(capsys.readouterr().err, "There are not 4000 MB")
