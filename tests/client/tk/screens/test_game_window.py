"""The window of a room: keys, focus, colours, sizes and pictures."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

import pytest

from doublecross.client.tk.models.colours import make_colours
from doublecross.client.tk.models.latest import LatestSnapshots
from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.client.tk.screens.room.screen import RoomScreen
from doublecross.protocol.common import PlayerInfo
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, find_all, shown_texts
from tests.client.tk.harness.staging import Stage
from tests.client.tk.harness.tables import Table
from tests.client.tk.models.rooms import ROBO, SeenRoom, settings
from tests.fakes.rooms import ANN

Sit = Callable[..., Table]

LONG = PlayerInfo(name="Wilhelmina Featherstonehaugh III", kind="human")


class TestTheWindow:
    def test_sound_is_switched_off_and_kept(self, sit: Sit) -> None:
        table = sit()
        context = table.stage.context
        table.press("sound")
        assert (context.sound.on, context.home.settings.sound) == (False, False)
        table.press("sound")
        assert (context.sound.on, context.home.settings.sound) == (True, True)

    def test_full_screen(self, sit: Sit, ui: Ui, monkeypatch: pytest.MonkeyPatch) -> None:
        table = sit()
        # Without a window manager the window stays as it is, so record the request instead.
        state = {"-fullscreen": False}

        def attributes(name: str, *value: bool) -> bool:
            if value:
                state[name] = value[0]
            return state[name]

        monkeypatch.setattr(table.stage.root, "attributes", attributes)
        table.press("full_screen")
        assert state == {"-fullscreen": True}
        table.press("full_screen")
        assert state == {"-fullscreen": False}
        table.press("full_screen")
        assert state == {"-fullscreen": True}
        ui.keyboard.press("Escape")
        assert state == {"-fullscreen": False}
        ui.keyboard.press("Escape")
        assert state == {"-fullscreen": False}

    def test_everything_is_reached_by_tab(self, sit: Sit, ui: Ui) -> None:
        table = sit(SeenRoom(players=(ANN, ROBO)))
        reached = []
        for _ in range(12):
            reached.append(table.stage.root.focus_get())
            ui.keyboard.press("Tab")
        names = [widget.winfo_name() for widget in reached if widget is not None]
        cycle = names[: names.index(names[0], 1)]
        assert reached[0] is table.view.board
        assert cycle[1:] == ["overlay", "hint", "abort", "resign", "back", "sound", "full_screen"]
        find(table.screen, name="abort").focus_set()
        ui.keyboard.press("Return")
        assert table.asked == ["abort"]

    def test_what_has_gone_does_not_keep_the_focus(self, sit: Sit) -> None:
        table = sit()
        find(table.screen, name="resign").focus_set()
        table.room.finish("resigned", winner=0)
        table.put()
        assert table.stage.root.focus_get() is table.view.board

    def test_other_colours(self, sit: Sit, ui: Ui) -> None:
        room = SeenRoom()
        room.moves("b1 b3 d1")
        table = sit(room)
        ui.keyboard.press("Home")
        table.stage.context.colours = colours = make_colours("colour-blind", dark=True)
        table.screen.restyle()
        text = table.view.side.moves.text
        assert str(text.cget("background")) == colours.board
        assert str(text.tag_cget("seat1", "foreground")) == colours.strokes[1]
        assert str(find(table.screen, name="earlier_bar").cget("background")) == colours.banner
        mark = find(find(table.screen, name="seat1"), name="mark", kind=tk.Label)
        assert str(mark.cget("background")) == colours.strokes[1]

    def test_before_the_room_is_known(self, ui: Ui, stage: Stage) -> None:
        room = SeenRoom()
        screen = stage.show(lambda context: RoomScreen(context, "r1"))
        assert isinstance(screen, RoomScreen)
        ui.settle()
        assert shown_texts(screen) == ["Opening the room ...", "‹ Lobby"]
        assert not screen.playing
        screen.take(room.seen(GUEST, me="Bob"))
        assert screen.model is None
        screen.take(SeenRoom(room="other").seen())
        assert screen.model is None
        screen.take(room.seen())
        assert screen.playing
        assert not find_all(screen, "Opening the room ...")

    def test_the_next_match_of_a_hot_seat_is_ready_when_both_snapshots_are_there(
        self, stage: Stage, ui: Ui
    ) -> None:
        room = SeenRoom()
        latest: LatestSnapshots = stage.context.latest
        for who, me in ((GUEST, "Bob"), (ME, "Ann")):
            latest.rooms[who, "r1"] = room.seen(who, me)
        screen = stage.show(lambda context: RoomScreen(context, "r1"))
        assert isinstance(screen, RoomScreen)
        ui.settle()
        assert screen.model is not None
        assert screen.model.seats.shared

    @pytest.mark.parametrize(("width", "height"), [(1024, 720), (560, 420), (700, 890)])
    def test_the_board_keeps_much_of_the_window(self, sit: Sit, width: int, height: int) -> None:
        room = SeenRoom(settings("5x5", "60+1/15"), players=(LONG, ANN))
        room.some(20)
        table = sit(room, f"{width}x{height}+0+0")
        table.put(spectators=3, present=(False, True), claim_at=room.now - 1)
        table.settle()
        assert table.view.board.winfo_height() > height * 0.45
        assert table.view.board.winfo_width() > width * 0.4
        assert table.view.head.title.cget("text") == "Dots and Boxes 5 × 5"

    def test_the_side_is_below_the_board_where_that_leaves_more_to_the_board(
        self, sit: Sit, ui: Ui
    ) -> None:
        room = SeenRoom(settings("5x5", "300+3"), players=(ANN, ROBO))
        room.some(6)
        table = sit(room, "1024x720+0+0")
        there = shown_texts(table.screen)
        side = table.view.side.seats[0].winfo_rootx() > table.view.board.winfo_rootx()
        assert side
        table.stage.root.geometry("560x800+0+0")
        ui.settle()
        first, second = table.view.side.seats
        assert first.winfo_rooty() > table.view.board.winfo_rooty()
        assert first.winfo_rooty() == second.winfo_rooty()
        assert table.view.board.winfo_width() > 500
        assert sorted(shown_texts(table.screen)) == sorted(there)
        table.stage.root.geometry("1024x720+0+0")
        ui.settle()
        assert first.winfo_rootx() == second.winfo_rootx() > table.view.board.winfo_rootx() + 600
        assert shown_texts(table.screen) == there
