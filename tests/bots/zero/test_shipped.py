"""The networks that come with the package."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from doublecross.bots.zero.bot import ZeroBot
from doublecross.bots.zero.generic import GenericSearch
from doublecross.bots.zero.net import Net
from doublecross.bots.zero.shipped import shipped
from doublecross.games.api import State
from doublecross.games.registry import GAMES, make_game

NETS = [path for key in GAMES if (path := shipped(key)).is_file()]
FEW = 8
"""Simulations a move, so that the network has to know the game."""


@pytest.mark.parametrize("path", NETS, ids=lambda path: path.stem)
def test_a_network_says_where_it_comes_from(path: Path) -> None:
    net = Net.load(path)
    assert net.game == path.stem
    assert set(net.about) >= {"command", "seed", "figures"}
    assert path.stat().st_size < 1_000_000
    assert ZeroBot.plays(make_game(net.game))


@pytest.mark.parametrize("seat", [0, 1])
def test_tic_tac_toe_is_never_lost_whatever_the_opponent_plays(seat: int) -> None:
    game = make_game("tic-tac-toe")
    net = Net.load(shipped("tic-tac-toe"))
    answers: dict[tuple[int, ...], int] = {}
    games = 0

    def play(state: State) -> None:
        nonlocal games
        if state.is_terminal():
            games += 1
            assert state.returns()[seat] >= 0, state.serialize()
            return
        actions = state.legal_actions()
        if state.current_player() == seat:
            key = state.key()
            if key not in answers:
                # A new tree for each position, so that its order does not matter.
                search = GenericSearch(game, net, Random(1))
                answers[key] = search.run(state, FEW, gumbel=False).action
            actions = [answers[key]]
        for action in actions:
            state.apply(action)
            play(state)
            state.undo()

    play(game.initial_state())
    assert games > 50
