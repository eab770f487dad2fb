"""The screen of a room with a scripted server: playing, the seats and earlier positions."""

from __future__ import annotations

from collections.abc import Callable
from tkinter import ttk

import pytest

from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.screens.room.presenter import NOTICE_S
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.errors import ErrorCode
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, shown_texts
from tests.client.tk.harness.tables import Table
from tests.client.tk.models.rooms import ROBO, SeenRoom, settings
from tests.fakes.rooms import ANN

Sit = Callable[..., Table]

LONG = PlayerInfo(name="Wilhelmina Featherstonehaugh III", kind="human")


def marked(table: Table) -> str:
    """Return the text that is highlighted in the list of moves; empty if none is."""
    text = table.view.side.moves.text
    ranges = text.tag_ranges("now")
    return text.get(*ranges).strip("\xa0") if ranges else ""


class TestPlaying:
    def test_a_click_shows_at_once_and_is_sent(self, sit: Sit) -> None:
        table = sit()
        assert table.status == "Your turn."
        assert table.view.board.playable
        table.click("b1")
        action = table.room.game.parse_action("b1")
        move = table.last("move")
        assert (move.who, move.args) == (ME, ("r1", action))
        assert (move.kwargs["match"], move.kwargs["ply"]) == (1, 0)
        assert table.model.position.board.last == action
        assert marked(table) == "b1"
        assert table.status == "Bob is to move."
        assert not table.view.board.playable
        assert table.tones == ["draw"]
        table.moves("b1")
        assert table.model.position.pending == ()
        table.moves("b3")
        assert table.status == "Your turn."
        assert table.tones == ["draw", "turn"]
        assert table.asked == ["move"]

    def test_a_refusal_takes_it_back_and_says_why(self, sit: Sit) -> None:
        table = sit()
        table.click("b1")
        table.last("move").failed(Refusal("The disk is full.", ErrorCode.STORAGE_FAILED.value))
        table.settle()
        assert table.model.position.board.moves == ()
        assert table.status == "The disk is full."
        assert marked(table) == ""
        table.click("b1")
        assert table.asked == ["move", "move"]

    @pytest.mark.parametrize("code", [ErrorCode.STALE_PLY, ErrorCode.WRONG_STATE])
    def test_a_match_that_has_continued_shows_no_error(self, sit: Sit, code: ErrorCode) -> None:
        table = sit()
        table.click("b1")
        table.last("move").failed(Refusal("The match is at ply 2, not at 0.", code.value))
        table.settle()
        assert table.model.position.board.moves == ()
        assert table.status == "Your turn."

    def test_an_illegal_click_explains_itself_and_costs_nothing(self, sit: Sit) -> None:
        room = SeenRoom()
        room.moves("b1 b3")
        table = sit(room)
        table.click("b1")
        assert table.status == "Edge b1 is drawn already."
        assert table.asked == []
        assert table.model.position.board.moves == room.state.history()
        table.tick(NOTICE_S - 0.1)
        assert table.status == "Edge b1 is drawn already."
        table.tick(0.2)
        assert table.status == "Your turn."

    def test_what_a_click_was_wrong_about_is_forgotten_when_it_is_right(self, sit: Sit) -> None:
        room = SeenRoom()
        room.moves("b1")
        table = sit(room)
        table.click("b1")
        assert table.status.startswith("Edge b1 is drawn")
        table.moves("d1")
        assert table.status == "Your turn."

    def test_a_move_for_the_next_turn_is_chosen_while_the_opponent_thinks(
        self, sit: Sit, ui: Ui
    ) -> None:
        room = SeenRoom()
        room.moves("b1")
        table = sit(room)
        board, waits = table.view.board, "{} waits for your turn. Click it again to remove it."
        table.click("d1")
        assert table.status == waits.format("d1")
        assert board.find_withtag("premove")
        assert (board.playable, board.mover) == (True, 0)
        table.click("d1")
        assert (table.status, board.find_withtag("premove")) == ("Bob is to move.", ())
        table.click("d1")
        ui.keyboard.press("Escape")
        assert table.status == "Bob is to move."
        table.click("d3")
        assert table.asked == []
        table.moves("b3")
        assert (table.asked, table.model.position.pending) == (
            ["move"],
            (table.room.game.parse_action("d3"),),
        )
        assert not board.find_withtag("premove")

    def test_keys_play(self, sit: Sit, ui: Ui) -> None:
        table = sit()
        assert table.stage.root.focus_get() is table.view.board
        ui.keyboard.press("Down", "Down", "Return")
        assert table.asked == ["move"]
        assert len(table.model.position.board.moves) == 1

    def test_the_opponents_capture_is_heard_and_seen(self, sit: Sit) -> None:
        room = SeenRoom(settings("1x2"))
        room.moves("b1 d1 b3 a2 d3")
        table = sit(room)
        table.moves("c2")
        assert table.tones == ["capture"]
        assert table.says("score", "seat1") == "1"
        assert table.view.board.moving
        table.tick(5)
        assert not table.view.board.moving

    def test_who_watches_can_only_look(self, sit: Sit, ui: Ui) -> None:
        table = sit(SeenRoom(me="Zoe"))
        assert not table.view.board.playable
        table.click("b1")
        assert table.status == "You are watching; only the players move."
        assert table.asked == []
        assert not any(map(table.there, ("hint", "resign", "abort", "claim")))
        assert any("you are watching" in text for text in shown_texts(table.screen))
        table.moves("b1 a2")
        ui.keyboard.press("Home")
        table.moves("b3")
        assert (len(table.model.position.board.moves), table.there("earlier_bar")) == (0, True)
        ui.keyboard.press("End")
        assert (len(table.model.position.board.moves), table.there("earlier_bar")) == (3, False)
        table.room.end()
        table.put()
        assert table.there("ending")
        assert not any(map(table.there, ("rematch", "play_again")))
        assert all(map(table.there, ("review", "lobby", "quit")))
        table.room.start()
        table.put()
        assert not table.there("review")
        assert table.model.position.board.moves == ()
        table.press("back")
        assert table.asked == ["leave"]
        assert table.stage.went == [("lobby",)]


