"""The analysis in the review window: running it, reading it, lines."""

from __future__ import annotations

import asyncio
import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Any

import pytest

from doublecross.client.tk.models.analysis.task import TaskState
from doublecross.client.tk.models.helpers import HelperFailed
from doublecross.client.tk.screens.review.screen import ReviewScreen
from doublecross.games.record import Record
from tests.analysis.judges import BruteJudge
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, find_all
from tests.client.tk.harness.serving import RealServer
from tests.client.tk.harness.staging import Stage
from tests.client.tk.models.analysis.games import GuessingJudge, small
from tests.client.tk.screens.test_review import whole_game

OpenReview = Callable[..., ReviewScreen]
Serve = Callable[..., RealServer]


@pytest.fixture
def stage(stage: Stage) -> Stage:
    stage.helpers.judge = GuessingJudge()
    return stage


@pytest.fixture
def analysed(open_review: OpenReview, ui: Ui) -> OpenReview:
    """Return a function that shows the review of a record with its analysis."""

    def analysed(record: Record) -> ReviewScreen:
        screen = open_review(record)
        screen.side.card.analyse.invoke()
        ui.pump(lambda: screen.analysis.game is not None)
        return screen

    return analysed


def note(screen: ReviewScreen) -> list[str]:
    """Return the lines of the note about the move shown."""
    text = find(screen, name="note", kind=tk.Text).get("1.0", "end")
    return [line for line in text.splitlines() if line]


def enabled(screen: ReviewScreen, name: str) -> bool:
    return not find(screen, name=name, kind=ttk.Button).instate(["disabled"])


# -- running it --------------------------------------------------------------------------------


