"""Check `mcts`: exact values, both kinds of tree, limits, and strength against other bots."""

from __future__ import annotations

from functools import cache
from itertools import count
from random import Random

import pytest

from doublecross.bots import clock
from doublecross.bots.api import BotError, Choice, Limit, NeverStop
from doublecross.bots.mcts import dots as dots_driver
from doublecross.bots.mcts.bot import MctsBot
from doublecross.bots.mcts.budget import (
    DEFAULT_SIMULATIONS,
    Candidate,
    SimulationBudget,
    UctSettings,
    best_candidate,
)
from doublecross.bots.mcts.dots import DotsTree
from doublecross.bots.mcts.tree import NODE_BYTES as PYTHON_NODE_BYTES
from doublecross.bots.mcts.tree import GenericTree
from doublecross.bots.registry import make_bot
from doublecross.bots.search.sampling.uct import NODE_BYTES
from doublecross.games.api import Game, State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.registry import make_game
from doublecross.games.tic_tac_toe.rules import TicTacToe
from tests.bots.search.brute import value_of

TIC_TAC_TOE = TicTacToe()


def dots(rows: int, cols: int) -> DotsAndBoxes:
    return DotsAndBoxes({"rows": rows, "cols": cols})


def played(game: DotsAndBoxes, rng: Random, left: int) -> State:
    """Return a position of random play with `left` edges left."""
    state = game.initial_state()
    while len(state.legal_actions()) > left:
        state.apply(rng.choice(state.legal_actions()))
    return state


def exact(state: State) -> int:
    """Return the final net score of seat 0 under perfect play of Dots and Boxes, by brute force."""
    assert isinstance(state, DotsAndBoxesState)
    first, second = state.scores()
    rest = value_of(state.board, state.edges)
    return first - second + (rest if state.current_player() == 0 else -rest)


def mover_value(state: State) -> int:
    return exact(state) if state.current_player() == 0 else -exact(state)


def loss_of(state: State, action: int) -> int:
    """Return how much worse `action` is for its mover than the best action."""
    mover = state.current_player()
    before = exact(state)
    after = state.clone()
    after.apply(action)
    return (before - exact(after)) * (1 if mover == 0 else -1)


def ask(state: State, nodes: int, seed: int = 1, **options: float | str) -> Choice:
    bot = MctsBot(Random(seed), options)
    return bot.choose(state, Limit(nodes=nodes), NeverStop())


class Trips:
    """A stop flag that is set after `asks` queries."""

    def __init__(self, asks: int) -> None:
        self.left = asks
        self.asked = 0

    def is_set(self) -> bool:
        self.asked += 1
        self.left -= 1
        return self.left < 0


# -- values ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "cols", "left"), [(1, 1, 4), (1, 3, 10), (2, 2, 12), (2, 2, 9), (2, 3, 11), (3, 3, 12)]
)
@pytest.mark.parametrize("rollout", ["random", "rules"])
def test_small_positions_are_solved(rows: int, cols: int, left: int, rollout: str) -> None:
    for seed in range(1 if left == rows * (cols + 1) + (rows + 1) * cols else 3):
        state = played(dots(rows, cols), Random(seed), left)
        choice = ask(state, 1_000_000, seed, rollout=rollout)
        assert choice.nodes < 1_000_000
        assert choice.score == mover_value(state)
        assert loss_of(state, choice.action) == 0


@pytest.mark.parametrize("seed", range(6))
def test_both_trees_find_the_same_exact_values(seed: int) -> None:
    state = played(dots(2, 2), Random(seed), 8)
    how = UctSettings(0.5, net=True, rollout=("random", "rules", "control")[seed % 3])
    tree = GenericTree(state, how, Random(seed), 64)
    done = tree.run(SimulationBudget(Limit(nodes=20_000), NeverStop(), None))
    choice = tree.choice(done, 0.0)
    assert done < 20_000
    assert choice.score == mover_value(state) == ask(state, 20_000).score
    assert loss_of(state, choice.action) == 0


