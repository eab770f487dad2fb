"""Play every registered game in the window, against a bot, with real mouse and keys."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from tkinter import ttk

import pytest

from doublecross.games.registry import GAMES
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find
from tests.client.tk.harness.playing import Open, Program
from tests.client.tk.harness.serving import RealServer

Serve = Callable[..., RealServer]

pytestmark = pytest.mark.timeout(150)  # Servers and bots are processes that have to start.


def against(ann: Program, bot: str, title: str) -> None:
    """Start a match of the game with this title against a bot that is online."""
    ann.at("lobby")
    ann.press("Play a bot ...")
    ann.mouse.choose(find(ann.root, name="game", kind=ttk.Combobox), title)
    ann.choose_bot(bot)


@pytest.mark.parametrize("key", sorted(GAMES.keys() - {"dots-and-boxes", "tic-tac-toe"}))
def test_a_game_against_a_bot_by_mouse_and_keys_and_its_review(
    program: Open, serve: Serve, ui: Ui, key: str
) -> None:
    ann = program(serve("easy").url, "Ann")
    against(ann, "easy", GAMES[key].title)
    ann.press("Play")
    ann.playing()
    ann.play_on(Random(5), 2)
    if ann.my_move():
        before = ann.model.position.total
        ann.view.board.focus_set()
        ann.keyboard.press("Left")
        ann.keyboard.press("Right")
        ann.keyboard.press("Return")
        ui.pump(lambda: ann.model.position.total > before, what="the key has played a move")
    if ann.my_move():
        board = ann.view.board
        ann.mouse.move_to_action(board, ann.model.position.board.state.legal_actions()[-1])
    ann.play_on(Random(6))
    ann.quiet()
    ending = ann.model.ending
    assert ending is not None
    assert ann.model.snapshot.result is not None
    assert ann.model.snapshot.result.termination == "completed"
    ui.see(ending.headline)
    ann.press("Review")
    ann.at("review")