def test_analysing_marks_the_game_and_leads_through_the_mistakes(
    open_review: OpenReview, stage: Stage, ui: Ui
) -> None:
    stage.helpers.judge = BruteJudge()
    screen = open_review(small())
    assert not find_all(screen, name="next_mistake")
    ui.mouse.click(find(screen, name="analyse"))
    ui.pump(lambda: screen.analysis.game is not None)
    game = screen.analysis.game
    assert game is not None
    assert not find_all(screen, name="analyse")
    text = screen.side.moves.text
    for ply, mark in enumerate(game.marks, 1):
        ranges = text.tag_ranges(f"c{ply}")
        assert bool(ranges) == (mark is not None)
        if mark is not None:
            assert text.get(*ranges).strip("\xa0") == mark.text
            assert f"cost{mark.tier}" in text.tag_names(ranges[0])
    assert "accuracy" in find(screen, name="seat0").nametowidget("engine").cget("text")
    # The curve is solid where the score is exact, and the turning point is marked.
    assert screen.plot.find_withtag("expected")
    assert not screen.plot.find_withtag("band")
    assert bool(screen.plot.find_withtag("turning")) == (game.report.turning is not None)
    assert not enabled(screen, "last_mistake")
    for ply in game.mistakes:
        ui.keyboard.press("m")
        assert screen.model.ply == ply
        assert note(screen)[0] == game.note(ply).headline
        legal = screen.model.board.state.is_legal(game.note(ply).best[0])
        assert bool(screen.board.find_withtag("hint")) == legal
    assert not enabled(screen, "next_mistake")
    ui.keyboard.press("m")
    assert screen.model.ply == game.mistakes[-1]
    ui.keyboard.press("shift+m")
    assert screen.model.ply == ([0, *game.mistakes])[-2]
    # A click on a mark leads to its move, as a click on the move does.
    where = text.tag_ranges(f"c{game.mistakes[0]}")[0]
    text.see(where)
    screen.update()
    left, top, width, height = text.bbox(where)
    ui.mouse.click(text, left + width // 2, top + height // 2)
    assert screen.model.ply == game.mistakes[0]
    if game.curve.turning is not None:
        plot = screen.plot
        x = plot.measures.middle_of(game.curve.turning)
        ui.mouse.click(plot, round(x), round(plot.measures.bottom) - 3)
        assert screen.model.ply == game.curve.turning


def test_an_estimated_part_has_dashes_and_a_band(analysed: OpenReview) -> None:
    plot = analysed(whole_game()).plot
    assert plot.find_withtag("band")
    dashes = {plot.itemcget(line, "dash") for line in plot.find_withtag("expected")}
    assert len(dashes) == 2


def test_the_analysis_reports_progress_stops_and_fails(
    open_review: OpenReview, stage: Stage, ui: Ui
) -> None:
    cancelled: list[int] = []
    report: list[Callable[[int, int], None]] = []

    async def review(*args: Any) -> Any:
        report.append(args[-1])
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(1)
            raise

    stage.helpers.review = review  # type: ignore[method-assign]
    screen = open_review(small())
    ui.mouse.click(find(screen, name="analyse"))
    ui.pump(lambda: report)
    report[0](5, 12)
    ui.pump(lambda: note(screen) == ["Analysing ... 5 of 12 moves"])
    ui.mouse.click(find(screen, name="stop_analysis"))
    ui.pump(lambda: len(cancelled) == 1)
    assert screen.analysis.task.state is TaskState.IDLE
    ui.mouse.click(find(screen, name="analyse"))
    ui.pump(lambda: len(report) == 2)
    stage.show(lambda context: ReviewScreen(context, small(), title="", back=stage.to_lobby))
    ui.pump(lambda: len(cancelled) == 2)  # leaving leaves no work behind

    async def fail(*_: Any) -> Any:
        raise HelperFailed("Only Dots and Boxes can be analysed.")

    stage.helpers.review = fail  # type: ignore[method-assign]
    screen = open_review(small())
    ui.mouse.click(find(screen, name="analyse"))
    ui.pump(lambda: note(screen) == ["Only Dots and Boxes can be analysed."])
    assert find_all(screen, name="analyse")


def test_it_begins_by_itself_if_the_person_wants_that(
    open_review: OpenReview, stage: Stage, ui: Ui
) -> None:
    stage.helpers.judge = BruteJudge()
    screen = open_review(small())
    ui.mouse.click(find(screen, name="always"))
    assert stage.context.home.settings.analyse
    ui.pump(lambda: screen.analysis.game is not None)
    again = open_review(small())
    ui.pump(lambda: again.analysis.game is not None)


# -- lines ----------------------------------------------------------------------------


def test_a_better_line_plays_out_and_leads_back(analysed: OpenReview, stage: Stage, ui: Ui) -> None:
    stage.helpers.judge = BruteJudge()
    screen = analysed(small())
    game, model = screen.analysis.game, screen.model
    assert game is not None
    assert not enabled(screen, "better")
    ui.keyboard.press("m")
    ply = model.ply
    line = game.better_variation(ply)
    ui.mouse.click(find(screen, name="better"))
    banner = find(screen, name="variation_banner", kind=tk.Frame)
    assert "Not played" in find(banner, name="notice").cget("text")
    assert model.board.moves == (*model.replay.actions[: ply - 1], line[0])
    for _ in line:
        ui.keyboard.press("Right")
    assert model.board.state.is_terminal()
    ui.keyboard.press("Escape")
    assert (model.variation, model.ply) == (None, ply)
    assert not find_all(screen, name="variation_banner")
    ui.keyboard.press("l")
    ui.mouse.click(find(find(screen, name="variation_banner"), "Back to the game"))
    assert model.variation is None
    ui.keyboard.press("l")
    ui.keyboard.press("l")
    assert model.variation is None
    assert stage.went == []
    ui.keyboard.press("Escape")
    assert stage.went == [("lobby",)]


def test_the_page_of_the_game_is_a_click_or_a_key_away(stage: Stage, ui: Ui) -> None:
    stage.show(
        lambda context: ReviewScreen(
            context, small(), title="", back=stage.to_lobby, page="/game/g1"
        )
    )
    ui.settle()
    ui.mouse.click(find(stage.root, name="more"))
    ui.keyboard.press("v")
    assert stage.went == [("page", "/game/g1")] * 2


# -- how it looks ------------------------------------------------------------------------------
