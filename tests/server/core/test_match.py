"""Matches: allowed and refused moves, endings and results."""

from __future__ import annotations

from typing import get_args

import pytest

from doublecross.games.registry import make_game
from doublecross.protocol.common import TimeControl
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import Termination
from doublecross.server.core.errors import Refused
from doublecross.server.core.rooms.match import NO_RESULT, Match, MatchEnd

TERMINATIONS = get_args(Termination)


def a_match() -> Match:
    return Match(make_game("dots-and-boxes", {"rows": 1, "cols": 1}), (), TimeControl(base_ms=1000))


def finished() -> Match:
    match = a_match()
    match.finish("resigned", 0, "", 5)
    return match


@pytest.mark.parametrize("termination", TERMINATIONS)
def test_a_match_ends_once(termination: Termination) -> None:
    match = a_match()
    assert match.result is None
    end = match.finish(termination, 1, "why", 5)
    assert match.result is end
    assert end.termination == termination
    with pytest.raises(Refused) as refused:
        match.finish(termination, 0, "again", 6)
    assert refused.value.code is ErrorCode.WRONG_STATE
    assert match.result is end


def refusal(match: Match, seat: int, ply: int, action: int) -> ErrorCode:
    state = match.state.serialize()
    with pytest.raises(Refused) as refused:
        match.check_move(seat, ply, action)
    assert match.state.serialize() == state
    assert refused.value.sentence
    return refused.value.code


def test_reasons_for_refusing_a_move() -> None:
    match = a_match()
    assert refusal(match, 0, 1, 0) is ErrorCode.STALE_PLY
    assert refusal(match, 1, 0, 0) is ErrorCode.NOT_YOUR_TURN
    assert refusal(match, 0, 0, 4) is ErrorCode.ILLEGAL_ACTION
    assert refusal(match, 0, 0, 65535) is ErrorCode.ILLEGAL_ACTION
    match.check_move(0, 0, 3)
    match.play(0, 3, 0)
    assert refusal(match, 1, 1, 3) is ErrorCode.ILLEGAL_ACTION
    assert refusal(match, 1, 0, 2) is ErrorCode.STALE_PLY
    assert refusal(finished(), 0, 0, 0) is ErrorCode.WRONG_STATE


def test_a_completed_box_keeps_the_turn() -> None:
    match = Match(make_game("dots-and-boxes", {"rows": 1, "cols": 2}), (), TimeControl())
    for seat, action in [(0, 0), (1, 2), (0, 4), (1, 5)]:
        match.check_move(seat, match.ply, action)
        match.play(seat, action, 0)
    assert match.state.scores() == (0, 1)
    assert match.to_move == 1
    assert refusal(match, 0, 4, 1) is ErrorCode.NOT_YOUR_TURN


def test_who_moves_only_until_the_end() -> None:
    assert a_match().to_move == 0
    assert finished().to_move is None


def test_moves_are_kept_with_the_time_left_after_them() -> None:
    match = a_match()
    match.clock.start(0, 100)
    assert match.play(0, 0, 350) == 250
    assert match.moves == [(0, 750)]
    assert match.moved == [True, False]
    match.clock.start(1, 350)
    assert match.play(1, 1, 351) == 1
    assert match.moves == [(0, 750), (1, 999)]
    assert match.moved == [True, True]


def test_the_rules_determine_the_winner_on_the_board() -> None:
    match = a_match()
    for seat, action in [(0, 0), (1, 1), (0, 2), (1, 3)]:
        match.play(seat, action, 0)
    result = match.finish("completed", 0, "", 0)  # the seat given does not count here
    assert result == MatchEnd("completed", 1, (-1.0, 1.0), (0, 1), "")
    assert result.text == "0-1"


def test_a_draw_on_the_board() -> None:
    match = Match(make_game("tic-tac-toe"), (), TimeControl())
    for ply, cell in enumerate([0, 1, 2, 4, 3, 5, 7, 6, 8]):
        match.check_move(ply % 2, ply, cell)
        match.play(ply % 2, cell, 0)
    result = match.finish("completed", 1, "", 0)
    assert result == MatchEnd("completed", None, (0.0, 0.0), (0, 0), "")
    assert result.text == "1/2-1/2"


@pytest.mark.parametrize("termination", TERMINATIONS)
@pytest.mark.parametrize("winner", [0, 1])
def test_results_off_the_board(termination: Termination, winner: int) -> None:
    if termination == "completed":
        return
    match = a_match()
    match.clock.start(0, 0)
    result = match.finish(termination, winner, "why", 400)
    assert match.clock.left == (600, 1000)
    assert match.clock.running is None
    if termination in NO_RESULT:
        assert (result.winner, result.returns, result.text) == (None, (0.0, 0.0), "*")
    else:
        assert result.winner == winner
        assert result.returns == ((1.0, -1.0) if winner == 0 else (-1.0, 1.0))
        assert result.text == ("1-0" if winner == 0 else "0-1")
    assert result.reason == "why"
