"""Tests for the comments on the final of a demo."""

from __future__ import annotations

from doublecross.analysis.judgement import Evaluator
from doublecross.bots.judging.making import judge_of
from doublecross.cli.shared.console import out
from doublecross.cli.tournament.commentary import CommentedBoard
from doublecross.games.api import Game
from doublecross.games.registry import make_game


def _shown(game: Game, actions: list[int], judge: Evaluator | None) -> str:
    """Play a game before a display, and return what it shows of the end."""
    board = CommentedBoard(game, ("ann", "bob"), judge)
    state = game.initial_state()
    with out().capture() as printed, board.showing():
        board.news({"what": "began", "opening": []})
        for action in actions:
            at = {"ply": state.ply, "seat": state.current_player(), "expected": None}
            board.news({"what": "move", "action": action, **at})
            state.apply(action)
    return printed.get()


def test_the_move_that_changed_the_winner_last_is_the_turning_point() -> None:
    game = make_game("tic-tac-toe")
    shown = _shown(game, [4, 1, 0, 8, 3, 5, 6], judge_of(game))
    assert "Turning point, move 2 of bob: " in shown
    assert "It turned a draw into a loss." in shown


def test_without_a_judge_the_capture_that_took_the_lead_is_named() -> None:
    game = make_game("dots-and-boxes", {"rows": 1, "cols": 2})
    shown = _shown(game, [0, 2, 4, 5, 1, 3, 6], None)
    assert "Score: 0:1, 0:2" in shown
    assert "Turning point, move 4: bob takes the lead, 1:0." in shown
