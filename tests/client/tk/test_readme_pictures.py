"""Make the pictures in the README: `make pictures` runs this with docs/images as their folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from doublecross.client.tk.screens.review.screen import ReviewScreen
from doublecross.games.record import Record, RecordedMove
from doublecross.games.registry import make_game
from doublecross.protocol.common import EngineInfo, PlayerInfo
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find
from tests.client.tk.harness.tables import Table
from tests.client.tk.models.rooms import SeenRoom, settings
from tests.fakes.rooms import ANN

HARD = PlayerInfo(name="hard", kind="bot", engine=EngineInfo(name="hard", version="1"))

# `doublecross arena champion hard --size 5x5 --time 0.5 --seed 238032`: the first game.
GAME = """
d11 f7 b5 j5 h7 b9 g6 b7 a2 b3 k2 f9 k4 e2 j1 j11 d3 g4 k10 b11 e4 h9 e10 j7 d7 h3 h11 h1 c2
d1 b1 f1 k8 f11 g10 i10 j9 i8 g8 e8 a6 c6 d9 c10 a10 a8 c8 d5 e6 f5 f3 c4 a4 g2 i2 j3 i4 h5 i6 k6
"""


def test_a_chain_is_being_taken(sit: Callable[..., Table], shoot: Callable[..., Path]) -> None:
    room = SeenRoom(settings("5x5", "300+3"), players=(ANN, HARD))
    room.moves(GAME[: GAME.index(" i8 ")])
    table = sit(room)
    table.press("overlay")
    table.put(clock_ms=(214_000, 263_000))
    table.tick(9)
    assert table.model.my_turn
    shoot("game", table.stage.root)


def test_its_review(ui: Ui, stages: Callable[..., object], shoot: Callable[..., Path]) -> None:
    game = make_game("dots-and-boxes", {"rows": 5, "cols": 5})
    moves = tuple(RecordedMove(game.parse_action(name)) for name in GAME.split())
    record = Record(
        game, ("Ann", "hard"), moves, result="1-0", termination="completed", time_control="300+3"
    )
    stage = stages("1024x720+0+0")
    stage.restyle(dark=True, palette="classic")
    screen = stage.show(
        lambda context: ReviewScreen(context, record, title="Ann – hard", back=stage.to_lobby)
    )
    assert isinstance(screen, ReviewScreen)
    ui.settle()
    slider = find(screen, name="slider")
    slider.focus_set()
    ui.keyboard.press("End", *["Left"] * 12)
    ui.settle()
    assert screen.model.ply == len(moves) - 12
    shoot("review", stage.root)