def test_the_line_of_a_solved_position_is_perfect_play() -> None:
    state = played(dots(2, 3), Random(3), 11)
    choice = ask(state, 200_000)
    net = exact(state)
    line = state.clone()
    for action in choice.pv:
        line.apply(action)
        assert exact(line) == net
    assert len(choice.pv) > 2


def test_it_declines_two_boxes_to_keep_control() -> None:
    # Two rows of five boxes, the upper one opened at its left end. The player who takes all of it
    # has to open the lower row; the player who declines the last two boxes forces the opponent to
    # open it.
    game = dots(2, 5)
    between = tuple(range(5, 10))
    rest = (0, 1, 2, 3, 4, 10, 11, 12, 13, 14)
    state = game.initial_state((*between, *rest, 15))
    choice = ask(state, 50_000)
    assert choice.score == mover_value(state)
    for action in choice.pv[:3]:
        state.apply(action)
    assert choice.pv[:3] == (16, 17, 18)  # three of five taken
    assert ask(state, 50_000).action == 20  # the far end, not 19


def candidate(action: int, visits: int, net: float, lower: float, upper: float) -> Candidate:
    return Candidate(action, action, visits, net / 10, net, lower, upper)


@pytest.mark.parametrize(
    ("candidates", "action"),
    [
        ([(0, 9, 1.0, -9, 9), (1, 10, 0.5, -9, 9)], 1),  # most visits
        ([(0, 9, 5.0, -9, 9), (1, 2, 1.0, 1, 1)], 1),  # a proven win first
        # a proven draw is chosen only if its value is higher
        ([(0, 9, 5.0, -9, 9), (1, 2, 0.0, 0, 0)], 0),
        ([(0, 9, -0.5, -9, 9), (1, 2, 0.0, 0, 0)], 1),
        ([(0, 9, 3.0, -9, 1), (1, 2, 2.0, 2, 2), (2, 8, 1.0, 1, 9)], 1),  # action 0 is excluded
        ([(0, 5, -3.0, -3, -3), (1, 1, -2.0, -2, -2)], 1),
        ([(0, 0, 0.0, -9, 9), (1, 0, 0.0, -9, 9)], 0),  # no action has been searched
    ],
)
def test_which_action_is_played(
    candidates: list[tuple[int, int, float, float, float]], action: int
) -> None:
    assert best_candidate([candidate(*c) for c in candidates]).action == action


# -- tic-tac-toe -------------------------------------------------------------------------------


@cache
def perfect(history: tuple[int, ...]) -> tuple[int, int]:
    """Return the mover's value and a best cell of tic-tac-toe 3x3 after `history`."""
    best = (-2, -1)
    state = TIC_TAC_TOE.replay((), history)
    mover = state.current_player()
    for cell in state.legal_actions():
        after = [*history, cell]
        # The order in which a seat took its cells does not matter.
        after[::2], after[1::2] = sorted(after[::2]), sorted(after[1::2])
        state.apply(cell)
        value = round(state.returns()[mover]) if state.is_terminal() else -perfect(tuple(after))[0]
        state.undo()
        best = max(best, (value, -cell))
    return best


@pytest.mark.parametrize(("seed", "rollout"), [(0, "random"), (1, "rules")])
def test_tic_tac_toe_is_never_lost(seed: int, rollout: str) -> None:
    rng = Random(seed)
    for opponent in ("random", "perfect"):
        state = TIC_TAC_TOE.initial_state()
        bot = MctsBot(Random(seed), {"rollout": rollout})
        while not state.is_terminal():
            if state.current_player() == seed % 2:
                choice = bot.choose(state, Limit(nodes=400), NeverStop())
                assert choice.score is not None
                assert -1 <= choice.score <= 1
                state.apply(choice.action)
            elif opponent == "random":
                state.apply(rng.choice(state.legal_actions()))
            else:
                state.apply(-perfect(state.history())[1])
        assert state.returns()[seed % 2] >= 0


