"""The levels for people: each is stronger than the one below it."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.bots.api import Bot, Choice, Limit, NeverStop, StopFlag
from doublecross.bots.engine.bot import ChampionBot
from doublecross.bots.engine.engine import prepare
from doublecross.bots.levels import PERFECT_S, HardBot, PerfectBot
from doublecross.bots.mcts.bot import MctsBot
from doublecross.bots.registry import level_names, make_bot
from doublecross.games.api import State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.registry import make_game

SMALL = DotsAndBoxes({"rows": 2, "cols": 2})


@pytest.fixture(autouse=True, scope="module")
def kernels() -> None:
    prepare()


def points(first: str, second: str, pairs: int, limit: Limit) -> float:
    """Return the share of points of `first` in game pairs on 5x5."""
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
        ("tricky", "medium", 30, 0.6),
        ("hard", "tricky", 10, 0.7),
        ("perfect", "hard", 1, 0.85),
    ],
)
def test_each_level_beats_the_one_below(
    stronger: str, weaker: str, pairs: int, least: float
) -> None:
    # With a limit in nodes the games are the same on every machine.
    assert points(stronger, weaker, pairs, Limit(nodes=40_000, memory_mb=16)) >= least


@pytest.mark.parametrize("level", level_names())
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
    for level in level_names():
        histories = []
        for _ in range(2):
            bots = [make_bot(level, Random(seat)) for seat in (0, 1)]
            state = game.initial_state()
            while not state.is_terminal():
                limit = Limit(nodes=5_000, memory_mb=8)
                state.apply(bots[state.current_player()].choose(state, limit, NeverStop()).action)
            histories.append(state.history())
        assert histories[0] == histories[1]


@pytest.mark.parametrize(
    ("level", "inner", "state"),
    [
        (HardBot, ChampionBot, SMALL.initial_state((2, 3, 7, 10))),  # No safe edge is left.
        (PerfectBot, ChampionBot, SMALL.initial_state()),
        (PerfectBot, MctsBot, make_game("tic-tac-toe", {}).initial_state()),
    ],
)
@pytest.mark.parametrize(
    ("limit", "most"),
    [
        (Limit(clock_s=3.0), 3.0 / 4),
        (Limit(clock_s=0.1, increment_s=5.0), 0.1 / 4),
        (Limit(clock_s=3.0, time_s=0.01), 0.01),
        (Limit(clock_s=600.0), PERFECT_S),
        (Limit(), PERFECT_S),
    ],
)
def test_a_short_clock_is_not_overstepped(
    level: type[Bot],
    inner: type[Bot],
    state: State,
    limit: Limit,
    most: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = []

    def choose(_: Bot, state: State, limit: Limit, stop: StopFlag) -> Choice:
        times.append(limit.time_s)
        return Choice(state.legal_actions()[0])

    monkeypatch.setattr(inner, "choose", choose)
    level(Random(1)).choose(state, limit, NeverStop())
    (time_s,) = times
    assert time_s is not None
    assert 0 < time_s <= most
