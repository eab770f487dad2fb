"""The bot `zero`: options, captures, exact endings, limits."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random

import pytest

from doublecross.bots import clock
from doublecross.bots.api import BotError, Limit, NeverStop
from doublecross.bots.registry import make_bot
from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.exact.solver import Solver
from doublecross.bots.zero.bot import ZeroBot
from doublecross.bots.zero.grids import GENERIC_PLANES
from doublecross.games.dots_and_boxes.board import board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.registry import game_class
from tests.bots.zero.tiny import save_net


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_net(tmp_path_factory.mktemp("nets") / "tiny.onnx")


def bot(path: Path, **options: int | float | str | bool) -> ZeroBot:
    made = make_bot("zero", Random(1), {"net": str(path), **options})
    assert isinstance(made, ZeroBot)
    return made


def random_state(game: DotsAndBoxes, rng: Random, free: int) -> DotsAndBoxesState:
    return game.initial_state(rng.sample(range(game.num_actions), game.num_actions - free))


def dots(rows: int, cols: int) -> DotsAndBoxes:
    return DotsAndBoxes({"rows": rows, "cols": cols})


def test_options_out_of_range_are_refused(path: Path) -> None:
    for options, sentence in (
        ({"simulations": -1}, "must be 0 or more, not -1"),
        ({"temperature": -0.5}, "must be a number from 0 up"),
        ({"net": "/nowhere.onnx"}, "There is no network at /nowhere.onnx"),
    ):
        with pytest.raises(BotError, match=sentence):
            bot(path, **options)  # type: ignore[arg-type]


def test_a_network_of_another_game_alone_is_enough_to_play_that_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "doublecross.bots.zero.shipped.shipped", lambda game: tmp_path / f"{game}.onnx"
    )
    save_net(tmp_path / "nim.onnx", game="nim", planes=GENERIC_PLANES, actions=1, span=1)
    made = make_bot("zero", Random(1))
    game = game_class("nim")()
    assert made.plays(game)
    made.get_ready(game)
    state = game.initial_state()
    assert state.is_legal(made.choose(state, Limit(nodes=10), NeverStop()).action)
    with pytest.raises(BotError, match="needs a network for dots-and-boxes"):
        made.get_ready(dots(3, 3))


def test_without_a_network_one_sentence_says_how_to_name_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "doublecross.bots.zero.shipped.shipped", lambda game: tmp_path / f"{game}.onnx"
    )
    with pytest.raises(BotError, match="zero:net=PATH"):
        make_bot("zero", Random(1))


def test_it_plays_the_games_that_have_a_network(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "doublecross.bots.zero.shipped.shipped", lambda game: tmp_path / f"{game}.onnx"
    )
    assert ZeroBot.plays(dots(10, 10))
    nim = game_class("nim")()
    assert not ZeroBot.plays(nim)
    with pytest.raises(BotError, match="plays dots-and-boxes, not nim"):
        bot(path).get_ready(nim)
    with pytest.raises(BotError, match="plays dots-and-boxes, not nim"):
        bot(path).choose(nim.initial_state(), Limit(), NeverStop())
    other = save_net(tmp_path / "nim.onnx", game="nim", planes=7, actions=1, span=1)
    assert ZeroBot.plays(nim)
    choice = bot(other, simulations=50).choose(nim.initial_state(), Limit(), NeverStop())
    assert choice.nodes <= 50
    assert choice.score is not None
    assert abs(choice.score) <= 1
    with pytest.raises(BotError, match="plays nim, not dots-and-boxes"):
        bot(other).choose(dots(2, 2).initial_state(), Limit(), NeverStop())


@pytest.mark.parametrize("captures", [False, True])
def test_near_the_end_every_move_is_a_best_one(path: Path, *, captures: bool) -> None:
    game, rng = dots(3, 3), Random(11)
    solver = Solver(board(3, 3), 4)
    player = bot(path, simulations=200)
    seen = 0
    while seen < 12:
        state = random_state(game, rng, 13)
        edges = state.edges
        if bool(closure(state.board, edges).taken) != captures or state.is_terminal():
            continue
        seen += 1
        choice = player.choose(state, Limit(), NeverStop())
        assert choice.exact
        value = solver.bounds(edges).low
        scores, mover = state.scores(), state.current_player()
        assert choice.score == scores[mover] - scores[1 - mover] + value
        assert solver.move(edges, choice.action).low == value


def test_without_the_exact_search_the_tree_decides_whether_to_decline(path: Path) -> None:
    """The two chains of 4 of docs/engines.md: to decline is worth 4, to take all is worth 0."""
    game = dots(2, 4)
    free = [12, 13, 14, 15, 16, 17, 18, 19, 20, 21]
    drawn = [e for e in range(game.num_actions) if e not in free[:5] + free[5:]]
    # The first chain is open at its left end.
    state = game.initial_state([*drawn, 12])
    assert closure(state.board, state.edges).keeps == 2
    player = bot(path, simulations=400, exact=False)
    solver = Solver(state.board, 1)
    while not state.is_terminal():
        mover = state.current_player()
        value = solver.bounds(state.edges).low
        choice = player.choose(state, Limit(), NeverStop())
        assert solver.move(state.edges, choice.action).low == value
        state.apply(choice.action)
        if state.current_player() != mover:
            break
    # Two boxes taken, two declined.
    assert sorted(state.scores()) == [0, 2]


def test_simulations_and_nodes_limit_the_search(path: Path) -> None:
    state = dots(5, 5).initial_state()
    for options, limit, nodes in (
        ({"simulations": 30}, Limit(), 30),
        ({}, Limit(nodes=20), 20),
        ({"simulations": 30}, Limit(nodes=10, time_s=60), 10),
        ({}, Limit(), 400),
    ):
        choice = bot(path, **options).choose(state, limit, NeverStop())  # type: ignore[arg-type]
        assert choice.nodes == nodes
        assert not choice.exact


def test_the_time_of_a_move_is_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock takes a hundredth of a second."""
    player = bot(path)
    state = dots(5, 5).initial_state()
    looks = count()
    monkeypatch.setattr(clock, "now", lambda: next(looks) / 100)
    monkeypatch.setattr("doublecross.bots.mcts.budget.now", lambda: next(looks) / 100)
    choice = player.choose(state, Limit(time_s=2.0), NeverStop())
    assert 20 <= choice.nodes <= 200
    assert next(looks) < 250


