"""Check the contract of every built-in bot, on every game that it plays."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from doublecross.bots.api import Choice, Limit, NeverStop
from doublecross.bots.registry import BUILT_IN, bot_class, make_bot
from doublecross.bots.zero.grids import GENERIC_PLANES
from doublecross.games.api import Game, State
from doublecross.games.registry import GAMES, game_class
from tests.bots.zero.tiny import save_net

SIZES = {
    "dots-and-boxes": ("1x1", "2x3", "5x5"),
    "tic-tac-toe": ("3x3x3", "5x5x4"),
    "nim": ("1x3x5x7x1", "3x4x5x0x0"),
}
LIMIT = Limit(time_s=0.05, nodes=100)
"""Small, since a search plays whole games in these tests."""

PAIRS = [
    pytest.param(name, kind(kind.parse_size(size)), id=f"{name}-{key}-{size}")
    for name in BUILT_IN
    for key, kind in GAMES.items()
    for size in SIZES.get(key, (game_class(key).default_size(),))
]
every_bot_and_game = pytest.mark.parametrize(("name", "game"), PAIRS)


@pytest.fixture(autouse=True, scope="module")
def _tiny_networks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the bot `zero` play with tiny networks, whichever come with the package."""
    folder = tmp_path_factory.mktemp("nets")
    save_net(folder / "dots-and-boxes.onnx")
    for key in GAMES:
        if key != "dots-and-boxes":
            save_net(folder / f"{key}.onnx", game=key, planes=GENERIC_PLANES, actions=1, span=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("doublecross.bots.zero.shipped.shipped", lambda game: folder / f"{game}.onnx")
        yield


class AlreadyStopped:
    """A stop flag that is set from the start."""

    def is_set(self) -> bool:
        return True


def whole_game(name: str, game: Game, seed: int) -> tuple[State, list[Choice]]:
    """Let the bot play a game against itself; check every choice.

    In the middle of the game three moves are taken back, so both bots see earlier positions again.
    """
    bots = [make_bot(name, Random(f"{seed} {seat}")) for seat in (0, 1)]
    state = game.initial_state()
    choices: list[Choice] = []
    back = game.max_game_length // 2
    while not state.is_terminal():
        before = (state.serialize(), state.key(), state.legal_actions())
        mover = bots[state.current_player()]
        choice = mover.choose(state, LIMIT, NeverStop())
        assert (state.serialize(), state.key(), state.legal_actions()) == before
        assert state.is_legal(choice.action)
        assert not choice.pv or choice.pv[0] == choice.action
        assert choice.nodes >= 0
        assert choice.elapsed >= 0.0
        assert choice.score is None or abs(choice.score) <= len(game.geometry().cells)
        choices.append(choice)
        state.apply(choice.action)
        if state.ply == back and not state.is_terminal():
            back = 0
            for _ in range(min(3, state.ply)):
                state.undo()
                choices.pop()
    return state, choices


def skip_unless_played(name: str, game: Game) -> None:
    if not bot_class(name).plays(game):
        pytest.skip(f"{name} does not play {game}")


@every_bot_and_game
def test_whole_games_are_legal_and_do_not_change_the_state(name: str, game: Game) -> None:
    skip_unless_played(name, game)
    state, choices = whole_game(name, game, 1)
    assert state.is_terminal()
    assert len(choices) == state.ply


@pytest.mark.parametrize("name", ["random", "greedy", "rules"])
@pytest.mark.parametrize("key", GAMES)
def test_the_same_seed_plays_the_same_game(name: str, key: str) -> None:
    game = game_class(key)()
    first, _ = whole_game(name, game, 7)
    second, _ = whole_game(name, game, 7)
    other, _ = whole_game(name, game, 8)
    assert first.history() == second.history() != other.history()


@every_bot_and_game
def test_a_bot_that_is_stopped_from_the_start_returns_a_legal_action(name: str, game: Game) -> None:
    skip_unless_played(name, game)
    state = game.initial_state()
    assert state.is_legal(make_bot(name, Random(1)).choose(state, Limit(), AlreadyStopped()).action)


@pytest.mark.parametrize("name", BUILT_IN)
def test_options_are_documented_and_their_defaults_are_allowed(name: str) -> None:
    cls = bot_class(name)
    assert cls.check_options({}) == {option.name: option.default for option in cls.options}
    assert all(option.doc for option in cls.options)
    assert cls.version
    assert name == name.lower()
