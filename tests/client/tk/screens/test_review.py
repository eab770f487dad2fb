"""The review with a real mouse and keyboard: stepping, the plot and the record."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from tkinter import ttk
from typing import Any

import pytest

from doublecross.client.tk.models.summary import date_line
from doublecross.client.tk.screens.review import actions
from doublecross.client.tk.screens.review.screen import ReviewScreen
from doublecross.client.tk.sound import Tone
from doublecross.client.tk.widgets.plot.plot import ScorePlot
from doublecross.games.api import Feature, State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.record import Record, RecordedMove, format_record, parse_record
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, find_all, shown_texts
from tests.client.tk.harness.staging import Stage
from tests.client.tk.models.test_review_model import ENDS, NETS, played
from tests.games.test_record import finished

OpenReview = Callable[..., ReviewScreen]


def whole_game(rows: int = 5, cols: int = 5) -> Record:
    """Return the record of a game between two greedy players, with clocks and tags."""
    game, rng = DotsAndBoxes({"rows": rows, "cols": cols}), Random(5)
    state = game.initial_state((3, 17))
    moves, left = [], [300_000, 300_000]
    while not state.is_terminal():
        seat, legal = state.current_player(), state.legal_actions()
        before = state.scores()[seat]
        rng.shuffle(legal)
        action = legal[0]
        for other in legal:
            state.apply(other)
            taken = state.scores()[seat] > before
            state.undo()
            if taken:
                action = other
                break
        state.apply(action)
        left[seat] -= rng.randrange(500, 9_000)
        moves.append(RecordedMove(action, max(0, left[seat])))
    first, second = state.scores()
    return Record(
        game,
        ("Ann", "hard"),
        tuple(moves),
        opening=(3, 17),
        date="2026-11-21T09:56:17+00:00",
        time_control="300+3",
        result="1-0" if first > second else "0-1" if second > first else "1/2-1/2",
        termination="completed",
        tags=(("Room", "y89umhfgi5"), ("Rated", "no"), ("Engine1", "hard 1")),
    )


RESIGNED = replace(
    finished("b1 a2 d1 c2", players=("Ann", "Bartholomew Featherstonehaugh III")),
    result="1-0",
    termination="resigned",
)


def button(screen: ReviewScreen, name: str) -> ttk.Button:
    return find(screen, name=name, kind=ttk.Button)


def says(screen: ReviewScreen, name: str) -> str:
    return str(find(screen, name=name, kind=ttk.Label).cget("text"))


def marked(screen: ReviewScreen) -> str:
    """Return the text that is highlighted in the list of moves."""
    text = screen.side.moves.text
    return text.get("now.first", "now.last").strip("\xa0")


def check_agreement(screen: ReviewScreen) -> None:
    """Check that all widgets show the same position."""
    model = screen.model
    record = model.record
    assert model.board.moves == model.replay.actions[: model.ply]
    assert says(screen, "count") == f"{model.ply} / {model.total}"
    slider = find(screen, name="slider", kind=ttk.Scale)
    assert float(slider.get()) == model.ply
    x = screen.plot.measures.middle_of(model.ply)
    left, _, right, _ = screen.plot.bbox("mark")
    assert left <= x <= right
    if model.ply:
        assert marked(screen) == record.game.action_name(model.replay.actions[model.ply - 1])
    for seat in (0, 1):
        panel = find(screen, name=f"seat{seat}", kind=ttk.Frame)
        score = find(panel, name="score", kind=ttk.Label).cget("text")
        assert int(score) == model.board.state.scores()[seat]


# -- going through a game ----------------------------------------------------------------------


def test_the_keys_go_through_the_game(open_review: OpenReview, ui: Ui) -> None:
    screen = open_review(finished())
    for key, plies in (
        ("Right", [1, 2, 3]),
        ("Left", [2, 1, 0, 0]),
        ("Down", ENDS[1:]),
        ("Right", [12]),
        ("Up", [*reversed(ENDS[:-1]), 0]),
        ("End", [12]),
        ("Home", [0]),
    ):
        for ply in plies:
            ui.keyboard.press(key)
            assert screen.model.ply == ply, key
            check_agreement(screen)


def test_the_buttons_go_through_the_game(open_review: OpenReview, ui: Ui) -> None:
    screen = open_review(finished())
    for name, ply in (
        ("last", 12),
        ("turn_back", 11),
        ("turn_back", 9),
        ("step_back", 8),
        ("step_on", 9),
        ("turn_on", 11),
        ("first", 0),
    ):
        ui.mouse.click(button(screen, name))
        assert screen.model.ply == ply, name
        check_agreement(screen)


def test_at_the_ends_there_is_no_further(open_review: OpenReview, ui: Ui) -> None:
    screen = open_review(finished())
    back, on = ("first", "turn_back", "step_back"), ("step_on", "turn_on", "last")

    def disabled() -> set[str]:
        return {name for name in (*back, *on) if button(screen, name).instate(["disabled"])}

    assert disabled() == set(back)
    ui.keyboard.press("Right")
    assert disabled() == set()
    button(screen, "last").focus_set()
    ui.keyboard.press("Return")
    assert disabled() == set(on)
    # A disabled button does not show the focus, so the focus moves on.
    assert screen.focus_get() is button(screen, "play")


def test_keys_work_wherever_the_focus_is(open_review: OpenReview, stage: Stage, ui: Ui) -> None:
    screen = open_review(finished())
    seen = set()
    for _ in range(30):
        focus = stage.root.focus_get()
        assert focus is not None
        seen.add(focus.winfo_name())
        if focus.winfo_name() not in ("book", "facts"):
            ui.keyboard.press("Home", "Right")
            assert screen.model.ply == 1, focus
        ui.keyboard.press("Tab")
    assert {"leave", "play", "step_on", "slider", "book", "copy_record", "save_record"} <= seen


def test_the_arrows_step_on_after_the_details_were_clicked(open_review: OpenReview, ui: Ui) -> None:
    screen = open_review(whole_game())
    book = find(screen, name="book", kind=ttk.Notebook)
    x, y = next(
        (x, 10)
        for x in range(0, book.winfo_width(), 5)
        if str(book.tk.call(book, "identify", "tab", x, 10)) == "1"
    )
    ui.mouse.click(book, x + 15, y)
    facts = find(screen, name="facts")
    ui.keyboard.press("Right", "Right")
    assert screen.model.ply == 2
    ui.mouse.click(facts)  # to select a text, for example
    ui.keyboard.press("Right", "Left", "Left", "End", "Left")
    assert screen.model.ply == screen.model.total - 1
    assert book.index("current") == 1


def test_space_presses_the_button_that_has_the_focus(open_review: OpenReview, ui: Ui) -> None:
    screen = open_review(finished())
    button(screen, "step_on").focus_set()
    ui.keyboard.press("space")
    ui.pump(lambda: screen.model.ply == 1)
    assert not screen.model.playing


def test_space_plays_on_and_stops(open_review: OpenReview, ui: Ui) -> None:
    screen = open_review(finished())
    find(screen, name="slider", kind=ttk.Scale).focus_set()
    ui.keyboard.press("space")
    assert screen.model.playing
    assert button(screen, "play").cget("text") == "Pause"
    now = time.monotonic()
    for later in range(1, 6):
        screen.tick(now + 10 * later)
    assert screen.model.ply == 5
    check_agreement(screen)
    ui.keyboard.press("space")
    assert not screen.model.playing
    assert button(screen, "play").cget("text") == "Play"
    ui.keyboard.press("space", "Left")  # a manual step stops automatic play
    assert (screen.model.playing, screen.model.ply) == (False, 4)


def test_the_slider_goes_where_it_is_clicked_and_dragged(open_review: OpenReview, ui: Ui) -> None:
    screen = open_review(finished())
    slider = find(screen, name="slider", kind=ttk.Scale)
    ui.mouse.click(slider, slider.winfo_width() - 2, 8)
    assert screen.model.ply == 12
    ui.mouse.move(slider, slider.winfo_width() / 2, 8)
    ui.mouse.press()
    assert screen.model.ply == 6
    ui.mouse.move(slider, 2, 8)
    ui.mouse.release()
    assert screen.model.ply == 0
    assert screen.focus_get() is slider
    check_agreement(screen)


def test_a_click_into_the_list_leads_to_its_move(open_review: OpenReview, ui: Ui) -> None:
    screen = open_review(finished())
    text = screen.side.moves.text

    def click(index: str) -> None:
        text.see(index)
        text.update()
        left, top, width, height = text.bbox(index)
        ui.mouse.click(text, left + max(2, width / 2), top + height / 2)

    for ply in (5, 12, 4, 1):
        click(f"m{ply}.first + 1 chars")
        assert screen.model.ply == ply
        check_agreement(screen)
    click("7.0")  # the number of turn 6: its end
    assert screen.model.ply == ENDS[6]
    click("1.0")
    assert screen.model.ply == 0
    _, top, _, height = text.bbox("4.0")
    ui.mouse.double_click(text, text.winfo_width() - 30, top + height / 2)
    assert screen.model.ply == ENDS[3]
    assert text.tag_ranges("sel") == ()


def test_a_click_into_the_plot_leads_to_its_ply(open_review: OpenReview, ui: Ui) -> None:
    screen = open_review(finished())
    for ply in (12, 7, 0, 5):
        ui.mouse.click(screen.plot, screen.plot.measures.middle_of(ply), 60)
        assert screen.model.ply == ply
        check_agreement(screen)
    ui.mouse.move(screen.plot, screen.plot.measures.middle_of(2), 60)
    ui.mouse.press()
    ui.mouse.move(screen.plot, screen.plot.measures.middle_of(9), 60)
    ui.mouse.release()
    assert screen.model.ply == 9
    ui.mouse.click(screen.plot, 1, 60)
    assert screen.model.ply == 0
    ui.mouse.click(screen.plot, screen.plot.winfo_width() - 1, 60)
    assert screen.model.ply == 12


def test_the_wheel_over_the_board_steps(open_review: OpenReview, ui: Ui) -> None:
    screen = open_review(finished())
    ui.mouse.wheel(screen.board, -3)
    assert screen.model.ply == 3
    ui.mouse.wheel(screen.board, 1)
    assert screen.model.ply == 2


def test_the_board_is_not_played_on(open_review: OpenReview, ui: Ui) -> None:
    screen = open_review(finished("b1"))
    width, height = screen.board.winfo_width(), screen.board.winfo_height()
    for x in range(10, width, width // 9):
        ui.mouse.click(screen.board, x, height / 2)
    ui.keyboard.press("Return")
    assert screen.model.board.moves in ((), screen.model.replay.actions)
    check_agreement(screen)


def test_steps_forward_are_heard(
    open_review: OpenReview, stage: Stage, ui: Ui, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Tone] = []
    monkeypatch.setattr(stage.context.sound, "play", heard.append)
    open_review(finished())
    ui.keyboard.press("Right", "Right", "Right", "Right", "Left", "End", "Right")
    assert heard == ["draw", "draw", "draw", "capture"]


def test_back_leads_away(open_review: OpenReview, stage: Stage, ui: Ui) -> None:
    screen = open_review(finished())
    ui.mouse.click(button(screen, "leave"))
    assert stage.went == [("lobby",)]
    ui.keyboard.press("Escape")
    find(screen, name="book", kind=ttk.Notebook).focus_set()
    ui.keyboard.press("Escape")
    assert stage.went == [("lobby",)] * 3


def test_a_screen_that_is_left_plays_no_more(open_review: OpenReview, stage: Stage, ui: Ui) -> None:
    screen = open_review(finished())
    find(screen, name="slider", kind=ttk.Scale).focus_set()
    ui.keyboard.press("space")
    assert screen.model.playing
    open_review(RESIGNED)
    assert not screen.model.playing
    stage.root.update()


# -- the plot ----------------------------------------------------------------------------------


def steps_of(plot: ScorePlot) -> set[int]:
    """Return the y coordinates of the items of the score, in pixels."""
    return {
        round(plot.coords(item)[1])
        for item in plot.find_withtag("score")
        if plot.type(item) == "line" and plot.coords(item)[1] == plot.coords(item)[3]
    }


def test_the_plot_is_as_wide_as_it_may_be_and_in_order(
    open_review: OpenReview, stage: Stage
) -> None:
    screen = open_review(finished())
    plot = screen.plot
    for geometry in ("1024x720", "640x480", "1200x880"):
        stage.root.geometry(geometry)
        stage.root.update()
        middles = [plot.measures.middle_of(ply) for ply in range(13)]
        assert middles == sorted(middles)
        assert [plot.measures.ply_at(x) for x in middles] == list(range(13))
        assert plot.winfo_width() - 40 < middles[-1] < plot.winfo_width()
        # As many heights as there are scores, the best of seat 0 at the top.
        assert len(steps_of(plot)) == len(set(NETS))
        for item in plot.find_all():
            left, top, right, bottom = plot.bbox(item) or (0, 0, 0, 0)
            assert left >= -2, plot.gettags(item)
            assert top >= -2, plot.gettags(item)
            assert right <= plot.winfo_width() + 2, plot.gettags(item)
            assert bottom <= plot.winfo_height() + 2, plot.gettags(item)


def test_pointing_at_the_plot_shows_the_column(open_review: OpenReview, ui: Ui) -> None:
    plot = open_review(finished()).plot
    ui.mouse.move(plot, plot.measures.middle_of(4) + 1, 50)
    assert plot.itemcget("hover", "state") == "normal"  # type: ignore[no-untyped-call]
    assert plot.coords("hover")[0] == pytest.approx(plot.measures.middle_of(4))
    ui.mouse.move_to(1279, 899)
    assert plot.itemcget("hover", "state") == "hidden"  # type: ignore[no-untyped-call]


# -- what else is shown ------------------------------------------------------------------------


def test_who_played_and_how_it_ended_is_shown(open_review: OpenReview, ui: Ui) -> None:
    screen = open_review(whole_game(), title="Ann and a bot")
    texts = shown_texts(screen)
    first, second = screen.model.record.final_state().scores()
    assert "Ann and a bot" in texts
    assert f"Dots and Boxes 5 × 5 · 5 min + 3 s · {date_line('2026-11-21T09:56:17Z')}" in texts
    assert f"{first} : {second} · played to the end" in texts
    assert f"{('Ann', 'hard')[second > first]} won" in texts
    assert "hard 1" in texts
    assert [texts.count(name) for name in ("Ann", "hard")] == [1, 1]
    clocks = [str(each.cget("text")) for each in find_all(screen, name="clock", kind=ttk.Label)]
    assert clocks == ["5:00", "5:00"]
    ui.keyboard.press("Right")
    clocks = [str(each.cget("text")) for each in find_all(screen, name="clock", kind=ttk.Label)]
    assert clocks[0].startswith("4:5")
    assert clocks[1] == "5:00"


def test_a_game_without_moves_can_be_looked_at(open_review: OpenReview, ui: Ui) -> None:
    screen = open_review(replace(finished(""), result="*", termination="aborted"))
    ui.keyboard.press("Right", "Left", "Up", "Down", "End", "Home", "space")
    slider = find(screen, name="slider", kind=ttk.Scale)
    ui.mouse.click(slider, slider.winfo_width() / 2, 8)
    ui.mouse.click(screen.plot)
    assert screen.model.ply == 0
    assert not screen.model.playing
    texts = shown_texts(screen)
    assert "No result" in texts
    assert "0 / 0" in texts


def test_the_details_have_everything_else(open_review: OpenReview, ui: Ui) -> None:
    screen = open_review(
        replace(finished(), tags=(("Event", "Club\nevening"), ("Engine0", "rules 1")))
    )
    book = find(screen, name="book", kind=ttk.Notebook)
    book.focus_set()
    ui.keyboard.press("Right")  # with the focus on them, the tabs are switched
    assert book.index("current") == 1
    assert screen.model.ply == 0
    text = find(screen, name="facts", kind=tk.Text).get("1.0", "end-1c")
    assert "Event\tClub\ufffdevening\n" in text
    assert text.endswith("Engine0\trules 1")
    assert "Seat A\tAnn\n" in text


def test_chains_and_loops_can_be_shown(
    open_review: OpenReview, stage: Stage, ui: Ui, monkeypatch: pytest.MonkeyPatch
) -> None:
    def features(state: State) -> tuple[Feature, ...]:
        return (Feature("chain", f"at {state.ply}", (0, 1), (1,)),)

    monkeypatch.setattr(DotsAndBoxesState, "features", features, raising=False)
    screen = open_review(finished())
    shown: list[tuple[str, ...]] = []
    monkeypatch.setattr(
        screen.board, "show_features", lambda found: shown.append(tuple(f.label for f in found))
    )
    switch = find(screen, name="overlay", kind=ttk.Checkbutton)
    ui.mouse.click(switch)
    ui.keyboard.press("Right")
    assert shown == [("at 0",), ("at 1",)]
    assert stage.context.home.settings.overlay
    ui.mouse.click(switch)
    assert shown[-1] == ()
    ui.mouse.click(switch)
    open_review(RESIGNED)
    assert find(stage.root, name="overlay", kind=ttk.Checkbutton).instate(["selected"])


def test_a_game_without_such_notions_has_no_switch(open_review: OpenReview) -> None:
    screen = open_review(played("ttt", "b2 a1"))
    assert find_all(screen, name="overlay") == []


# -- the record --------------------------------------------------------------------------------


def test_the_record_is_copied(open_review: OpenReview, stage: Stage, ui: Ui) -> None:
    record = whole_game()
    screen = open_review(record)
    ui.mouse.click(button(screen, "copy_record"))
    text = stage.root.clipboard_get()
    assert text == format_record(record)
    assert parse_record(text) == record
    assert "Copied the record to the clipboard." in shown_texts(screen)
    screen.tick(time.monotonic() + 60)
    assert "Copied the record to the clipboard." not in shown_texts(screen)


def test_the_record_is_saved(
    open_review: OpenReview, ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = replace(whole_game(), players=("Ann / Ämy", "hard"))
    screen = open_review(record)
    for answer in ("", ()):  # cancelled
        monkeypatch.setattr(actions.filedialog, "asksaveasfilename", lambda a=answer, **_: a)
        ui.mouse.click(button(screen, "save_record"))
        assert find_all(screen, name="message") == []
    offered: list[str] = []

    def choose(**options: Any) -> str:
        offered.append(options["initialfile"])
        return str(tmp_path / "saved.txt")

    monkeypatch.setattr(actions.filedialog, "asksaveasfilename", choose)
    ui.mouse.click(button(screen, "save_record"))
    ui.pump(lambda: "Saved as saved.txt." in shown_texts(screen))
    assert offered == ["Ann-my-hard-2026-11-21.txt"]
    assert (tmp_path / "saved.txt").read_bytes() == format_record(record).encode()


def test_a_save_error_stays_visible(
    open_review: OpenReview, ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = open_review(finished())
    monkeypatch.setattr(
        actions.filedialog, "asksaveasfilename", lambda **_: str(tmp_path / "no" / "x.txt")
    )
    ui.mouse.click(button(screen, "save_record"))
    sentence = "x.txt cannot be written: No such file or directory."
    ui.pump(lambda: sentence in shown_texts(screen))
    screen.tick(time.monotonic() + 60)
    assert sentence in shown_texts(screen)


def test_what_is_saved_when_the_screen_is_gone_bothers_nobody(
    open_review: OpenReview, stage: Stage, ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = open_review(finished())
    path = tmp_path / "late.txt"
    monkeypatch.setattr(actions.filedialog, "asksaveasfilename", lambda **_: str(path))
    screen.side.actions._save()
    open_review(RESIGNED)
    ui.pump(path.exists)
    answered: list[None] = []
    stage.context.network.run(_nothing, answered.append)
    ui.pump(lambda: answered)
    assert "Saved as late.txt." not in shown_texts(stage.root)


async def _nothing() -> None:
    pass


# -- how it looks ------------------------------------------------------------------------------


@pytest.mark.parametrize("geometry", ["560x420", "640x480", "1270x890"])
def test_board_and_moves_keep_room_in_each_size(
    open_review: OpenReview, stage: Stage, geometry: str
) -> None:
    stage.root.geometry(geometry)
    stage.root.update()
    screen = open_review(whole_game())
    screen._go_to(45)
    screen.side.actions._show_message(
        "x.txt cannot be written: No such file or directory.", wrong=True
    )
    stage.root.update()
    assert screen.board.winfo_height() > 150
    assert screen.side.moves.text.winfo_height() > 60
    assert screen.side.moves.text.bbox("now.first"), "the move is in sight"


def test_it_follows_the_size_of_the_window(open_review: OpenReview, stage: Stage) -> None:
    screen = open_review(whole_game())
    for geometry in ("1270x890", "800x640", "700x640", "700x500", "560x420", "800x500", "1024x720"):
        stage.root.geometry(geometry)
        stage.root.update()
        height = int(geometry.partition("x")[2])
        position = find(screen, name="position", hidden=True)
        assert position.winfo_viewable() == (height >= 600), geometry
        controls = find(screen, name="first").master
        assert controls is not None
        assert controls.winfo_x() >= 0
        assert controls.winfo_x() + controls.winfo_width() <= screen.board.winfo_width(), geometry


def test_other_colours_reach_everything(open_review: OpenReview, stage: Stage, ui: Ui) -> None:
    screen = open_review(played("ttt", "b2 a1 c1 a3 b3 a2", result="0-1", termination="completed"))
    ui.keyboard.press("End")
    stage.restyle(dark=True, palette="colour-blind")
    stage.root.update()
    colours = stage.context.colours
    text = screen.side.moves.text
    assert text.cget("background") == colours.board
    assert [text.tag_cget(f"seat{seat}", "foreground") for seat in (0, 1)] == [*colours.strokes]
    assert text.tag_cget("now", "background") == colours.strokes[1]
