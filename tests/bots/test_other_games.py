"""Check the generic bots on Connect Four and Nim, for which they have no special code."""

from __future__ import annotations

from functools import reduce
from operator import xor
from random import Random

import pytest

from doublecross.bots.alphabeta import TranspositionTable, alphabeta
from doublecross.bots.api import Limit, NeverStop
from doublecross.bots.registry import make_bot
from doublecross.games.connect_four.rules import ConnectFour
from doublecross.games.nim.rules import Nim, NimState

SEARCHING = ("rules", "minimax", "alphabeta", "mcts")


def answer(name: str, state: object, **options: int | str | bool) -> int:
    bot = make_bot(name, Random(4), options)
    return bot.choose(state, Limit(nodes=1_500), NeverStop()).action  # type: ignore[arg-type]


def nim(*sizes: int, misere: bool) -> Nim:
    return Nim({**dict(zip("abcd", (*sizes, 0, 0), strict=False)), "misere": int(misere)})


def is_won(state: NimState, misere: bool) -> bool:
    """Return whether the mover wins, by Bouton's theory: misère Nim is played like normal Nim
    while a heap above 1 exists.
    """
    if misere and max(state.left) <= 1:
        return sum(state.left) % 2 == 0
    return reduce(xor, state.left) != 0


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("sizes", [(1, 1), (2, 3), (1, 2, 3), (3, 4, 5), (1, 3, 5, 4)])
def test_alphabeta_solves_nim(sizes: tuple[int, ...], misere: bool) -> None:
    game, table, rng = nim(*sizes, misere=misere), TranspositionTable(), Random(1)
    for _ in range(4):
        state = game.initial_state()
        while not state.is_terminal():
            assert isinstance(state, NimState)
            value = alphabeta(state, table=table).value
            assert value == (1.0 if is_won(state, misere) else -1.0)
            state.apply(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("name", ["alphabeta", "minimax", "mcts"])
def test_small_nim_is_won_from_a_won_position(name: str, misere: bool) -> None:
    state = nim(1, 3, 4, misere=misere).initial_state()
    options = {} if name == "mcts" else {"depth": 0}
    assert isinstance(state, NimState)
    assert is_won(state, misere)
    rng = Random(2)
    while not state.is_terminal():
        if state.current_player() == 0:
            state.apply(answer(name, state, **options))
            assert state.is_terminal() or not is_won(state, misere)
        else:
            state.apply(rng.choice(state.legal_actions()))
    assert state.returns() == (1.0, -1.0)


def test_rules_does_not_take_the_last_object_where_that_loses() -> None:
    # One heap of 3 is left: a1 would take all of it.
    game = nim(3, 1, misere=True)
    state = game.replay((3,), ())
    for seed in range(20):
        bot = make_bot("rules", Random(seed))
        assert bot.choose(state, Limit(), NeverStop()).action != game.parse_action("a1")


@pytest.mark.parametrize("name", [*SEARCHING, "greedy"])
def test_a_line_of_four_is_completed(name: str) -> None:
    state = ConnectFour().replay((), (3, 0, 3, 1, 3, 0))
    assert answer(name, state) == 3


@pytest.mark.parametrize("name", SEARCHING)
def test_a_line_of_four_is_prevented(name: str) -> None:
    state = ConnectFour().replay((), (3, 0, 3, 1, 3))
    assert answer(name, state) == 3


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "mcts"])
def test_an_open_three_is_found(name: str) -> None:
    # Discs at c and d on the ground, nothing beside them: b or e makes two threats at once.
    game = ConnectFour()
    state = game.replay((), map(game.parse_action, "cgdg"))
    assert game.action_name(answer(name, state)) in ("b", "e")
