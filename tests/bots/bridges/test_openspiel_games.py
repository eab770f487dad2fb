"""Play OpenSpiel's games between bots."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pyspiel
import pytest

from doublecross.bots.arena.moves import MoveBudget
from doublecross.bots.arena.referee import play_game
from doublecross.bots.bridges.games import know_others
from doublecross.bots.bridges.openspiel_games import openspiel_game, our_game
from doublecross.bots.registry import make_bot, parse_spec
from doublecross.games.api import BadParameter, Game, GameError
from doublecross.games.registry import GAMES, make_game
from tests.contract import test_games_contract as contract

KEYS = (
    "openspiel:breakthrough(columns=3,rows=4)",
    "openspiel:hex(num_cols=3,num_rows=3)",
    "openspiel:mancala",
    "openspiel:ultimate_tic_tac_toe",
)


@pytest.fixture(autouse=True)
def _known() -> None:
    know_others()


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "check",
    [
        contract.test_random_games_keep_the_invariants,
        contract.test_undo_restores_everything,
        contract.test_copies_are_independent_and_equal,
        contract.test_illegal_actions_raise_and_change_nothing,
        contract.test_bad_openings_are_refused,
        contract.test_action_names_are_read_back,
        contract.test_replay_names_the_ply,
        contract.test_records_are_read_back,
    ],
)
def test_games_of_openspiel_keep_the_contract(key: str, check: Callable[[Game], None]) -> None:
    check(make_game(key))


@pytest.mark.parametrize(
    "bot", ["rules", "mcts:simulations=20", "minimax:depth=2", "openspiel:mcts:simulations=20"]
)
def test_bots_for_all_games_play_them(bot: str) -> None:
    game, spec = make_game(KEYS[0]), parse_spec(bot)
    bots = (make_bot(spec.name, Random(1), spec.options), make_bot("random", Random(2)))
    opening = game.openings(Random(1), 1).found[0]
    budgets = (MoveBudget(nodes=1000), MoveBudget())
    assert play_game(game, opening, bots, budgets, 60, lambda _: None) is None


def test_openings_lead_to_different_positions() -> None:
    game = make_game("openspiel:tic_tac_toe")
    for length, count in ((0, 1), (1, 9), (2, 72), (3, 252)):
        found = game.openings(Random(1), 1000, length)
        assert len(found.found) == count, length
        assert found.short
    assert len(game.openings(Random(1), 50).found[0]) == 4


@pytest.mark.parametrize("key", GAMES)
def test_games_that_both_sides_have_are_the_same_one(key: str) -> None:
    game = make_game(key)
    assert our_game(openspiel_game(game)) == game


@pytest.mark.parametrize("text", ["nim(pile_sizes=1;1;1;1;1)", "mnk(m=11,n=3,k=3)"])
def test_boards_that_only_openspiel_has_are_its_games(text: str) -> None:
    assert our_game(pyspiel.load_game(text)).title == "OpenSpiel"


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("openspiel:breakthru", "no game 'breakthru'; did you mean breakthrough?"),
        ("openspiel:breakthrough(rows=x)", "OpenSpiel refuses .*: Wrong type for parameter rows"),
        ("openspiel:kuhn_poker", "kuhn_poker cannot be played here: it must be for two players"),
        ("openspiel:pig", "pig cannot be played here"),
    ],
)
def test_what_is_wrong_with_a_game_is_said(key: str, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        make_game(key)


def test_the_size_is_a_part_of_the_name() -> None:
    with pytest.raises(BadParameter, match="is a part of its name"):
        make_game(KEYS[0]).parse_size("5x5")