def test_tic_tac_toe_wins_and_blocks() -> None:
    win = ask(TIC_TAC_TOE.replay((), (0, 3, 1, 4)), 200)
    assert (win.action, win.score, win.nodes) == (2, 1.0, 0)  # known when the children are made
    assert ask(TIC_TAC_TOE.replay((), (0, 4, 1)), 500).action == 2
    assert ask(TIC_TAC_TOE.initial_state(), 30_000).score == 0.0


# -- what is kept, and what is spent -----------------------------------------------------------


@pytest.mark.parametrize("game", [dots(3, 3), TicTacToe({"rows": 4, "cols": 4, "line": 4})])
def test_the_tree_is_kept_while_the_game_continues(game: Game) -> None:
    how = UctSettings(0.5, net=True, rollout="rules")
    state = game.initial_state()
    tree: DotsTree | GenericTree
    if isinstance(state, DotsAndBoxesState):
        tree = DotsTree(state, how, Random(1), 16)
    else:
        tree = GenericTree(state, how, Random(1), 16)
    follow = tree.follow
    tree.run(SimulationBudget(Limit(nodes=1500), NeverStop(), None))
    assert tree.visits == 1500
    used = tree.used
    before = {c.action: (c.visits, c.net) for c in tree.candidates()}
    choice = tree.choice(1500, 0.0)
    state.apply(choice.action)
    assert follow(state, 16)
    assert tree.visits == before[choice.action][0] > 20
    assert 1 < tree.used < used
    # The answer that was expected is in the tree, with its visits.
    answers = {c.action: c.visits for c in tree.candidates()}
    assert choice.pv[1] in answers
    assert tree.choice(0, 0.0).pv == choice.pv[1:]
    state.apply(choice.pv[1])
    assert follow(state, 16)
    assert tree.visits == answers[choice.pv[1]]
    # The same position again, then one that does not continue the game.
    assert follow(state, 16)
    other = game.initial_state()
    other.apply(next(a for a in other.legal_actions() if a != choice.action))
    assert not follow(other, 16)
    assert (tree.visits, tree.used) == (0, 1)


def test_a_kept_tree_gives_the_search_a_start() -> None:
    game = dots(3, 3)
    bot = MctsBot(Random(1))
    state = game.initial_state()
    first = bot.choose(state, Limit(nodes=3000), NeverStop())
    state.apply(first.action)
    state.apply(first.pv[1])
    bot.choose(state, Limit(nodes=100), NeverStop())
    assert isinstance(bot.tree, DotsTree)
    assert bot.tree.visits > 120
    # A tree of another board is not reused.
    bot.choose(dots(2, 2).initial_state(), Limit(nodes=10), NeverStop())
    assert bot.tree.visits == 10


def test_memory_is_bounded() -> None:
    state = dots(10, 10).initial_state()
    tree = DotsTree(state, UctSettings(0.5, net=True, rollout="random"), Random(1), 1)
    assert tree.nbytes <= 2**20 * (NODE_BYTES - 4) / NODE_BYTES + 8
    done = tree.run(SimulationBudget(Limit(nodes=60_000), NeverStop(), None))
    assert done == tree.visits == 60_000
    assert 2**20 // NODE_BYTES // 2 < tree.used <= 2**20 // NODE_BYTES
    # With less memory than the tree needs, the search starts a new tree; with more it keeps the
    # tree.
    roomy = DotsTree(state, UctSettings(0.5, net=True, rollout="random"), Random(1), 2)
    roomy.run(SimulationBudget(Limit(nodes=60_000), NeverStop(), None))
    before = [(c.action, c.visits, c.net) for c in roomy.candidates()]
    assert roomy.follow(state, 4)
    assert [(c.action, c.visits, c.net) for c in roomy.candidates()] == before
    assert not roomy.follow(state, 1)
    assert roomy.used == 1