class TestPanels:
    def test_names_scores_and_whose_turn_it_is(self, sit: Sit) -> None:
        table = sit(SeenRoom(players=(ANN, ROBO)))
        assert [table.says("player", f"seat{seat}") for seat in (0, 1)] == ["Ann", "Robo"]
        assert [table.says("mark", f"seat{seat}") for seat in (0, 1)] == ["A", "R"]
        assert table.says("about", "seat0") == "you"
        assert table.says("about", "seat1") == "bot · minimax 2"
        table.click("b1")
        assert table.says("about", "seat1").startswith("thinking")
        assert table.status == "Robo is thinking."

    def test_a_bots_dots_move(self, sit: Sit) -> None:
        room = SeenRoom(players=(ANN, ROBO))
        room.moves("b1")
        table = sit(room)
        seen = set()
        for _ in range(8):
            table.tick(0.2)
            seen.add(table.says("about", "seat1").partition(" · ")[0])
        assert seen == {"thinking .", "thinking ..", "thinking ..."}

    def test_clocks_tick_and_run_low(self, sit: Sit) -> None:
        table = sit()
        clocks = [find(table.screen, name=f"seat{seat}") for seat in (0, 1)]
        mine, theirs = (find(panel, name="clock", kind=ttk.Label) for panel in clocks)
        table.tick()
        assert (mine.cget("text"), theirs.cget("text")) == ("1:00", "1:00")
        assert (mine.cget("style"), theirs.cget("style")) == ("Clock.TLabel", "Idle.Clock.TLabel")
        table.tick(48.5)
        assert (mine.cget("text"), theirs.cget("text")) == ("0:12", "1:00")
        assert table.tones == []
        table.tick(5.25)
        assert (mine.cget("text"), mine.cget("style")) == ("6.3", "Low.Clock.TLabel")
        assert str(ttk.Style(table.stage.root).lookup("Low.Clock.TLabel", "foreground")) == (
            table.stage.context.colours.bad
        )
        assert table.tones == ["low"]
        table.tick(60)
        assert mine.cget("text") == "0.0"

    def test_an_opponent_goes_and_comes_back(self, sit: Sit) -> None:
        table = sit()
        table.put(present=(True, False), claim_at=table.room.now + 20)
        assert table.says("about", "seat1") == "away"
        assert table.status == "Bob is away. You may claim the win in 20 s."
        assert not table.enabled("claim")
        table.tick(18.5)
        assert table.status == "Bob is away. You may claim the win in 2 s."
        table.tick(2)
        assert table.status == "Bob stays away: you may claim the win."
        table.press("claim")
        assert table.last("claim").args == ("r1",)
        assert not table.enabled("claim")
        table.put()
        assert not table.enabled("claim")
        assert table.says("about", "seat1") == ""

    def test_a_long_name_is_cut(self, sit: Sit) -> None:
        table = sit(SeenRoom(players=(LONG, ANN)), "640x480+0+0")
        said = table.says("player", "seat0")
        assert said.endswith("…")
        assert LONG.name.startswith(said.removesuffix("…"))


