"""Check what a network does in `champion`: where it is asked, its limits, and its options."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.search.positions import sample
from doublecross.bots.api import BotError, Limit, NeverStop
from doublecross.bots.engine.bot import ChampionBot
from doublecross.bots.engine.engine import Engine, prepare
from doublecross.bots.engine.net_search import SIMULATION_NODES, NetSearch
from doublecross.bots.registry import make_bot
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.bots.search.forecast import Pace
from doublecross.bots.zero.net import SPAN, Evaluation, Uniform
from doublecross.bots.zero.planes import PLANES
from doublecross.bots.zero.search import prepare as prepare_search
from doublecross.games.dots_and_boxes.board import board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from tests.bots.zero.tiny import save_net


@pytest.fixture(autouse=True, scope="module")
def kernels() -> None:
    prepare()
    prepare_search()


class Counted:
    """A network without knowledge that counts the questions."""

    planes = PLANES
    span = SPAN

    def __init__(self) -> None:
        self.asked = 0

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        self.asked += 1
        return Uniform(PLANES).evaluate(planes)


class Loving(Counted):
    """A network that wants to draw one edge: the horizontal one of a cell."""

    def __init__(self, row: int, col: int) -> None:
        super().__init__()
        self.row, self.col = row, col

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        seen = super().evaluate(planes)
        seen.policy[:, 0, self.row, self.col] = 20
        return seen


def test_the_ranking_begins_with_the_chosen_move_and_has_each_move_once() -> None:
    shape = board(5, 5)
    search = NetSearch(shape, Loving(2, 3), 4, Random(1), Pace())
    watch = SearchWatch(nodes=40 * SIMULATION_NODES)
    search.run(0, 0, watch)
    assert watch.nodes == 40 * SIMULATION_NODES
    order, mean = search.ranking(0)
    assert order[0] == 2 * 5 + 3
    assert len(set(order)) == len(order) > 40
    assert mean is not None
    assert abs(mean) <= 25


def test_a_search_ends_when_its_watch_is_over() -> None:
    search = NetSearch(board(5, 5), Counted(), 4, Random(1), Pace())
    watch = SearchWatch(lambda: True)
    search.run(0, 0, watch)
    assert watch.nodes == SIMULATION_NODES
    assert search.ranking(0)[0]


def test_a_position_without_junctions_has_its_exact_value() -> None:
    shape = board(2, 4)
    # The two chains of 4 of docs/engines.md.
    edges = shape.full & ~sum(1 << edge for edge in range(12, 22))
    search = NetSearch(shape, Counted(), 4, Random(1), Pace())
    assert search.run(edges, 3, SearchWatch(nodes=1000)) == -4
    order, mean = search.ranking(edges)
    assert (len(order), mean) == (1, -1)
    assert Solver(shape, 1).move(edges, order[0]).low == -4
    assert search.run(shape.full, 3, SearchWatch(nodes=1000)) == 0


def test_the_network_chooses_unless_the_exact_search_does() -> None:
    game = DotsAndBoxes({"rows": 5, "cols": 5})
    net = Loving(2, 3)
    engine = Engine(game.board, Random(1), 8, net=net)
    thought = engine.think(game.initial_state(), Limit(nodes=10_000), NeverStop())
    assert thought.edge == 2 * 5 + 3
    assert thought.nodes <= 10_000
    assert net.asked > 20
    # A little out of reach the network ranks the moves, and the exact search tests them.
    asked = []
    for free in (28, 40):
        net.asked = 0
        (edges,) = sample(game.board, free, 1, seed=1)
        state = game.initial_state(game.board.members(edges))
        thought = engine.think(state, Limit(nodes=50_000), NeverStop())
        assert thought.nodes <= 50_000
        asked.append(net.asked)
    assert asked[0] == 0 < asked[1]


def test_a_whole_game_with_a_network_is_legal(tmp_path: Path) -> None:
    """Random moves of the opponent make captures early, which the network must decide too."""
    game = DotsAndBoxes({"rows": 5, "cols": 5})
    state = game.initial_state()
    path = save_net(tmp_path / "tiny.onnx")
    bots = make_bot("champion", Random(1), {"net": str(path)}), make_bot("random", Random(2))
    while not state.is_terminal():
        bot = bots[state.current_player()]
        state.apply(bot.choose(state, Limit(nodes=2000), NeverStop()).action)
    assert state.scores()[0] > state.scores()[1]


def test_a_network_that_cannot_be_used_is_refused_with_one_sentence(tmp_path: Path) -> None:
    other = save_net(tmp_path / "nim.onnx", game="nim", planes=7, actions=1, span=1)
    for options, sentence in (
        ({"net": "/nowhere.onnx"}, "There is no network at /nowhere.onnx"),
        ({"net": str(other)}, "plays nim, not dots-and-boxes"),
    ):
        with pytest.raises(BotError, match=sentence):
            make_bot("champion", Random(1), options)


def test_the_network_of_the_package_is_used_unless_an_option_says_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = DotsAndBoxes({"rows": 5, "cols": 5}).initial_state()
    monkeypatch.setattr(
        "doublecross.bots.zero.shipped.shipped", lambda game: tmp_path / f"{game}.onnx"
    )

    def score(options: dict[str, str]) -> float | None:
        bot = make_bot("champion", Random(1), options)
        return bot.choose(state, Limit(nodes=3000), NeverStop()).score

    alone = score({})
    path = save_net(tmp_path / "dots-and-boxes.onnx")
    assert score({"net": "none"}) == alone
    assert score({}) == score({"net": str(path)}) != alone


@pytest.mark.parametrize(
    ("size", "named", "used"),
    [
        (7, False, True),
        (8, False, False),
        # It compiles further kernels, for ten seconds.
        pytest.param(8, True, True, marks=pytest.mark.slow),
    ],
)
def test_on_large_boards_only_a_network_with_a_name_is_used(
    size: int, named: bool, used: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_net(tmp_path / "tiny.onnx")
    monkeypatch.setattr("doublecross.bots.zero.shipped.shipped", lambda game: path)
    bot = make_bot("champion", Random(1), {"net": str(path)} if named else {})
    assert isinstance(bot, ChampionBot)
    state = DotsAndBoxes({"rows": size, "cols": size}).initial_state()
    engine = bot.engine_for(state, Limit(time_s=0.01, memory_mb=8))
    assert isinstance(engine._sampler, NetSearch) == used
