"""Check the environments with PettingZoo's own tests, and what is particular to our games."""

from __future__ import annotations

from functools import partial

import pytest
from pettingzoo.test import api_test, seed_test

from doublecross.bots.bridges.pettingzoo import env


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("size", ["dots-and-boxes 2x2", "tic-tac-toe 3x3x3", "nim 1x2x3x0x1"])
def test_environments_pass_the_tests_of_pettingzoo(size: str) -> None:
    game, size = size.split()
    api_test(env(game=game, size=size), num_cycles=50)
    seed_test(partial(env, game=game, size=size), num_cycles=20)


def test_a_completed_box_keeps_the_turn_and_is_seen_from_both_sides() -> None:
    boxes = env(size="1x2", net=True, render_mode="ansi")
    boxes.reset()
    for edge in (0, 2, 4, 5):
        boxes.step(edge)
    assert boxes.agent_selection == "player_1"
    assert boxes.rewards == {"player_0": -1, "player_1": 1}
    drawn = [1, 0, 1, 0, 1, 1, 0]
    assert boxes.observe("player_1")["observation"].tolist() == [*drawn, 1, 0]
    assert boxes.observe("player_0")["observation"].tolist() == [*drawn, -1, 0]
    assert boxes.observe("player_1")["action_mask"].tolist() == [1 - edge for edge in drawn]
    assert not boxes.observe("player_0")["action_mask"].any()
    assert boxes.render() == boxes.unwrapped.position.to_ascii(mark_last=True)


def test_an_illegal_action_loses_the_game() -> None:
    boxes = env(size="1x1")
    boxes.reset()
    boxes.step(0)
    boxes.step(0)
    assert boxes.rewards["player_1"] == -1
    assert all(boxes.terminations.values())


def test_the_winner_gets_the_reward() -> None:
    boxes = env(size="1x1")
    boxes.reset()
    for edge in range(4):
        boxes.step(edge)
    assert boxes.rewards == {"player_0": -1, "player_1": 1}
