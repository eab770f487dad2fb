"""Check the helper that orders the strokes of a turn, and the example bot that uses it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from doublecross.bots.api import Bot, Limit, NeverStop
from doublecross.bots.registry import make_bot
from doublecross.bots.turns import can_decline, turn_strokes
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.registry import make_game

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


@pytest.fixture
def chain_bot(monkeypatch: pytest.MonkeyPatch) -> type[Bot]:
    spec = importlib.util.spec_from_file_location("chain_bot", EXAMPLES / "chain_bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "chain_bot", module)
    spec.loader.exec_module(module)
    found: type[Bot] = module.ChainBot
    return found


def positions(count: int) -> Iterator[DotsAndBoxesState]:
    """Yield positions with captures from random play."""
    rng = Random(5)
    found = 0
    while found < count:
        state = make_game("dots-and-boxes", {"rows": 3, "cols": 4}).initial_state()
        while not state.is_terminal() and found < count:
            assert isinstance(state, DotsAndBoxesState)
            if turn_strokes(state):
                found += 1
                yield state.clone()
            state.apply(rng.choice(state.legal_actions()))


def test_the_strokes_of_a_turn_take_everything_or_decline_exactly_two_or_four() -> None:
    declined = set()
    for state in positions(400):
        mover, before = state.current_player(), state.scores()
        greedy = state.clone()
        for stroke in turn_strokes(state):
            assert greedy.current_player() == mover
            greedy.apply(stroke)
        everything = greedy.scores()[mover] - before[mover]
        assert greedy.is_terminal() or (
            greedy.current_player() == mover and turn_strokes(greedy) == []
        )
        keeps = can_decline(state)
        declined.add(keeps)
        other = state.clone()
        strokes = turn_strokes(state, decline=True)
        for stroke in strokes:
            other.apply(stroke)
        taken = other.scores()[mover] - before[mover]
        assert taken == everything - keeps
        if keeps:
            assert other.current_player() == 1 - mover
            assert len(turn_strokes(other)) == keeps // 2 or keeps == 4
        else:
            assert strokes == turn_strokes(state)
    assert declined == {0, 2} or declined == {0, 2, 4}


def test_a_position_without_captures_has_no_strokes() -> None:
    state = make_game("dots-and-boxes", {"rows": 2, "cols": 2}).initial_state()
    assert isinstance(state, DotsAndBoxesState)
    assert turn_strokes(state, decline=True) == []
    assert can_decline(state) == 0


def test_the_example_bot_beats_the_rules(chain_bot: type[Bot]) -> None:
    game = make_game("dots-and-boxes", {"rows": 4, "cols": 4})
    assert not chain_bot.plays(make_game("tic-tac-toe", {}))
    won = 0.0
    openings = game.openings(Random(3), 25).found
    for number, opening in enumerate(openings):
        for seat in (0, 1):
            bots = [chain_bot(Random(number)), make_bot("rules", Random(number))]
            state = game.initial_state(opening)
            while not state.is_terminal():
                bot = bots[state.current_player() ^ seat]
                state.apply(bot.choose(state.clone(), Limit(), NeverStop()).action)
            won += (state.returns()[seat] + 1) / 2
    assert won > 30, f"{won} of 50"
