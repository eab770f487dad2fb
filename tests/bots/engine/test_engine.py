"""Check the engine: exact near the end of a game, sound before that, and within its limits."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

from doublecross.bots import clock
from doublecross.bots.api import BotError, Limit, NeverStop
from doublecross.bots.engine.book import OpeningBook
from doublecross.bots.engine.bot import EngineBot
from doublecross.bots.engine.engine import FEW, Engine, prepare
from doublecross.bots.engine.thought import EngineThought
from doublecross.bots.registry import bot_class, make_bot
from doublecross.bots.search.exact.bounds import Bounds
from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.bots.search.forecast import expected_nodes
from doublecross.bots.search.sampling.playout_tree import NODES, PLAYOUTS, SOLVED, USED
from doublecross.bots.turns import next_stroke
from doublecross.games.api import Game
from doublecross.games.dots_and_boxes.board import Board, board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import safe_edges
from tests.bots.search.brute import table_from


@pytest.fixture(autouse=True, scope="module")
def kernels() -> None:
    prepare()


def test_the_clock_is_shared_among_the_moves_before_the_exact_horizon() -> None:
    champion = bot_class("champion")
    five = DotsAndBoxes({"rows": 5, "cols": 5})
    # 13 edges before the late phase, and 11 in it, which count three times.
    assert champion.moves_to_go(five.initial_state()) == 23
    assert champion.moves_to_go(five.initial_state(range(12))) == 17
    assert champion.moves_to_go(five.initial_state(range(13))) == 5
    assert champion.moves_to_go(five.initial_state(range(30))) == 1
    assert bot_class("perfect").moves_to_go(five.initial_state()) == 23
    large = DotsAndBoxes({"rows": 10, "cols": 10})
    assert champion.moves_to_go(large.initial_state()) == 49
    assert bot_class("rules").moves_to_go(five.initial_state()) == 30


class StopAfter:
    """A stop flag that is set after `asks` queries."""

    def __init__(self, asks: int) -> None:
        self.asks = asks

    def is_set(self) -> bool:
        self.asks -= 1
        return self.asks < 0


def dots(rows: int, cols: int) -> DotsAndBoxes:
    return DotsAndBoxes({"rows": rows, "cols": cols})


def careful_state(game: DotsAndBoxes, rng: Random, free: int) -> DotsAndBoxesState:
    """Return a state after random safe edges, with `free` edges left or no safe edge."""
    state = game.initial_state()
    while len(state.legal_actions()) > free and (safe := safe_edges(state)):
        state.apply(rng.choice(safe))
    return state


def random_state(game: DotsAndBoxes, rng: Random, free: int) -> DotsAndBoxesState:
    """Return a state after random edges."""
    state = game.initial_state()
    while len(state.legal_actions()) > free:
        state.apply(rng.choice(state.legal_actions()))
    return state


def net(state: DotsAndBoxesState) -> int:
    mover = state.current_player()
    return state.scores()[mover] - state.scores()[1 - mover]


@pytest.mark.parametrize(("rows", "cols", "free"), [(2, 3, 12), (3, 3, 16), (4, 4, 22), (5, 5, 30)])
def test_exact_moves_lose_nothing(rows: int, cols: int, free: int) -> None:
    game, rng = dots(rows, cols), Random(f"{rows} {cols}")
    judge = Solver(game.board, 8)
    engine = Engine(game.board, Random(1), 8)
    for _ in range(12):
        for state in (careful_state(game, rng, free), random_state(game, rng, free - 4)):
            thought = engine.think(state, Limit(time_s=30), NeverStop())
            value = net(state) + judge.bounds(state.edges).low
            assert thought.exact
            assert thought.value == Bounds(value, value)
            assert thought.estimate == value
            before = net(state)
            mover = state.current_player()
            state.apply(thought.edge)
            gain = net(state) if state.current_player() == mover else -net(state)
            if state.is_terminal():
                scores = state.scores()
                assert scores[mover] - scores[1 - mover] == value
                continue
            rest = judge.bounds(state.edges).low
            after = rest if state.current_player() == mover else -rest
            assert gain + after == value, (before, thought)


@pytest.mark.parametrize(("rows", "cols"), [(9, 4), (10, 10)])
def test_the_end_of_a_game_on_a_large_board_is_exact(rows: int, cols: int) -> None:
    game, rng = dots(rows, cols), Random(f"{rows} {cols}")
    engine = Engine(game.board, Random(1), 4)
    for _ in range(4):
        state = random_state(game, rng, 16)
        values, free = table_from(game.board, state.edges), state.legal_actions()
        while not state.is_terminal():
            drawn = sum(1 << at for at, edge in enumerate(free) if state.edges >> edge & 1)
            known = net(state) + int(values[drawn])
            thought = engine.think(state, Limit(nodes=100_000), NeverStop())
            assert thought.value == Bounds(known, known)
            mover = state.current_player()
            state.apply(thought.edge)
        scores = state.scores()
        assert scores[mover] - scores[1 - mover] == known


@pytest.mark.parametrize("nodes", [1, 3000])
def test_sampled_moves_are_legal_whatever_the_limit(nodes: int) -> None:
    rng = Random(nodes)
    for size in ((5, 5), (7, 7), (1, 10), (6, 4), (10, 10)):
        game = dots(*size)
        engine = Engine(game.board, Random(2), 4)
        for free in (game.num_actions, game.num_actions * 3 // 4, game.num_actions // 2):
            for state in (careful_state(game, rng, free), random_state(game, rng, free)):
                thought = engine.think(state, Limit(nodes=nodes), NeverStop())
                assert state.is_legal(thought.edge)
                assert thought.value.low <= thought.estimate <= thought.value.high


def test_the_score_secured_by_the_book_is_searched_first() -> None:
    """A draw of 4x4, out of the book and too hard for this limit. The score that the mover could
    secure before the opponent's move is still possible, and searching for it is half of the
    work.
    """
    game = DotsAndBoxes({"rows": 4, "cols": 4})
    state = game.replay((), (9, 5, 24, 13, 12))
    assert isinstance(state, DotsAndBoxesState)
    book = OpeningBook(game.board, {})
    book.add(state.edges, 8, 0)
    engine, fresh = (Engine(game.board, Random(1), 128) for _ in range(2))
    engine.book = fresh.book = book
    thought = engine.think(state, Limit(nodes=1000), NeverStop())
    assert (thought.edge, thought.value) == (8, Bounds(0, 0))
    state.apply(8)
    state.apply(16)
    limit = Limit(nodes=300_000)
    assert engine.think(state, limit, NeverStop()).value == Bounds(0, 16)
    assert fresh.think(state, limit, NeverStop()).value == Bounds(-16, 16)


def many_openings(game: Game) -> DotsAndBoxesState:
    """Return a 5x5 state with no safe edge but more than a dozen chains."""
    assert isinstance(game, DotsAndBoxes)
    for seed in range(2000):
        state = careful_state(game, Random(seed), 0)
        if Solver(game.board, 0.1).count_moves(state.edges) > 12:
            return state
    raise AssertionError("no such position")


def test_playouts_end_in_a_position_with_many_chains_and_no_safe_edge() -> None:
    # Playouts once searched forever for a random safe edge in such a position.
    state = many_openings(dots(7, 7))
    assert not safe_edges(state)
    engine = Engine(state.board, Random(3), 4)
    estimate = engine.sample(state.edges, 0, SearchWatch(nodes=20_000))
    value = engine.solver.bounds(state.edges, SearchWatch(nodes=5_000_000))
    assert value.low <= estimate <= value.high


def test_playouts_agree_with_the_exact_value_where_one_side_is_far_ahead() -> None:
    game = dots(5, 5)
    engine = Engine(game.board, Random(5), 16)
    rng, right = Random(6), 0
    for _ in range(20):
        state = careful_state(game, rng, 37)
        value = engine.solver.bounds(state.edges).low
        estimate = engine.sample(state.edges, 0, SearchWatch(nodes=30_000))
        right += (estimate > 0) == (value > 0)
    assert right >= 14


def test_a_solved_root_ends_the_playouts() -> None:
    game = dots(5, 5)
    engine = Engine(game.board, Random(5), 8)
    rng, solved = Random(1), 0
    while solved < 10:
        state = careful_state(game, rng, 30)
        if 0 < engine.solver.count_moves(state.edges) <= FEW:
            watch = SearchWatch(nodes=20_000_000)
            estimate = engine.sample(state.edges, 0, watch)
            assert engine.playouts.tree.ints[0, SOLVED] == 1
            assert estimate == engine.solver.bounds(state.edges).low
            assert watch.nodes < 100_000
            solved += 1


def test_a_full_tree_goes_on_with_playouts() -> None:
    game = dots(5, 5)
    engine = Engine(game.board, Random(5), 0.1)
    rows = len(engine.playouts.tree.ints)
    engine.sample(0, 0, SearchWatch(nodes=600_000))
    assert engine.playouts.tree.registers[USED] <= rows
    assert engine.playouts.tree.registers[PLAYOUTS] > rows / 40
    assert engine.playouts.tree.registers[NODES] >= 600_000


def test_equal_seeds_and_nodes_give_equal_moves() -> None:
    game = dots(5, 5)
    state = careful_state(game, Random(8), 50)

    def thought(seed: int) -> EngineThought:
        return Engine(game.board, Random(seed), 8).think(state, Limit(nodes=60_000), NeverStop())

    assert thought(1) == thought(1)
    assert len({thought(seed).edge for seed in range(6)}) > 1


def test_it_stops_soon_after_the_flag() -> None:
    game = dots(5, 5)
    engine = Engine(game.board, Random(8), 8)
    state = game.initial_state()
    engine.think(state, Limit(nodes=20_000), NeverStop())
    flag = StopAfter(3)
    thought = engine.think(state, Limit(time_s=600), flag)
    assert state.is_legal(thought.edge)
    # The search stops after a handful of work units at most.
    assert thought.nodes < 200_000


def test_evaluate_gives_every_edge_its_exact_value_where_it_can() -> None:
    game, rng = dots(3, 3), Random(11)
    engine, judge = Engine(game.board, Random(1), 8), Solver(game.board, 8)
    for free in (14, 9, 5):
        state = random_state(game, rng, free)
        worth = engine.evaluate(state, Limit(time_s=20), NeverStop())
        moves = judge.moves(state.edges, SearchWatch())
        assert worth == {edge: bounds.plus(net(state)) for edge, bounds in moves.items()}


def test_evaluate_samples_early_positions() -> None:
    game = dots(5, 5)
    engine = Engine(game.board, Random(1), 8)
    state = careful_state(game, Random(2), 52)
    worth = engine.evaluate(state, Limit(nodes=200_000), NeverStop())
    assert sorted(worth) == state.legal_actions()
    assert all(isinstance(value, float) and abs(value) <= 25 for value in worth.values())


@pytest.mark.parametrize("decline", [True, False])
def test_a_planned_turn_with_captures_is_completed(decline: bool) -> None:
    seen = 0
    for seed in range(60):
        rng = Random(seed)
        tables: Board = board(5, 5)
        state = careful_state(dots(5, 5), rng, 0)
        # The mover opens a chain and the other player takes it.
        state.apply(rng.choice(state.legal_actions()))
        now = closure(tables, state.edges)
        if not now.taken:
            continue
        taker = state.current_player()
        before = state.scores()[taker]
        while not state.is_terminal() and state.current_player() == taker:
            left = closure(tables, state.edges)
            if not left.taken:
                break
            state.apply(next_stroke(tables, state.edges, decline))
        if decline and now.keeps:
            seen += 1
            assert state.scores()[taker] - before == now.taken - now.keeps
            assert state.current_player() != taker
            assert closure(tables, state.edges).taken == now.keeps
        else:
            assert state.scores()[taker] - before == now.taken
    assert seen > 20 or not decline


def test_expected_nodes_are_about_right() -> None:
    game = dots(5, 5)
    rng = Random(3)
    for _ in range(8):
        state = careful_state(game, rng, 36)
        solver = Solver(game.board, 16)
        watch = SearchWatch()
        solver.bounds(state.edges, watch)
        guess = expected_nodes(solver.count_moves(state.edges))
        assert guess / 8 < watch.nodes < guess * 8


@pytest.mark.parametrize("name", ["solver", "champion", "hard", "perfect"])
def test_a_bot_moves_within_its_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = dots(5, 5)
    state = game.initial_state()
    bot = make_bot(name, Random(1))
    bot.choose(state, Limit(nodes=1000), NeverStop())
    # Each look at this clock takes 10 ms.
    ticks = count()
    monkeypatch.setattr(clock, "_read", lambda: next(ticks) / 100)
    choice = bot.choose(state, Limit(time_s=0.2), NeverStop())
    assert next(ticks) <= 30
    assert state.is_legal(choice.action)


def test_a_short_limit_has_small_tables_and_a_longer_one_larger() -> None:
    bot = make_bot("champion", Random(1))
    assert isinstance(bot, EngineBot)
    state = dots(5, 5).initial_state()

    def table(limit: Limit) -> int:
        return bot.engine_for(state, limit).solver.whole.nbytes

    short = table(Limit(time_s=0.05, memory_mb=256))
    kept = bot.engine_for(state, Limit(time_s=0.05, memory_mb=256))
    assert bot.engine_for(state, Limit(time_s=0.1, memory_mb=256)) is kept  # with what it knows
    assert bot.engine_for(state, Limit(time_s=0.02, memory_mb=256)) is kept
    long = table(Limit(time_s=5.0, memory_mb=256))
    assert short * 8 <= long <= 192 * 2**20
    assert table(Limit(nodes=1000, memory_mb=256)) == long
    assert table(Limit(time_s=5.0, memory_mb=32)) <= 24 * 2**20


@pytest.mark.parametrize("name", ["solver", "champion"])
def test_a_bot_searches_with_the_threads_that_it_is_given(name: str) -> None:
    state = dots(5, 5).initial_state()
    for threads in (1, 3):
        bot = make_bot(name, Random(1), {"threads": threads})
        assert isinstance(bot, EngineBot)
        solver = bot.engine_for(state, Limit(nodes=1000)).solver
        assert 1 + len(solver.helpers) == threads
    for threads in (0, 65):
        with pytest.raises(BotError, match="between 1 and 64"):
            make_bot(name, Random(1), {"threads": threads})
