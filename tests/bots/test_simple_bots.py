"""Check `random`, `greedy` and `rules` on hand-made positions and against each other."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.bots.api import Choice, Limit, NeverStop
from doublecross.bots.registry import make_bot
from doublecross.games.api import Game, State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import safe_edges
from doublecross.games.registry import make_game

BOARD_2X2 = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
BOARD_1X4 = make_game("dots-and-boxes", {"rows": 1, "cols": 4})
TIC_TAC_TOE = make_game("tic-tac-toe")


def ask(name: str, state: State, seed: int = 1) -> Choice:
    return make_bot(name, Random(seed)).choose(state, Limit(), NeverStop())


def all_choices(name: str, state: State, seeds: int = 60) -> set[int]:
    return {ask(name, state, seed).action for seed in range(seeds)}


def after(game: Game, *actions: int) -> State:
    return game.replay((), actions)


def test_random_plays_every_legal_action_sooner_or_later() -> None:
    state = after(BOARD_2X2, 0, 1)
    assert all_choices("random", state, 200) == set(state.legal_actions())


@pytest.mark.parametrize("name", ["greedy", "rules"])
def test_a_box_is_taken(name: str) -> None:
    # Box 0 has its top, bottom and left edge.
    state = after(BOARD_2X2, 0, 2, 6)
    assert all_choices(name, state, 20) == {7}


def test_greedy_takes_two_boxes_rather_than_one() -> None:
    # On 1x4: boxes 0 and 1 lack only the edge between them (9), box 3 only its right one (12).
    drawn = (0, 4, 8, 1, 5, 10, 3, 7, 11)
    state = BOARD_1X4.initial_state(drawn)
    assert all_choices("greedy", state, 20) == {9}


def test_greedy_plays_at_random_without_a_capture() -> None:
    state = after(BOARD_2X2, 0, 2)  # edges 6 and 7 give box 0 away
    assert all_choices("greedy", state, 200) == set(state.legal_actions())


def test_rules_plays_safe_edges_while_there_are_any() -> None:
    state = after(BOARD_2X2, 0, 2)
    assert isinstance(state, DotsAndBoxesState)
    assert all_choices("rules", state, 200) == set(safe_edges(state))


def test_rules_first_takes_the_box_that_opens_nothing() -> None:
    # 1x4: box 3 can be taken by its right edge (12), which opens nothing; box 0 by edge 9, which
    # gives box 1 its third edge.
    state = BOARD_1X4.initial_state((0, 4, 8, 1, 5, 3, 7, 11))
    assert all_choices("rules", state, 40) == {12}


def test_rules_gives_away_the_smallest_chain() -> None:
    # 2x3: a chain of 3 above (edges 9 to 12), of 1 (6 and 13) and of 2 (7, 15 and 16) below.
    game = make_game("dots-and-boxes", {"rows": 2, "cols": 3})
    state = game.initial_state((0, 1, 2, 3, 4, 5, 14, 8))
    assert isinstance(state, DotsAndBoxesState)
    assert not safe_edges(state)
    assert all_choices("rules", state) == {6, 13}
    assert ask("rules", state).score == -1.0 + 2.0 - 3.0
    state.apply(6)
    state.apply(13)
    assert all_choices("rules", state) == {15}  # hard-hearted


def test_rules_expects_a_greedy_reply() -> None:
    # One chain of 4: whoever opens it loses 4.
    state = BOARD_1X4.initial_state((0, 1, 2, 3, 4, 5, 6, 7))
    assert ask("rules", state).score == -4.0
    state.apply(8)
    choice = ask("rules", state)
    assert (choice.action, choice.score) == (9, 4.0)


def test_rules_wins_and_blocks_in_tic_tac_toe() -> None:
    # X: 0 1, O: 3 4: X to move wins at 2; after X elsewhere O would win at 5.
    choice = ask("rules", after(TIC_TAC_TOE, 0, 3, 1, 4))
    assert (choice.action, choice.score) == (2, 1.0)
    # X: 0 1, O: 4: O must block 2.
    assert all_choices("rules", after(TIC_TAC_TOE, 0, 4, 1), 20) == {2}
    assert ask("greedy", after(TIC_TAC_TOE, 0, 3, 1, 4)).action == 2
    # Two threats at once: lost, but something is played.
    lost = after(TIC_TAC_TOE, 0, 4, 2, 1, 6)  # X on three corners, O at 4 1: O can win at 7
    assert ask("rules", lost).action == 7
    forked = after(TIC_TAC_TOE, 0, 1, 4, 8, 6)  # X threatens 2 and 3
    choice = ask("rules", forked)
    assert choice.score == -1.0


def play_pairs(first: str, second: str, game: Game, pairs: int) -> float:
    """Return the share of decided games that `first` wins, from 0 to 1."""
    won = lost = 0
    rng = Random(99)
    openings = game.openings(rng, pairs).found
    for number, opening in enumerate(openings):
        for seat in (0, 1):
            names = (first, second) if seat == 0 else (second, first)
            players = [make_bot(name, Random(f"{number} {name}")) for name in names]
            state = game.initial_state(opening)
            while not state.is_terminal():
                mover = players[state.current_player()]
                state.apply(mover.choose(state, Limit(), NeverStop()).action)
            won += state.returns()[seat] > 0
            lost += state.returns()[seat] < 0
    return won / (won + lost)


def test_each_bot_beats_the_one_below() -> None:
    game = make_game("dots-and-boxes", {"rows": 4, "cols": 4})
    assert play_pairs("greedy", "random", game, 20) > 0.9
    assert play_pairs("rules", "greedy", game, 20) > 0.8
    tic_tac_toe = make_game("tic-tac-toe", {"rows": 4, "cols": 4})
    assert play_pairs("rules", "random", tic_tac_toe, 20) > 0.7
