"""Let bots of OpenSpiel play here."""

from __future__ import annotations

import sys
from random import Random

import pyspiel
import pytest

from doublecross.bots.api import BotError, BotFault, Limit, NeverStop
from doublecross.bots.arena.moves import MoveBudget
from doublecross.bots.arena.referee import play_game
from doublecross.bots.bridges import openspiel_bots as bots
from doublecross.bots.bridges.games import know_others
from doublecross.bots.registry import bot_class, checked_spec, make_bot, parse_spec
from doublecross.games.api import UnknownGame
from doublecross.games.registry import game_class, make_game

HERE = f"openspiel:{__name__}"
BOTS = ("mcts:simulations=20", "uniform_random", f"{__name__}:Follower")
SIZES = {
    "dots-and-boxes": ("2x3", None),
    "tic-tac-toe": ("3x4x3", 3),
    "connect-four": ("4x4x3", 3),
    "nim": ("3x4x5x0x1", 1),
}


class Follower(pyspiel.Bot):
    """Plays the last legal action, and checks that it was told all others."""

    def __init__(self, game: pyspiel.Game, player_id: int, depth: int = 1) -> None:
        pyspiel.Bot.__init__(self)
        self.state, self.me, self.depth = game.new_initial_state(), player_id, depth

    def inform_action(self, state: pyspiel.State, player: int, action: int) -> None:
        assert player == self.state.current_player()
        assert str(state) == str(self.state)
        self.state.apply_action(action)

    def step(self, state: pyspiel.State) -> int:
        assert state.current_player() == self.me
        assert str(state) == str(self.state)
        action = state.legal_actions()[-1]
        self.state.apply_action(action)
        return action


class Cheater(pyspiel.Bot):
    def __init__(self) -> None:
        pyspiel.Bot.__init__(self)

    def step(self, state: pyspiel.State) -> int:
        return 99


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("key", SIZES)
def test_bots_of_openspiel_play_our_games_after_openings(name: str, key: str) -> None:
    size, length = SIZES[key]
    game = game_class(key)(game_class(key).parse_size(size))
    spec = parse_spec(f"openspiel:{name}")
    for opening in ((), game.openings(Random(1), 1, length).found[0]):
        for order in (1, -1):
            pair = (make_bot(spec.name, Random(1), spec.options), make_bot("random", Random(2)))
            budgets = (MoveBudget(nodes=10), MoveBudget(nodes=10))
            assert play_game(game, opening, pair[::order], budgets, 60, lambda _: None) is None


def test_after_an_opening_of_odd_length_seat_0_is_the_second_player_there() -> None:
    game = game_class("dots-and-boxes")({"rows": 1, "cols": 2})
    opening = (0, 2, 4)  # All edges of the first box but the one in the middle.
    bot = make_bot("openspiel:mcts", Random(1), {"simulations": 200})
    assert bot.choose(game.initial_state(opening), Limit(), NeverStop()).action == 5
    with pytest.raises(BotFault, match="completes boxes"):
        bot.choose(game.initial_state((*opening, 5)), Limit(), NeverStop())


def test_an_illegal_action_is_the_fault_of_the_bot() -> None:
    bot = make_bot(f"{HERE}:Cheater", Random(1))
    with pytest.raises(BotFault, match="it chose 99, which is not legal") as caught:
        bot.choose(game_class("tic-tac-toe")().initial_state(), Limit(), NeverStop())
    assert caught.value.kind == "illegal"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("openspiel:mtcs", "OpenSpiel has no bot 'mtcs'; there are mcts, fixed_"),
        ("openspiel:nowhere:Bot", "cannot be loaded"),
        ("openspiel:mcts:depth=3", "has no option 'depth'; it has simulations, rollouts, c, solve"),
        (f"{HERE}:Follower:width=3", "has no option 'width'; it has depth"),
        ("openspiel:open_spiel.python.bots.policy:PolicyBot", "needs the option policy"),
    ],
)
def test_what_is_wrong_with_a_bot_is_said(name: str, sentence: str) -> None:
    with pytest.raises(BotError, match=sentence):
        checked_spec(name)


def test_options_of_a_python_bot_have_their_types() -> None:
    spec = checked_spec(f"{HERE}:Follower:depth=3")
    assert bot_class(spec.name).check_options(spec.options) == {"depth": 3}


def test_a_bot_that_openspiel_knows_by_name_has_its_parameters() -> None:
    tic_tac_toe = game_class("tic-tac-toe")()
    assert not bot_class("openspiel:uniform_restricted_actions").plays(tic_tac_toe)
    spec = checked_spec("openspiel:fixed_action_preference:actions=4:5")
    assert bot_class(spec.name).plays(tic_tac_toe)
    bot = make_bot(spec.name, Random(1), spec.options)
    assert bot.choose(tic_tac_toe.initial_state(), Limit(), NeverStop()).action == 4


def test_the_extra_with_openspiel_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, bots.__name__)
    with pytest.raises(BotError, match=r"openspiel:mcts needs the package pyspiel, .*openspiel"):
        checked_spec("openspiel:mcts")
    know_others()
    with pytest.raises(UnknownGame, match=r"hex needs OpenSpiel, which .* installed: .*openspiel"):
        make_game("openspiel:hex")