def test_a_temperature_varies_the_moves(path: Path) -> None:
    state = dots(5, 5).initial_state()
    plain = {bot(path, simulations=8).choose(state, Limit(), NeverStop()).action for _ in range(3)}
    assert len(plain) == 1
    warm = bot(path, simulations=8, temperature=20)
    assert len({warm.choose(state, Limit(), NeverStop()).action for _ in range(12)}) > 3


def test_the_tree_grows_on_the_opponents_time(path: Path) -> None:
    state = random_state(dots(4, 4), Random(3), 36)
    pondering, plain = bot(path, ponder=True, exact=False), bot(path, exact=False)
    assert pondering.ponders
    assert not plain.ponders
    # Nothing happens before the first move.
    pondering.ponder(state, NeverStop())
    asks = count()

    class Later:
        def is_set(self) -> bool:
            return next(asks) > 500

    evaluated: list[int] = []
    for zero in (pondering, plain):
        now = state.clone()
        now.apply(zero.choose(now, Limit(nodes=20), NeverStop()).action)
        if zero is pondering:
            zero.ponder(now, Later())
        now.apply(next(e for e in now.legal_actions() if not closure(now.board, now.edges).taken))
        assert zero._player is not None
        search = zero._player.search  # type: ignore[attr-defined]
        edges = closure(now.board, now.edges).edges
        evaluated.append(search.run(edges, 0, 20, gumbel=False).evaluations)
    # The network has already seen most of the positions.
    assert evaluated[0] < evaluated[1]
