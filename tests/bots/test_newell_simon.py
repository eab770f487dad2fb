"""Check `newell-simon` against every sequence of replies, and each rule on its own position."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.bots.api import BotError, Limit, NeverStop
from doublecross.bots.newell_simon import NewellSimonBot, rule_cells
from doublecross.bots.registry import make_bot
from doublecross.games.api import State
from doublecross.games.registry import make_game

GAME = make_game("tic-tac-toe")


def after(*actions: int) -> State:
    return GAME.replay((), actions)


class GameWalk:
    """Walk every possible game; collect the player's utilities and the rules that decided."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.outcomes: set[float] = set()
        self.decided: set[str] = set()
        self._seen: set[tuple[int, ...]] = set()

    def walk(self, state: State) -> None:
        if state.key() in self._seen:
            return
        self._seen.add(state.key())
        if state.is_terminal():
            self.outcomes.add(state.returns()[self.seat])
            return
        actions = state.legal_actions()
        if state.current_player() == self.seat:
            name, actions = rule_cells(state)
            self.decided.add(name)
        for action in actions:
            state.apply(action)
            self.walk(state)
            state.undo()


@pytest.mark.parametrize("seat", [0, 1])
def test_no_choice_among_equal_moves_loses(seat: int) -> None:
    walk = GameWalk(seat)
    walk.walk(GAME.initial_state())
    assert walk.outcomes == {0.0, 1.0}


def test_every_rule_is_needed_in_one_seat_or_the_other() -> None:
    both = set()
    for seat in (0, 1):
        walk = GameWalk(seat)
        walk.walk(GAME.initial_state())
        both |= walk.decided
    assert both == {
        "win",
        "block",
        "fork",
        "block a fork",
        "centre",
        "opposite corner",
        "corner",
        "side",
    }


@pytest.mark.parametrize(
    ("played", "rule", "cells"),
    [
        ((), "centre", [4]),
        ((0,), "centre", [4]),
        ((4,), "corner", [0, 2, 6, 8]),
        ((0, 3, 1, 4), "win", [2]),  # 2 forks, and 5 would only block
        ((0, 4, 1), "block", [2]),
        ((0, 1, 4, 8), "fork", [3, 6]),
        ((4, 0), "opposite corner", [8]),
        # X in opposite corners, O in the centre: a corner would force X into a fork.
        ((0, 4, 8), "block a fork", [1, 3, 5, 7]),
        # X in a corner and on a far side: 2 would force X into a fork at 6, the others force none.
        ((0, 4, 7), "block a fork", [3, 5, 6]),
    ],
)
def test_a_rule_answers(played: tuple[int, ...], rule: str, cells: list[int]) -> None:
    assert rule_cells(after(*played)) == (rule, cells)


def test_every_move_among_equals_is_chosen_sometimes() -> None:
    state = after(0, 4, 8)
    bots = [make_bot("newell-simon", Random(seed)) for seed in range(60)]
    assert {b.choose(state, Limit(), NeverStop()).action for b in bots} == {1, 3, 5, 7}


def test_only_a_forced_win_has_a_score() -> None:
    bot = make_bot("newell-simon", Random(1))
    assert bot.choose(after(0, 3, 1, 4), Limit(), NeverStop()).score == 1.0
    assert bot.choose(after(0, 1, 4, 8), Limit(), NeverStop()).score == 1.0
    assert bot.choose(after(0, 4, 1), Limit(), NeverStop()).score is None


def test_it_plays_the_classical_board_only() -> None:
    assert NewellSimonBot.plays(GAME)
    larger = make_game("tic-tac-toe", {"rows": 3, "cols": 4})
    other = make_game("dots-and-boxes", {"rows": 3, "cols": 3})
    for game in (larger, other):
        assert not NewellSimonBot.plays(game)
        with pytest.raises(BotError, match="3x3x3 only"):
            make_bot("newell-simon", Random(1)).choose(game.initial_state(), Limit(), NeverStop())