def test_memory_of_the_python_tree_is_bounded() -> None:
    state = TicTacToe({"rows": 6, "cols": 6, "line": 5}).initial_state()
    tree = GenericTree(state, UctSettings(0.5, net=True, rollout="random"), Random(1), 1)
    done = tree.run(SimulationBudget(Limit(nodes=3000), NeverStop(), None))
    assert done == 3000
    assert 2**20 // PYTHON_NODE_BYTES <= tree.used < 2**20 // PYTHON_NODE_BYTES + 36


@pytest.mark.parametrize(
    "game",
    [dots(10, 10), dots(5, 5), TicTacToe({"rows": 10, "cols": 10, "line": 5})],
)
@pytest.mark.parametrize("asks", [0, 1, 5])
def test_it_stops_when_the_flag_is_set(game: Game, asks: int) -> None:
    state = game.initial_state()
    flag = Trips(asks)
    choice = MctsBot(Random(1)).choose(state, Limit(), flag)
    assert state.is_legal(choice.action)
    assert flag.asked == asks + 1


def test_it_keeps_to_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each look at this clock takes 10 ms.
    ticks = count()
    monkeypatch.setattr(clock, "_read", lambda: next(ticks) / 100)
    state = dots(5, 5).initial_state()
    choice = MctsBot(Random(1)).choose(state, Limit(time_s=0.1), NeverStop())
    assert 0.09 < choice.elapsed < 0.2
    assert choice.nodes > 0
    by_clock = MctsBot(Random(1)).choose(state, Limit(clock_s=3.0), NeverStop())
    assert 0.09 < by_clock.elapsed < 0.2


def test_simulations_are_counted_exactly() -> None:
    state = dots(5, 5).initial_state()
    assert ask(state, 777).nodes == 777
    assert ask(state, 777, simulations=300).nodes == 300
    assert ask(state, 300, simulations=777).nodes == 300
    unlimited = MctsBot(Random(1)).choose(state, Limit(), NeverStop())
    assert unlimited.nodes == DEFAULT_SIMULATIONS
    last = played(dots(2, 2), Random(1), 1)
    assert ask(last, 777).nodes <= 1


@pytest.mark.parametrize("game", [dots(3, 3), dots(7, 6), TIC_TAC_TOE])
@pytest.mark.parametrize("rollout", ["random", "rules"])
def test_the_same_seed_plays_the_same_game(
    game: Game, rollout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def history(seed: int) -> tuple[int, ...]:
        state = game.initial_state()
        bots = [MctsBot(Random(f"{seed} {seat}"), {"rollout": rollout}) for seat in (0, 1)]
        while not state.is_terminal():
            mover = bots[state.current_player()]
            state.apply(mover.choose(state, Limit(nodes=150), NeverStop()).action)
        return state.history()

    first = history(1)
    assert first == history(1) != history(2)
    monkeypatch.setattr(dots_driver, "SLICE_S", 1e-9)  # one simulation a slice
    assert first == history(1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"c": -1.0}, "from 0 up"),
        ({"c": "nan"}, "from 0 up"),
        ({"simulations": -5}, "0 or more"),
        ({"rollout": "clever"}, "one of random, rules"),
        ({"reward": "score"}, "one of outcome, net"),
    ],
)
def test_bad_options_are_refused(options: dict[str, float | str], words: str) -> None:
    with pytest.raises(BotError, match=words):
        make_bot("mcts", Random(1), options)


@pytest.mark.parametrize(("opponent", "nodes"), [("greedy", 300), ("rules", 2000)])
def test_it_beats_simple_players(opponent: str, nodes: int) -> None:
    game = make_game("dots-and-boxes", {"rows": 3, "cols": 3})
    points = 0.0
    for number in range(10):
        seat = number % 2
        other, bot = make_bot(opponent, Random(number)), MctsBot(Random(number))
        state = game.initial_state()
        while not state.is_terminal():
            mover = bot if state.current_player() == seat else other
            state.apply(mover.choose(state, Limit(nodes=nodes), NeverStop()).action)
        points += state.returns()[seat] / 2 + 0.5
    assert points >= 9
