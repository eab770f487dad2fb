"""Write and read lines of UGI, and replay the session of the documentation."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from doublecross.bots import ugi
from doublecross.bots.api import Limit
from doublecross.bots.registry import parse_spec
from doublecross.bots.ugi_loop import UgiLoop
from doublecross.games.api import BadRecord
from doublecross.games.registry import GAMES, make_game

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
PAGE = Path(__file__).parents[2] / "docs" / "engine-protocol.md"


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("numbers", [False, True])
def test_positions_are_read_as_they_are_written(key: str, numbers: bool) -> None:
    game, rng = make_game(key), Random(1)
    opening = game.openings(rng, 1).found[0]
    state = game.initial_state(opening)
    for _ in range(4):
        line = ugi.position_line(state, numbers=numbers)
        assert ugi.read_position(game, line).serialize() == state.serialize()
        state.apply(rng.choice(state.legal_actions()))
    assert ugi.position_line(game.initial_state()) == "position startpos"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("position", "A position is 'startpos' or 'fen TEXT'"),
        ("position fen", "A position is"),
        ("position startpos moves b1 b1", "At ply 1: Edge b1 is drawn already"),
        ("position fen 99/", "not a state"),
    ],
)
def test_wrong_positions_are_refused(line: str, sentence: str) -> None:
    with pytest.raises(BadRecord, match=sentence):
        ugi.read_position(GAME, line)


@pytest.mark.parametrize(
    ("limit", "seat", "line"),
    [
        (Limit(time_s=0.25), 0, "go movetime 250"),
        (Limit(nodes=9, depth=3), 0, "go nodes 9 depth 3"),
        (Limit(), 0, "go infinite"),
        (
            Limit(clock_s=9.0, opponent_clock_s=8.0, increment_s=0.1),
            1,
            "go p1time 8000 p2time 9000 p1inc 100 p2inc 100",
        ),
    ],
)
def test_limits_are_read_as_they_are_written(limit: Limit, seat: int, line: str) -> None:
    assert ugi.go_line(limit, seat) == line
    assert ugi.read_go(line, seat) == Limit(
        limit.time_s,
        limit.clock_s,
        limit.increment_s,
        limit.depth,
        limit.nodes,
        opponent_clock_s=limit.opponent_clock_s,
    )
    assert ugi.read_go(ugi.go_line(limit, seat, old=True), seat) == ugi.read_go(line, seat)


def test_options_are_read_as_they_are_written() -> None:
    for option in (
        ugi.OptionLine("Skill Level", "spin", "3", 0, 20),
        ugi.OptionLine("Style", "combo", "calm", values=("calm", "very wild")),
        ugi.OptionLine("Book", "string"),
        ugi.OptionLine("Clear", "button"),
    ):
        assert ugi.read_option(str(option)) == option
    assert ugi.read_option("option name X type thing") is None
    assert ugi.read_option("option name X type spin min a") is None


def test_the_session_of_the_documentation_is_right() -> None:
    session = re.search(r"```session\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert session is not None
    lines = session[1].splitlines()
    answers: list[str] = []
    loop = UgiLoop(parse_spec("greedy"), answers.append, Random(1))
    loop.run([line[2:] for line in lines if line.startswith("< ")])
    times = re.compile(r"(?<=time )\d+")
    wanted = [line[2:] for line in lines if line.startswith("> ")]
    assert [times.sub("0", line) for line in answers] == wanted


def test_a_search_without_end_answers_after_stop() -> None:
    answers: list[str] = []
    loop = UgiLoop(parse_spec("greedy"), answers.append, Random(1))
    loop.run(
        ["go infinite", "stop", "go nonsense", "go depth x", "hello", "setoption name X value 1"]
    )
    assert answers[1].startswith("bestmove ")
    assert [line for line in answers if line.startswith("info string")] == [
        "info string nonsense has no number (go nonsense)",
        "info string could not convert string to float: 'x' (go depth x)",
        "info string unknown command hello",
        "info string there is no option X (setoption name X value 1)",
    ]
