"""The levels for people: each is stronger than the one below it."""

from __future__ import annotations

from random import Random

import pytest

from bots.api import Limit, NeverStop
from bots.engine.engine import prepare
from bots.registry import make_bot
from games.dots_and_boxes.rules import DotsAndBoxes
from games.registry import make_game


@pytest.fixture(autouse=True, scope="module")
def kernels() -> None:
    prepare()


def points(first: str, second: str, pairs: int, limit: Limit) -> float:
    """The score of `first` in game pairs on 5x5, as a part of all points."""
    game = DotsAndBoxes({"rows": 5, "cols": 5})
    score = 0.0
    for number, opening in enumerate(game.openings(Random(1), pairs).found):
        for seat in (0, 1):
            names = (first, second) if seat == 0 else (second, first)
            bots = [make_bot(name, Random(f"{number} {seat} {name}")) for name in names]
            state = game.initial_state(opening)
            while not state.is_terminal():
                choice = bots[state.current_player()].choose(state, limit, NeverStop())
                state.apply(choice.action)
            score += (state.returns()[seat] + 1) / 2
    return score / (2 * pairs)


@pytest.mark.parametrize(
    ("stronger", "weaker", "pairs", "least"),
    [
        ("greedy", "easy", 20, 0.8),
        ("easy", "random", 20, 0.7),
        ("medium", "easy", 20, 0.85),
        ("hard", "medium", 20, 0.8),
        ("perfect", "hard", 4, 0.85),
    ],
)
def test_each_level_beats_the_one_below(
    stronger: str, weaker: str, pairs: int, least: float
) -> None:
    # With a limit in nodes the games are the same on every machine.
    assert points(stronger, weaker, pairs, Limit(nodes=40_000, memory_mb=16)) >= least


@pytest.mark.parametrize("level", ["easy", "medium", "hard", "perfect"])
def test_they_play_tic_tac_toe_too(level: str) -> None:
    game = make_game("tic-tac-toe", {})
    bots = [make_bot(level, Random(seat)) for seat in (0, 1)]
    state = game.initial_state()
    while not state.is_terminal():
        limit = Limit(nodes=400)
        state.apply(bots[state.current_player()].choose(state, limit, NeverStop()).action)
    if level in ("hard", "perfect"):
        assert state.returns() == (0.0, 0.0)


def test_equal_seeds_play_equal_games() -> None:
    game = DotsAndBoxes({"rows": 4, "cols": 4})
    for level in ("easy", "medium", "hard", "perfect"):
        histories = []
        for _ in range(2):
            bots = [make_bot(level, Random(seat)) for seat in (0, 1)]
            state = game.initial_state()
            while not state.is_terminal():
                limit = Limit(nodes=5_000, memory_mb=8)
                state.apply(bots[state.current_player()].choose(state, limit, NeverStop()).action)
            histories.append(state.history())
        assert histories[0] == histories[1]
