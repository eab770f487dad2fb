"""Check the option `sacrifice` of `rules`: the classical order."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.bots.api import BotError, Choice, Limit, NeverStop
from doublecross.bots.registry import make_bot
from doublecross.games.api import State
from doublecross.games.registry import make_game

BOARD_2X3 = make_game("dots-and-boxes", {"rows": 2, "cols": 3})
THREE_CHAINS = (0, 1, 2, 3, 4, 5, 14, 8)
"""On 2x3: a chain of 3 above (edges 9 to 12), of 1 (6 and 13) and of 2 (7, 15 and 16) below."""


def ask(state: State, seed: int, **options: str) -> Choice:
    return make_bot("rules", Random(seed), options).choose(state, Limit(), NeverStop())


def classical(state: State) -> tuple[set[int], set[float | None]]:
    choices = [ask(state, seed, sacrifice="classical") for seed in range(80)]
    return {choice.action for choice in choices}, {choice.score for choice in choices}


def test_the_classical_order_is_one_then_two_then_anything() -> None:
    state = BOARD_2X3.initial_state(THREE_CHAINS)
    assert classical(state) == ({6, 13}, {-1.0 + 2.0 - 3.0})
    state.apply(6)
    state.apply(13)
    # Any edge of the chain of 2, where the default knows the hard-hearted handout.
    assert classical(state)[0] == {7, 15, 16}
    assert {ask(state, seed).action for seed in range(40)} == {15}
    for edge in (15, 7, 16):
        state.apply(edge)
    assert classical(state)[0] == {9, 10, 11, 12}


def test_longer_chains_are_opened_at_any_edge() -> None:
    # 3x3: a chain of 3 in the upper row, and one of 6 that bends at the left end of the lower two.
    game = make_game("dots-and-boxes", {"rows": 3, "cols": 3})
    state = game.initial_state((*range(6), *range(7, 12), 16, 20))
    short, long = {12, 13, 14, 15}, {6, 17, 18, 19, 21, 22, 23}
    assert set(state.legal_actions()) == short | long
    assert classical(state) == (short | long, {None})
    assert {ask(state, seed).action for seed in range(80)} == short


def test_captures_and_safe_edges_come_first() -> None:
    safe = BOARD_2X3.initial_state((0, 1))
    capture = BOARD_2X3.initial_state((0, 3, 9))
    for state in (safe, capture):
        for seed in range(20):
            assert ask(state, seed, sacrifice="classical").action == ask(state, seed).action


def test_there_are_two_orders() -> None:
    with pytest.raises(BotError, match="one of least, classical"):
        make_bot("rules", Random(1), {"sacrifice": "most"})
