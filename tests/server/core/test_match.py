"""Matches: allowed and refused moves, endings and results."""

from __future__ import annotations

from typing import get_args

import pytest

from doublecross.games.registry import make_game
from doublecross.protocol.common import TimeControl
from doublecross.protocol.server_messages import Termination
from doublecross.server.core.rooms.match import NO_RESULT, Match, MatchEnd

TERMINATIONS = get_args(Termination)


def a_match() -> Match:
    return Match(make_game("dots-and-boxes", {"rows": 1, "cols": 1}), (), TimeControl(base_ms=1000))


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
