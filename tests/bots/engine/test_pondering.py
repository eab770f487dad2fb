"""Check that the champion solves likely replies while its opponent thinks."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

from doublecross.bots.api import Limit, NeverStop
from doublecross.bots.engine.bot import ChampionBot
from doublecross.bots.engine.engine import Engine, prepare
from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.forecast import expected_nodes
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState

GAME = DotsAndBoxes({"rows": 4, "cols": 4})


@pytest.fixture(autouse=True, scope="module")
def kernels() -> None:
    prepare()


def opponents_turn(free: int) -> DotsAndBoxesState:
    """Return a position after careful play, with the opponent to move."""
    rng, state = Random(1), GAME.initial_state()
    while len(state.legal_actions()) > free:
        careful = [e for e in state.legal_actions() if not _gives(state, e)]
        state.apply(rng.choice(careful))
    return state


def _gives(state: DotsAndBoxesState, edge: int) -> bool:
    return closure(state.board, state.edges | 1 << edge).taken > 0


class StopAfter:
    """A stop flag that is set after `asks` queries."""

    def __init__(self, asks: int) -> None:
        self._asks = count()
        self._most = asks

    def is_set(self) -> bool:
        return next(self._asks) >= self._most


def test_likely_replies_are_solved_and_need_no_nodes_afterwards() -> None:
    state = opponents_turn(29)
    engine, fresh = (Engine(state.board, Random(1), 16) for _ in range(2))
    engine.ponder(state, NeverStop())
    # The fresh engine's playouts rank the replies in the same way.
    reply = fresh.think(state, Limit(nodes=20_000), NeverStop()).edge
    state.apply(reply)
    asked = closure(state.board, state.edges).edges
    assert engine.pondering.left(asked, 1e9) == 0
    few = Limit(nodes=2_000)
    thought = engine.think(state, few, NeverStop())
    assert expected_nodes(engine.solver.count_moves(asked)) > 2_000
    assert not fresh.think(state, few, NeverStop()).exact
    assert thought.exact
    truth = Engine(state.board, Random(2), 16).think(state, Limit(), NeverStop(), sampling=False)
    assert thought.value == truth.value


def test_pondering_stops_at_its_flag_and_counts_its_nodes() -> None:
    state = opponents_turn(30)
    engine = Engine(state.board, Random(1), 16)
    engine.ponder(state, StopAfter(0))
    assert engine.pondering.nodes < 100_000
    engine.ponder(state, StopAfter(40))
    assert engine.pondering.nodes > 100_000


def test_the_option_is_off_and_nothing_happens_before_the_first_move() -> None:
    state = opponents_turn(29)
    assert not ChampionBot(Random(1)).ponders
    bot = ChampionBot(Random(1), {"ponder": "true"})
    assert bot.ponders
    bot.ponder(state, NeverStop())
    assert bot._engine is None
    state.apply(bot.choose(state, Limit(nodes=2_000, memory_mb=16), NeverStop()).action)
    bot.ponder(state, StopAfter(3))
    assert bot._engine is not None
    assert bot._engine.pondering.nodes > 0


def test_interchangeable_edges_lead_to_the_same_position() -> None:
    board = GAME.board
    engine = Engine(board, Random(1), 1)
    # Both edges join the box in the corner to the ground.
    upper, left = 1 << 0, 1 << 20
    assert engine.pondering._plain(upper) == engine.pondering._plain(left)
