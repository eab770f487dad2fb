"""The match: its table of phases and causes, moves that it allows, results."""

from __future__ import annotations

from typing import get_args

import pytest

from games.registry import make_game
from protocol.common import TimeControl
from protocol.errors import ErrorCode
from protocol.server_messages import Termination
from server.core.errors import Refused
from server.core.match import NO_RESULT, TRANSITIONS, Cause, Match, Phase, Result

TERMINATIONS = get_args(Termination)
CAUSES = ("started", *TERMINATIONS)
ALLOWED = {
    "waiting": {"started", "aborted", "void"},
    "playing": set(TERMINATIONS),
    "finished": set(),
}


def in_phase(phase: Phase) -> Match:
    match = Match(
        make_game("dots-and-boxes", {"rows": 1, "cols": 1}), (), TimeControl(base_ms=1000)
    )
    if phase != "waiting":
        match.start()
    if phase == "finished":
        match.finish("resigned", 0, "", 5)
    assert match.phase == phase
    return match


def cause_it(match: Match, cause: Cause) -> None:
    if cause == "started":
        match.start()
    else:
        match.finish(cause, 1, "why", 5)


@pytest.mark.parametrize("phase", get_args(Phase))
@pytest.mark.parametrize("cause", CAUSES)
def test_every_cell_of_the_table(phase: Phase, cause: Cause) -> None:
    match = in_phase(phase)
    before = match.result
    if cause in ALLOWED[phase]:
        cause_it(match, cause)
        assert match.phase == ("playing" if cause == "started" else "finished")
        assert (match.result is None) == (cause == "started")
    else:
        with pytest.raises(Refused) as refused:
            cause_it(match, cause)
        assert refused.value.code is ErrorCode.WRONG_STATE
        assert match.phase == phase
        assert match.result is before


def test_the_table_is_no_larger() -> None:
    assert {(p, c) for p, causes in ALLOWED.items() for c in causes} == set(TRANSITIONS)


def refusal(match: Match, seat: int, ply: int, action: int) -> ErrorCode:
    state = match.state.serialize()
    with pytest.raises(Refused) as refused:
        match.check_move(seat, ply, action)
    assert match.state.serialize() == state
    assert refused.value.sentence
    return refused.value.code


def test_what_a_move_is_refused_for() -> None:
    match = in_phase("playing")
    assert refusal(match, 0, 1, 0) is ErrorCode.STALE_PLY
    assert refusal(match, 1, 0, 0) is ErrorCode.NOT_YOUR_TURN
    assert refusal(match, 0, 0, 4) is ErrorCode.ILLEGAL_ACTION
    assert refusal(match, 0, 0, 65535) is ErrorCode.ILLEGAL_ACTION
    match.check_move(0, 0, 3)
    match.play(0, 3, 0)
    assert refusal(match, 1, 1, 3) is ErrorCode.ILLEGAL_ACTION
    assert refusal(match, 1, 0, 2) is ErrorCode.STALE_PLY
    for phase in ("waiting", "finished"):
        assert refusal(in_phase(phase), 0, 0, 0) is ErrorCode.WRONG_STATE


def test_a_completed_box_keeps_the_turn() -> None:
    match = Match(make_game("dots-and-boxes", {"rows": 1, "cols": 2}), (), TimeControl())
    match.start()
    for seat, action in [(0, 0), (1, 2), (0, 4), (1, 5)]:
        match.check_move(seat, match.ply, action)
        match.play(seat, action, 0)
    assert match.state.scores() == (0, 1)
    assert match.to_move == 1
    assert refusal(match, 0, 4, 1) is ErrorCode.NOT_YOUR_TURN


def test_who_moves_only_while_playing() -> None:
    assert in_phase("waiting").to_move is None
    assert in_phase("playing").to_move == 0
    assert in_phase("finished").to_move is None


def test_moves_are_kept_with_the_time_left_after_them() -> None:
    match = in_phase("playing")
    match.clock.start(0, 100)
    assert match.play(0, 0, 350) == 250
    assert match.moves == [(0, 750)]
    assert match.moved == [True, False]
    match.clock.start(1, 350)
    assert match.play(1, 1, 351) == 1
    assert match.moves == [(0, 750), (1, 999)]
    assert match.moved == [True, True]


def test_a_match_completed_on_the_board_asks_the_rules_who_won() -> None:
    match = in_phase("playing")
    for seat, action in [(0, 0), (1, 1), (0, 2), (1, 3)]:
        match.play(seat, action, 0)
    result = match.finish("completed", 0, "", 0)  # the seat given does not count here
    assert result == Result("completed", 1, (-1.0, 1.0), (0, 1), "")
    assert result.text == "0-1"


def test_a_draw_on_the_board() -> None:
    match = Match(make_game("tic-tac-toe"), (), TimeControl())
    match.start()
    for ply, cell in enumerate([0, 1, 2, 4, 3, 5, 7, 6, 8]):
        match.check_move(ply % 2, ply, cell)
        match.play(ply % 2, cell, 0)
    result = match.finish("completed", 1, "", 0)
    assert result == Result("completed", None, (0.0, 0.0), (0, 0), "")
    assert result.text == "1/2-1/2"


@pytest.mark.parametrize("termination", TERMINATIONS)
@pytest.mark.parametrize("winner", [0, 1])
def test_results_off_the_board(termination: Termination, winner: int) -> None:
    if termination == "completed":
        return
    match = in_phase("playing")
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