class TestLookingBack:
    @pytest.fixture
    def table(self, sit: Sit) -> Table:
        room = SeenRoom()
        room.moves("b1 b3 d1 d5")
        return sit(room)

    def shown(self, table: Table) -> tuple[int, bool]:
        """Return the number of moves shown and whether the bar for earlier positions is visible."""
        return len(table.model.position.board.moves), table.there("earlier_bar")

    def test_keys(self, table: Table, ui: Ui) -> None:
        seen = []
        for key in ("Prior", "comma", "Next", "Home", "period", "End", "Home", "Escape"):
            ui.keyboard.press(key)
            seen.append(self.shown(table))
        assert seen == [
            (3, True),
            (2, True),
            (3, True),
            (0, True),
            (1, True),
            (4, False),
            (0, True),
            (4, False),
        ]

    def test_the_list_of_moves_is_clicked(self, table: Table, ui: Ui) -> None:
        text = table.view.side.moves.text
        left, top, width, height = text.bbox(f"{text.tag_ranges('m2')[0]}+1c")
        ui.mouse.click(text, left + width // 2, top + height // 2)
        assert self.shown(table) == (2, True)
        assert marked(table) == "b3"
        left, top, _, height = text.bbox("1.0")
        ui.mouse.click(text, left + 2, top + height // 2)
        assert self.shown(table) == (0, True)
        left, top, _, height = text.bbox("4.0")  # the number of the third turn
        ui.mouse.click(text, left + 2, top + height // 2)
        assert self.shown(table) == (3, True)
        end = text.dlineinfo("end-1c")
        assert end is not None
        ui.mouse.click(text, 20, end[1] + end[3] + 30)
        assert self.shown(table) == (3, True)

    def test_the_bar_leads_back(self, table: Table, ui: Ui) -> None:
        ui.keyboard.press("Home")
        bar = find(table.screen, name="earlier_bar")
        assert "The start · an earlier position" in shown_texts(bar)
        ui.mouse.click(find(bar, "▸"))
        assert any(text.startswith("Move 1 of 4 ·") for text in shown_texts(bar))
        ui.mouse.click(find(bar, "◂"))
        assert self.shown(table) == (0, True)
        ui.mouse.click(find(bar, "Back to the latest"))
        assert self.shown(table) == (4, False)
        assert table.status == "Your turn."
        assert table.stage.root.focus_get() is table.view.board

    def test_nothing_is_played_there(self, table: Table, ui: Ui) -> None:
        ui.keyboard.press("Home")
        assert not table.view.board.playable
        table.click("e2")
        assert table.asked == []
        ui.keyboard.press("End")
        assert "earlier position" in table.status
        table.click("e2")
        assert table.asked == ["move"]


def test_letters_and_numbers_stand_beside_the_board_if_wanted(sit: Sit) -> None:
    def labels(table: Table) -> str:
        board = table.view.board
        return "".join(board.itemcget(item, "text") for item in board.find_withtag("rim"))

    table = sit()
    assert labels(table) == ""
    table.stage.context.home.settings.rim = True
    table.stage.context.home.save()
    other = sit()
    assert labels(other) == "abcde12345"
    other.click("b1")  # clicks hit the edges that have moved aside for the labels
    assert other.model.position.board.last == other.room.game.parse_action("b1")
