"""Check the limits of each bot in an arena, and what records and reports say of single moves."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from doublecross.bots.arena.job import ArenaJob, match_tasks
from doublecross.bots.arena.moves import Effort, MoveBudget, PlayedMove, thoughts_of
from doublecross.bots.registry import parse_spec
from doublecross.cli.main import main
from doublecross.games.record import parse_records
from doublecross.games.registry import make_game

pytestmark = pytest.mark.usefixtures("fork_server")


def test_records_have_the_thoughts_of_every_move(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = (
        "arena minimax:depth=0 random --size 2x2 --pairs 1 --opening-length 3 --depth 12 --seed 1"
        " --records games.txt"
    )
    assert main(line.split()) == 0
    for record in parse_records((here / "games.txt").read_text()):
        tags = dict(record.tags)
        scores, nodes, seconds = (tags[name].split() for name in ("Scores", "Nodes", "Seconds"))
        assert len(scores) == len(nodes) == len(seconds) == len(record.moves)
        state = record.game.initial_state(record.opening)
        for score, count, move in zip(scores, nodes, record.moves, strict=True):
            if record.players[state.current_player()] == "random":
                assert (score, count) == ("-", "1")
            else:
                assert score[0] == "=", "a search to the end of the game proves its score"
                assert abs(int(score[1:])) <= 4
                assert int(count) > 1 or len(state.legal_actions()) == 1
            state.apply(move.action)
    assert "depth" in capsys.readouterr().err


def test_the_words_about_a_move() -> None:
    moves = [
        PlayedMove(0, 1, 0.01234, 0.1, 500, None, -1.5),
        PlayedMove(1, 2, 1.0, 0.1, 1, None, 3.0, exact=True),
        PlayedMove(0, 3, 0.5, 0.1, 1),
    ]
    assert thoughts_of(moves) == (
        ("Scores", "-1.5 =+3 -"),
        ("Nodes", "500 1 1"),
        ("Seconds", "0.0123 1 0.5"),
    )
    assert thoughts_of([]) == ()
    effort = Effort.of(moves) + Effort.of(moves[:1])
    assert (effort.moves, effort.searched, effort.mean_searched_nodes) == (4, 2, 500)
    assert effort.mean_searched_s == pytest.approx(0.01234)
    assert Effort.of(moves[1:]).mean_searched_s is None


def test_each_bot_can_have_limits_of_its_own(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = (
        "arena minimax minimax:depth=0 --size 2x2 --pairs 1 --nodes 20 --nodes-b 60 --time-b 9"
        " --seed 1 --records games.txt"
    )
    assert main([*line.split(), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    names = ("time_control", "margin_s", "depth", "nodes")
    assert found["limits"] == {
        "minimax": dict(zip(names, ("unlimited", None, None, 20), strict=True)),
        "minimax:depth=0": dict(zip(names, ("0/9", 2.25, None, 60), strict=True)),
    }
    assert 1 < found["first"]["effort"]["mean_searched_nodes"] <= 20
    assert 20 < found["second"]["effort"]["mean_searched_nodes"] <= 60
    first, second = parse_records((here / "games.txt").read_text())
    assert first.time_control == ""
    assert ("Limit0", "unlimited, 20 nodes") in first.tags
    assert ("Limit1", "0/9, 60 nodes") in first.tags
    assert ("Limit1", "unlimited, 20 nodes") in second.tags
    assert main(["arena", "random", "random", "--clock-b", "1/1"]) == 2
    assert "--clock-b" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "ignored"),
    [
        ("random minimax --nodes 5", ["random ignores --nodes"]),
        ("minimax mcts --depth 2 --nodes 9", ["mcts ignores --depth"]),
        ("random random --depth 2", ["random ignores --depth"]),
        ("minimax random --nodes 9 --time-b 1", []),
    ],
)
def test_a_bot_that_ignores_a_limit_is_named_once(
    line: str, ignored: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *line.split(), "--size", "1x1", "--pairs", "1"]) == 0
    errors = capsys.readouterr().err
    assert errors.count(" ignores --") == len(ignored)
    assert all(sentence in errors for sentence in ignored)


def test_limits_can_count_processor_time(capsys: pytest.CaptureFixture[str]) -> None:
    """A bot that sleeps longer than its limit uses no processor time."""
    spec = "tests.bots.late_bots:Sleeps"
    line = f"arena {spec} random --size 1x1 --pairs 1 --clock 0.1+0 --seed 1"
    assert main(line.split()) == 0
    assert "lost 2 by timeout" in capsys.readouterr().out
    assert main([*line.split(), "--cpu"]) == 0
    printed = capsys.readouterr().out
    assert "by timeout" not in printed
    assert "of processor time" in printed


def test_a_late_move_loses_unless_the_margin_allows_it(capsys: pytest.CaptureFixture[str]) -> None:
    spec = "tests.bots.late_bots:Sleeps"
    line = f"arena {spec} random --size 1x1 --pairs 1 --time 0.01 --seed 1 --json"
    assert main(line.split()) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["limits"]["random"]["margin_s"], found["first"]["terminations"]) == (
        0.1,
        {"timeout": 2},
    )
    assert (found["score"], found["first"]["effort"]["overruns"]) == (0.0, 0)
    assert main([*line.split(), "--margin", "30"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["limits"]["random"]["margin_s"], found["first"]["terminations"]) == (30.0, {})
    assert found["first"]["effort"]["overruns"] == found["first"]["effort"]["moves"]


def test_budgets_belong_to_players_and_not_to_seats() -> None:
    game = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
    tasks = match_tasks(game.openings(Random(1), 2).found)
    one, two = MoveBudget(time_s=1.0), MoveBudget(nodes=5)
    bots = (parse_spec("rules"), parse_spec("random"))
    job = ArenaJob(bots, game, tasks, one, budgets=(one, two))
    assert [job.budget_of(player) for player in tasks[0].seated(1)] == [two, one]
    assert ArenaJob(bots, game, tasks, one).budget_of(1) == one
