"""The sentences about hinted moves: positions where each rule must speak, and where it must not."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.analysis.sentences.hints import hint_phrase
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import (
    capturing_edges,
    double_dealing_edges,
    safe_edges,
)
from doublecross.games.registry import make_game
from tests.analysis.test_rules import position

SHORT = 52
"""The most letters of a sentence: with the result to expect it has two lines of a phone."""
TWO_CHAINS = "d5 e4 c2 d1 e2"
"""On 2x2: the opponent has opened a chain of 2 at the right; the other two boxes are one, too."""


LONG_CHAINS = "b5 d5 f5 h5 b3 d3 f3 h3 b1 d1 f1 h1"
"""On 2x4: each row is a chain of 4."""


@pytest.mark.parametrize(
    ("size", "moves", "move", "text"),
    [
        ("2x2", "d1 c2 b5 c4 a2 e4 e2 a4 d5 b1 b3", "d3", "d3 takes the last 2 boxes."),
        ("2x2", "a4 b3 b1 e4 e2 d3 d5 c4 b5 c2 d1", "a2", "a2 takes the last box."),
        ("2x4", f"{LONG_CHAINS} a4", "c4", "c4 takes a box and keeps control."),
        ("2x2", "a4 c4 d3 e2 b1 a2 b5", "b3", "b3 takes a box, and 2 more can be taken."),
        ("2x2", "c4 d5 d3", "e4", "e4 takes a box."),
        ("2x2", "a4 b1 c2 c4 b5", "b3", "b3 takes a box, and 1 more can be taken."),
        ("2x3", "g4 f5 e2 g2 f1 e4", "f3", "f3 takes 2 boxes."),
        (
            *("2x2", TWO_CHAINS, "c4"),
            "c4 leaves 2 boxes: the opponent must move next.",
        ),
        ("2x4", f"{LONG_CHAINS} a4 c4 e4", "i4", "i4 declines 2 boxes and keeps control."),
        # The opponent gives the chain of 2 by its middle edge, and moves after this player.
        ("2x2", "b3 d1 c4 d5 c2 e4", "e2", "e2 leaves 2 boxes: the opponent must move next."),
        (
            *("2x2", "e2 c4 b3 c2 e4", "d3"),
            "d3 gives 2 boxes away that cannot be declined.",
        ),
        ("2x2", "b3 d1 c4 d5 c2", "e4", "No edge is safe. e4 opens a chain of 2."),
        (
            *("2x2", "c4 d3 c2 b3", "e4"),
            "e4 gives the fewest boxes away: a chain of 1.",
        ),
        (
            *("2x2", "d1 d5 e2 b1 a2 e4 a4 b5", "c2"),
            "c2 gives the fewest boxes away: a loop of 4.",
        ),
        ("2x2", "c2 d3 a4 a2 e4", "b1", "b1 gives a chain of 1 away while 1 edge is safe."),
        ("2x2", "c4 d5", "d3", "d3 gives a chain of 1 away while 8 edges are safe."),
        (
            *("2x2", "c4 d3 c2", "b3"),
            "b3 leaves the opponent no safe edge.",
        ),
        ("2x2", "c2 d5 d1 b5", "b3", "b3 is safe and leaves 1 safe edge."),
        ("2x2", "", "d1", "d1 is safe and leaves 11 safe edges."),
    ],
)
def test_each_rule_speaks_where_it_must(size: str, moves: str, move: str, text: str) -> None:
    state = position(size, moves)
    before = state.history()
    assert str(hint_phrase(state, state.game.parse_action(move))) == text
    assert state.history() == before


@pytest.mark.parametrize(
    ("size", "moves", "move"),
    [
        ("2x2", "b3 e4 b1 c4 b5", "d5"),  # boxes are left, and the move does not decline them
        ("2x2", "b5 d5 e4 a2 d3", "c2"),
    ],
)
def test_no_rule_applies(size: str, moves: str, move: str) -> None:
    state = position(size, moves)
    assert hint_phrase(state, state.game.parse_action(move)) is None


def test_other_games_say_only_that_a_move_wins() -> None:
    game = make_game("tic-tac-toe")
    state = game.replay((), (0, 3, 1, 4))
    assert str(hint_phrase(state, 2)) == f"{game.action_name(2)} wins at once."
    assert hint_phrase(state, 5) is None
    drawn = game.replay((), (0, 1, 2, 4, 3, 5, 7, 6))
    assert hint_phrase(drawn, 8) is None  # the last move of a draw


def greedily(state: DotsAndBoxesState) -> int:
    """Take all boxes that can be taken, and return their number."""
    taken = 0
    while edges := capturing_edges(state):
        before = sum(state.scores())
        state.apply(edges[0])
        taken += sum(state.scores()) - before
    return taken


def check(state: DotsAndBoxesState, action: int, rule: str, phrase: str) -> None:
    """Check by playing on that what a rule says is true."""
    mover, scores = state.current_player(), state.scores()
    after = state.clone()
    after.apply(action)
    taken = sum(after.scores()) - sum(scores)
    match rule:
        case "takes-the-last":
            assert after.is_terminal()
            assert taken
        case "takes":
            assert (taken > 0, capturing_edges(after)) == (True, ())
        case "takes-some":
            assert f"{greedily(after)} more" in phrase
        case "takes-and-keeps-control":
            assert taken
            while not double_dealing_edges(after):
                after.apply(capturing_edges(after)[0])
            assert after.current_player() == mover
            after.apply(double_dealing_edges(after)[0])
            assert_must_open(after, 1 - mover)
        case "declines-and-keeps-control":
            assert_must_open(after, 1 - mover)
        case "declines":
            greedily(after)
            assert not after.is_terminal()
            assert after.current_player() == 1 - mover
        case "leaves-nothing-safe":
            assert_must_open(after, 1 - mover)
        case "is-safe":
            assert not capturing_edges(after)
            assert safe_edges(after)
        case "opens-by-the-middle":
            assert double_dealing_edges(after) == ()
            assert greedily(after) == 2
        case _:
            kind, boxes = rule.rsplit("-", 1)[1], greedily(after)
            assert f"{kind} of {boxes}" in phrase


def assert_must_open(state: DotsAndBoxesState, player: int) -> None:
    """Check that `player`, after taking all boxes at hand, can only give boxes away."""
    greedily(state)
    assert not state.is_terminal()
    assert state.current_player() == player
    for edge in state.legal_actions():
        then = state.clone()
        then.apply(edge)
        assert capturing_edges(then)


def test_what_is_said_is_true_in_random_games() -> None:
    rng, said = Random(7), set[str]()
    game = make_game("dots-and-boxes", {"rows": 3, "cols": 3})
    for _ in range(150):
        state = game.initial_state()
        assert isinstance(state, DotsAndBoxesState)
        while not state.is_terminal():
            legal = state.legal_actions()
            good = capturing_edges(state) or safe_edges(state) or legal
            action = rng.choice(rng.choice((good, double_dealing_edges(state) or good, legal)))
            if (phrase := hint_phrase(state, action)) is not None:
                said.add(phrase.rule)
                assert len(str(phrase)) <= SHORT
                check(state, action, phrase.rule, str(phrase))
            state.apply(action)
    assert len(said) >= 11
