"""The rules behind sentences: positions where they must speak, and where they must not."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from doublecross.analysis.judgement import Estimate, Judgement
from doublecross.analysis.sentences.facts import Facts
from doublecross.analysis.sentences.rules import say
from doublecross.games.api import State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import (
    capturing_edges,
    double_dealing_edges,
    safe_edges,
)
from doublecross.games.registry import make_game
from tests.analysis.course.lessons import judge
from tests.analysis.judges import BruteJudge, value

BRUTE = BruteJudge()


def position(size: str, moves: str) -> State:
    rows, cols = map(int, size.split("x"))
    game = make_game("dots-and-boxes", {"rows": rows, "cols": cols})
    return game.replay((), map(game.parse_action, moves.split()))


def said(size: str, moves: str, move: str) -> list[str]:
    """Return the sentences about `move` after `moves`."""
    state = position(size, moves)
    action = state.game.parse_action(move)
    return [str(phrase) for phrase in say(Facts.of(state, action, BRUTE.judge(state, action)))]


CHAIN_OPENED = "b5 d5 d1 b3 d3 g4 f3 f1 b1 c2 a2"
LEFT_SIX = "i4 left 6 boxes that could be taken. It cost 6 boxes. It turned a win into a loss."
ROWS_OF_FOUR = "b5 d5 f5 h5 b3 d3 f3 h3 b1 d1 f1 h1"
TWO_AND_ONE = "b3 g2 f5 g4 e2 b5 d3 b1 a4 c4"


@pytest.mark.parametrize(
    ("size", "moves", "move", "text"),
    [
        (
            *("2x2", "a4 a2 c4", "b5"),
            "b5 opened a chain of 1 while d3 was still safe. It cost 1 box.",
        ),
        ("2x2", "a4 a2 c4", "d3", ""),
        (
            *("2x2", "a4 a2 c4 d1 d3 b1", "b5"),
            "b5 opened a chain of 3. The chain of 1 at d5 gives fewer boxes away."
            " It cost 2 boxes. It turned a win into a loss.",
        ),
        ("2x2", "a4 a2 c4 d1 d3 b1 d5", "e4", ""),
        (
            *("2x2", "d5 e4 a2 b1", "b5"),
            "b5 was safe, but it was time to give the chain of 1 at b3 away."
            " It cost 1 box. It turned a draw into a loss.",
        ),
        (
            *("2x2", "d5 e4 a2 b1", "b3"),
            "b3 gave the chain of 1 away at the right time: every safe edge would have cost more.",
        ),
        ("2x3", TWO_AND_ONE, "c2", ""),
        # With another chain open, control is not why the two boxes were worth more.
        ("2x4", f"{ROWS_OF_FOUR} a4 c4 e4 a2", "i4", LEFT_SIX),
        (
            *("2x3", CHAIN_OPENED, "g2"),
            "g2 left 2 boxes to keep control: the opponent must move next.",
        ),
        (
            *("2x3", "e4 d5 g4 b5 b1 b3 a2 a4", "c4"),
            "After c4 no box can be declined any more. Taking c2 first keeps that choice."
            " It cost 1 box. It turned a win into a draw.",
        ),
        ("2x3", "e4 d5 g4 b5 b1 b3 a2 a4", "c2", ""),
        (
            *("2x3", CHAIN_OPENED, "e2"),
            "Taking the last boxes gave up control. Leaving 2 of them by g2 would have won 4-2."
            " It cost 1 box. It turned a win into a draw.",
        ),
    ],
)
def test_what_is_said(size: str, moves: str, move: str, text: str) -> None:
    assert " ".join(said(size, moves, move)) == text


def test_boxes_that_were_left() -> None:
    assert said("2x2", "a4 a2 c4 d1 d3 b1 d5", "b5")[0] == "b5 left a box that could be taken."


def test_boxes_that_were_declined_for_nothing() -> None:
    first = said("1x2", "b3 d3 b1 d1 a2", "e2")[0]
    assert first == "e2 left 2 boxes to the opponent, which was more than control was worth."


def test_a_chain_of_two_that_was_given_by_its_end() -> None:
    first = said("2x3", TWO_AND_ONE, "d1")[0]
    assert first == (
        "d1 gave two boxes away by the end of their chain, so the opponent can decline them. Its"
        " middle edge c2 leaves no choice."
    )


def test_the_first_long_chain() -> None:
    found = said("2x2", "a2 b5 a4 e2", "b1")
    assert found[0] == (
        "After b1 its player has to open the first long chain. After c2 the opponent would have"
        " had to."
    )


CHAIN_AND_LOOP = "d5 f7 a4 g2 f1 b7 b5 g4 d7 b1 f5 a2 d3 d1"
"""On 3x3, a chain of 3 boxes (a6) and a loop of 6 (b3); no edge is safe."""


def judged(state: DotsAndBoxesState, move: str, *, every: bool = True) -> list[str]:
    """Return the sentences about a move, with the true values of all moves."""
    values, action = judge(state), state.game.parse_action(move)
    best = tuple(each.action for each in values.actions if each.value == values.value)
    judgement = Judgement(values.value, values.of(action), best, every=every)
    return [str(phrase) for phrase in say(Facts.of(state, action, judgement))]


def test_a_chain_that_was_opened_before_a_loop() -> None:
    state = position("3x3", CHAIN_AND_LOOP)
    assert isinstance(state, DotsAndBoxesState)
    for edge in ("a6", "e6"):
        assert judged(state, edge) == [
            f"{edge} opened a chain of 3 before the loop of 6 at b3. To keep control the opponent"
            " must leave four boxes of a loop, but only two of a chain.",
            "It cost 1 box.",
        ]
    assert judged(state, "b3") == []  # the loop itself
    # Other edges, unknown here, may be as good: a chain among them would make the reason wrong.
    assert judged(state, "a6", every=False) == []


STARTS = (("2x2", ""), ("2x3", ""), ("2x3", CHAIN_OPENED), ("2x3", TWO_AND_ONE))


def test_every_claim_is_true() -> None:
    """Random games on small boards: what the sentences say is checked with the true values."""
    heard: Counter[str] = Counter()
    for size, start in STARTS:
        for seed in range(8):
            rng, state = Random(f"{size}{seed}"), position(size, start)
            assert isinstance(state, DotsAndBoxesState)
            while not state.is_terminal():
                for action in state.legal_actions():
                    heard.update(_checked(state, action))
                best = BRUTE.judge(state, state.legal_actions()[0]).best
                state.apply(rng.choice(best if rng.random() < 0.6 else state.legal_actions()))
    assert set(heard) >= {
        *("left-boxes", "opened-chain-while-safe", "opened-chain-instead-of-chain"),
        *("kept-chain", "sacrificed-chain", "declined-wrongly", "half-hearted"),
        *("handed-over-the-first-chain", "gave-up-control-won", "kept-control"),
        *("cost", "win-to-draw", "win-to-loss", "draw-to-loss"),
    }


def _checked(state: DotsAndBoxesState, action: int) -> list[str]:
    """Check all that is said about a move; return the names of the rules."""
    judgement = BRUTE.judge(state, action)
    phrases = say(Facts.of(state, action, judgement))
    rules = [phrase.rule for phrase in phrases]
    cost = judgement.cost(state.current_player()).net
    names = [state.game.action_name(edge) for edge in judgement.best]
    if "cost" in rules:
        assert str(phrases[rules.index("cost")]).split()[2] == str(round(cost / 2))
    for phrase in phrases:
        if "better" in phrase.values:
            assert phrase.values["better"] in names
            assert cost > 0
        match phrase.rule:
            case "left-boxes":
                assert action not in capturing_edges(state)
                assert capturing_edges(state)
            case "opened-chain-while-safe" | "opened-loop-while-safe":
                better = state.game.parse_action(str(phrase.values["better"]))
                assert better in safe_edges(state)
                assert action not in safe_edges(state)
            case "kept-control" | "declined-wrongly":
                assert action in double_dealing_edges(state)
                assert (cost == 0) == (phrase.rule == "kept-control")
            case "gave-up-control-won":
                assert action in capturing_edges(state)
                declining = [state.game.action_name(edge) for edge in double_dealing_edges(state)]
                assert phrase.values["better"] in declining
                mine, theirs = phrase.values["mine"], phrase.values["theirs"]
                assert isinstance(mine, int)
                assert isinstance(theirs, int)
                net = value(state)
                assert mine - theirs == (net if state.current_player() == 0 else -net)
            case "sacrificed-chain" | "sacrificed-loop":
                assert cost == 0
                assert action not in safe_edges(state)
                assert not set(safe_edges(state)) & set(judgement.best)
    return rules


def test_uncertain_costs_get_no_sentence() -> None:
    state = position("2x2", "a4 a2 c4")
    action = state.game.parse_action("b5")
    better = state.game.parse_action("d3")
    for spread, silent in ((1.5, True), (0.2, False)):
        judgement = Judgement(Estimate(2.0, spread), Estimate(-2.0, spread), (better,))
        seat = state.current_player()
        turned = (
            judgement
            if seat == 0
            else Judgement(Estimate(-2.0, spread), Estimate(2.0, spread), (better,))
        )
        phrases = say(Facts.of(state, action, turned))
        assert (not phrases) == silent
    assert "It cost about 2 boxes." in map(str, phrases)


def test_other_games_get_the_change_of_the_result_only() -> None:
    game = make_game("tic-tac-toe")
    state = game.replay((), [0, 4])
    judgement = Judgement(Estimate(0.0), Estimate(-1.0), (8,), every=True)
    assert list(map(str, say(Facts.of(state, 1, judgement)))) == ["It turned a draw into a loss."]
    assert say(Facts.of(state, 1, Judgement(Estimate(0.0), Estimate(0.0), (1,)))) == ()
