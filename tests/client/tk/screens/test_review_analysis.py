"""The analysis in the review window: running it, reading it, lines, values, playing from here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from client.tk.screens.review.screen import ReviewScreen
from games.record import Record
from tests.client.tk.harness.driver import Keyboard, Windows
from tests.client.tk.harness.staging import Stage
from tests.client.tk.models.analysis.games import GuessingJudge
from tests.client.tk.screens.test_review import whole_game

Pump = Callable[..., Any]
Shoot = Callable[..., Path]
Look = Callable[..., ReviewScreen]


@pytest.fixture
def stage(windows: Windows, tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(windows.open(), tmp_path / "home")
    stage.helpers.judge = GuessingJudge()
    yield stage
    stage.close()


@pytest.fixture
def look(stage: Stage) -> Look:
    """Return a function that shows the review of a record."""

    def look(record: Record) -> ReviewScreen:
        screen = stage.show(
            lambda context: ReviewScreen(context, record, title="Ann – hard", back=stage.to_lobby)
        )
        assert isinstance(screen, ReviewScreen)
        stage.root.update()
        return screen

    return look


@pytest.fixture
def analysed(look: Look, pump: Pump) -> Look:
    """Return a function that shows the review of a record with its analysis."""

    def analysed(record: Record) -> ReviewScreen:
        screen = look(record)
        screen.side.card.analyse.invoke()
        pump(lambda: screen.desk.game is not None)
        return screen

    return analysed


@pytest.mark.parametrize("palette", ["classic", "colour-blind"])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", ["1024x700", "1280x800", "1920x1080"])
def test_pictures(
    stage: Stage,
    analysed: Look,
    pump: Pump,
    shoot: Shoot,
    keyboard: Keyboard,
    size: str,
    dark: bool,
    palette: str,
) -> None:
    stage.restyle(dark=dark, palette=palette)
    stage.root.geometry(f"{size}+0+0")
    stage.helpers.shares = ((1, 0.5),)
    pump(lambda: stage.root.winfo_width() == int(size.split("x")[0]))
    screen = analysed(whole_game())
    for _ in range(4):
        keyboard.press("n")
    shoot(f"review-{size}-{dark}-{palette}")
    keyboard.press("v")
    pump(lambda: screen.values._model.labels)
    shoot(f"values-{size}-{dark}-{palette}")
    keyboard.press("b")
    pump(lambda: screen.values._model.labels)
    shoot(f"line-{size}-{dark}-{palette}")
