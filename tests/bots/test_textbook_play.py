"""Check `minimax` and `alphabeta` as players: limits, and perfect play near the end."""

from __future__ import annotations

from itertools import count

import pytest

from doublecross.bots import textbook
from doublecross.bots.alphabeta import alphabeta
from doublecross.bots.api import Limit
from doublecross.bots.minimax import minimax
from doublecross.bots.textbook import SearchBudget, TextbookBot
from doublecross.games.api import State
from tests.bots.textbook_bots import BOTS, TIC_TAC_TOE, ask, dots_and_boxes, make


@pytest.mark.parametrize("name", BOTS)
def test_nodes_are_a_limit_and_deepening_ends_where_plain_search_does(name: str) -> None:
    state = dots_and_boxes(2, 3).replay((), (0, 5, 11))
    for nodes in (1, 2, 17, 300, 1000):
        choice = ask(make(name), state, Limit(nodes=nodes))
        assert choice.nodes <= nodes
        assert state.is_legal(choice.action)
    ample = ask(make(name), state, Limit(nodes=10**6, time_s=1000.0))
    plain = ask(make(name), state)
    assert (ample.action, ample.score, ample.pv) == (plain.action, plain.score, plain.pv)
    assert ample.nodes > plain.nodes or name == "alphabeta:table"


def test_a_limit_of_depth_bounds_the_depth_of_the_bot() -> None:
    state = dots_and_boxes(2, 3).initial_state()
    assert len(ask(make("minimax"), state, Limit(depth=2)).pv) == 2
    assert len(ask(make("minimax"), state, Limit(depth=9)).pv) == 3
    assert len(ask(make("alphabeta", depth=0), state, Limit(depth=4)).pv) == 4


def test_when_the_nodes_end_the_deepest_finished_search_counts() -> None:
    # A box can be captured: a depth of one sees it, but not its cost at depth two.
    state = dots_and_boxes(3, 3).replay((), (0, 3, 12))
    for seed in range(20):
        choice = ask(make("minimax", seed), state, Limit(nodes=60))
        assert (choice.action, choice.score, choice.pv) == (13, 1.0, (13,))


class StopsAfter:
    """A stop flag that is set at the given query."""

    def __init__(self, asked: int) -> None:
        self._left = asked

    def is_set(self) -> bool:
        self._left -= 1
        return self._left < 0


@pytest.mark.parametrize("name", BOTS)
def test_a_stopped_search_plays_the_best_finished_move(name: str) -> None:
    state = dots_and_boxes(3, 3).replay((), (0, 3, 12))
    before = (state.serialize(), state.key())
    nodes = []
    for polls in (0, 1, 3, 9):
        choice = make(name, depth=5).choose(state, Limit(), StopsAfter(polls))
        nodes.append(choice.nodes)
        assert state.is_legal(choice.action)
        assert choice.pv in ((), (choice.action, *choice.pv[1:]))
        assert (state.serialize(), state.key()) == before
    assert nodes == sorted(nodes)
    assert nodes[0] == 0 < nodes[1] < nodes[-1] <= 9 * 256


def test_a_search_cut_off_reports_the_best_root_move_of_those_finished() -> None:
    state = dots_and_boxes(2, 2).replay((), (0, 2, 6))
    # 7 takes a box; searched to 3 plies from 9 free edges, each root move costs 1 + 8 + 56 nodes.
    order = [1, 7, 3, 4, 5, 8, 9, 10, 11]
    for search in (minimax, alphabeta):
        whole = search(state, 3, order=order)
        assert whole.pv[0] == 7
        none = search(state, 3, order=order, budget=SearchBudget(max_nodes=5))
        assert (none.value, none.pv, none.complete, none.nodes) == (None, (), False, 5)
    for finished, best in ((1, 1), (2, 7), (8, 7)):
        cut = minimax(state, 3, order=order, budget=SearchBudget(max_nodes=1 + finished * 65 + 3))
        assert (cut.pv[0], cut.complete) == (best, False)
    whole = minimax(state, 3, order=order, budget=SearchBudget(max_nodes=1 + 9 * 65))
    assert whole.complete


def test_time_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count()
    monkeypatch.setattr(textbook, "now", lambda: float(next(ticks)))
    budget = SearchBudget(time_s=4.0)  # made at second 0
    found = minimax(dots_and_boxes(3, 3).initial_state(), 4, budget=budget)
    # The search starts at second 1, then asks at 2, 3 and 4.
    assert (found.complete, found.nodes) == (False, 2 * 256)
    assert found.seconds == 4.0


def outcomes(bot: TextbookBot, seat: int) -> set[float]:
    """Return the utilities of `bot` in `seat` against every line of its opponent."""
    found: set[float] = set()
    answers: dict[tuple[int, ...], int] = {}

    def walk(state: State) -> None:
        if state.is_terminal():
            found.add(state.returns()[seat])
            return
        actions = state.legal_actions()
        if state.current_player() == seat:
            if state.key() not in answers:
                answers[state.key()] = ask(bot, state).action
            actions = [answers[state.key()]]
        for action in actions:
            state.apply(action)
            walk(state)
            state.undo()

    walk(TIC_TAC_TOE.initial_state())
    return found


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("name", "seeds"), [("alphabeta", 3), ("alphabeta:table", 5)])
def test_perfect_tic_tac_toe_never_loses(name: str, seeds: int, seat: int) -> None:
    for seed in range(seeds):
        assert outcomes(make(name, seed, depth=0), seat) == {0.0, 1.0}
