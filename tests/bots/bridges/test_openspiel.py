"""Let our bots play in OpenSpiel."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.algorithms.exploitability import exploitability

from doublecross.bots.api import BotError, Limit
from doublecross.bots.bridges.openspiel import as_openspiel_bot, as_openspiel_policy


@pytest.mark.parametrize(
    "text",
    [
        "dots_and_boxes(num_rows=2,num_cols=2)",
        "nim(pile_sizes=3;4;5)",
        "connect_four(rows=4,columns=5)",
        "breakthrough(rows=4,columns=3)",
    ],
)
def test_our_bots_play_whole_games_there(text: str) -> None:
    game = pyspiel.load_game(text)
    bots = [as_openspiel_bot("minimax:depth=2", 0), as_openspiel_bot("random", 1, Limit(), 3)]
    for _ in range(2):
        assert sum(evaluate_bots(game.new_initial_state(), bots, np.random)) == 0
    assert [bot.player_id() for bot in bots] == [0, 1]


def test_only_bots_that_err_can_be_exploited() -> None:
    game = pyspiel.load_game("nim(pile_sizes=1;2;2)")
    assert exploitability(game, as_openspiel_policy("minimax:depth=0", game)) == 0
    assert exploitability(game, as_openspiel_policy("random", game)) > 0


def test_a_bot_that_does_not_play_the_game_says_so() -> None:
    with pytest.raises(BotError, match="Bot solver does not play OpenSpiel go"):
        as_openspiel_bot("solver", 0).step(pyspiel.load_game("go").new_initial_state())
    with pytest.raises(BotError, match="did you mean"):
        as_openspiel_bot("minmax", 0)
