"""The lobby's dialogs with real keys and a real server: rooms, hot seat, invalid input."""

from __future__ import annotations

from tkinter import ttk
from typing import Any

import pytest

from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.client.tk.screens.lobby.screen import LobbyScreen
from doublecross.client.tk.widgets.dialog import Dialog
from doublecross.protocol.common import MatchSettings, TimeControl
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, shown_texts
from tests.client.tk.harness.lobbying import TINY, Company, LobbyStage
from tests.client.tk.harness.serving import RealServer
from tests.client.tk.screens.lobby.lobby_dialogs import (
    bots,
    choose,
    dialog,
    fill,
    focused,
    here,
    press,
    room_of,
    said,
    start,
    text,
)


@pytest.fixture
def lobby(lobby: LobbyStage, server: RealServer) -> LobbyStage:
    """A window in the lobby of a real server without bots, as Ann."""
    lobby.enter(server.url)
    return lobby


# -- rooms -------------------------------------------------------------------------------------


def test_a_room_with_a_size_that_cannot_be_and_then_a_good_one(
    lobby: LobbyStage, others: Company, ui: Ui
) -> None:
    press(lobby, ui.mouse, "create")
    fill(lobby, ui.keyboard, size_rows="11", size_cols="two")
    ui.keyboard.press("Return")
    assert said(lobby, "error2").splitlines() == [
        "Rows of boxes: a whole number from 1 to 10.",
        "Columns of boxes: a whole number from 1 to 10.",
    ]
    assert (text(lobby, "size_rows"), text(lobby, "size_cols")) == ("11", "two")
    assert focused(lobby) == "size_rows"
    ui.keyboard.type("10")  # the invalid text is selected, so typing replaces it
    assert said(lobby, "error2") == ""
    fill(lobby, ui.keyboard, size_cols="1")
    choose(lobby, ui.mouse, "time", "Other ...")
    assert focused(lobby) == "minutes"
    fill(lobby, ui.keyboard, minutes="", added="2", move="")
    ui.keyboard.press("Return")
    assert said(lobby, "error5") == "Only a clock can gain seconds: enter its minutes too."
    fill(lobby, ui.keyboard, minutes="1.5")
    start(lobby, ui.mouse, "other")
    ui.keyboard.press("Return")
    ui.pump(lambda: lobby.games)
    room = lobby.games[0]
    ui.pump(lambda: (ME, room) in lobby.context.latest.rooms)
    found = room_of(lobby, room)
    assert (found.game.size, found.seat, found.private) == ("10x1", 1, False)
    assert found.time == TimeControl(base_ms=90_000, increment_ms=2000)
    kept = lobby.context.home.settings.create
    assert (kept["dots-and-boxes.rows"], kept["minutes"], kept["start"]) == ("10", "1.5", "other")


def test_a_private_room_of_another_game(lobby: LobbyStage, ui: Ui) -> None:
    press(lobby, ui.mouse, "create")
    fill(lobby, ui.keyboard, size_rows="9")
    ui.keyboard.press("Up", "Up", "Up")
    assert text(lobby, "size_rows") == "10"
    ui.keyboard.press("Down")
    assert text(lobby, "size_rows") == "9"
    fill(lobby, ui.keyboard, size_rows="7")
    choose(lobby, ui.mouse, "game", "Tic-tac-toe")
    fill(lobby, ui.keyboard, size_line="4")
    press(lobby, ui.mouse, "confirm")
    assert said(lobby, "error2") == "A line of 4 does not fit on 3 × 3 cells."
    fill(lobby, ui.keyboard, size_rows="4")
    # After choosing another game and this one again, the old size is back.
    choose(lobby, ui.mouse, "game", "Dots and Boxes")
    assert text(lobby, "size_rows") == "7"
    choose(lobby, ui.mouse, "game", "Tic-tac-toe")
    assert (text(lobby, "size_rows"), text(lobby, "size_line")) == ("4", "4")
    opened = dialog(lobby)
    assert opened is not None
    ui.mouse.click(find(opened, name="private"), 10)
    press(lobby, ui.mouse, "confirm")
    ui.pump(lambda: lobby.games)
    ui.pump(lambda: (ME, lobby.games[0]) in lobby.context.latest.rooms)
    found = room_of(lobby, lobby.games[0])
    assert found.private
    assert found.code
    assert found.game.params == {"rows": 4, "cols": 3, "line": 4}


def test_join_by_code(lobby: LobbyStage, others: Company, ui: Ui) -> None:
    others.connect("Bob")
    state = others.ask("Bob", lambda client: client.create_room(TINY, private=True))
    assert state.code is not None
    press(lobby, ui.mouse, "join")
    ui.keyboard.press("Return")
    assert said(lobby, "room_error") == "Enter the name of the room."
    ui.keyboard.type("no such room")
    ui.keyboard.press("Return")
    assert said(lobby, "room_error").startswith("The name of a room has letters")
    fill(lobby, ui.keyboard, room="nosuchroom")
    ui.keyboard.press("Return")
    ui.pump(lambda: said(lobby, "room_error") == "There is no room nosuchroom.")
    fill(lobby, ui.keyboard, room=state.room, code="wrong")
    ui.keyboard.press("Return")
    ui.pump(lambda: said(lobby, "code_error"))
    assert (text(lobby, "room"), text(lobby, "code")) == (state.room, "wrong")
    assert focused(lobby) == "code"
    ui.keyboard.type(state.code)
    ui.keyboard.press("Return")
    ui.pump(lambda: lobby.games == [state.room])
    assert room_of(lobby, state.room).seat is not None


def test_an_invitation_is_pasted_and_watched(lobby: LobbyStage, others: Company, ui: Ui) -> None:
    for name in ("Bob", "Zoe"):
        others.connect(name)
    state = others.ask("Bob", lambda client: client.create_room(TINY, private=True))
    others.ask("Zoe", lambda client: client.join(state.room, code=state.code))
    press(lobby, ui.mouse, "join")
    lobby.root.clipboard_clear()
    lobby.root.clipboard_append(f"{state.room} {state.code}")
    ui.keyboard.press("ctrl+v", "Return")
    ui.pump(lambda: said(lobby, "room_error"))  # both seats are taken
    press(lobby, ui.mouse, "watch")
    ui.pump(lambda: lobby.games == [state.room])
    assert room_of(lobby, state.room).seat is None


def test_what_the_server_brings_too_late_is_given_back(
    lobby: LobbyStage, server: RealServer, ui: Ui
) -> None:
    """The request is sent while the server is down and cancelled before it is up again."""
    server.kill()
    press(lobby, ui.mouse, "create")
    ui.keyboard.press("Return")
    ui.see("Opening the room ...")
    ui.keyboard.press("Escape", "Escape")
    assert dialog(lobby) is None
    server.start()
    ui.pump(lambda: lobby.gone, what="the room was opened and left")
    assert lobby.games == []


# -- two at one screen -------------------------------------------------------------------------


def test_two_at_one_screen(lobby: LobbyStage, others: Company, ui: Ui) -> None:
    others.connect("Zoe")
    press(lobby, ui.mouse, "hot_seat")
    assert focused(lobby) == "guest"
    ui.keyboard.press("Return")
    assert said(lobby, "guest_error") == "Enter the name of the second player."
    ui.keyboard.type("ann")
    ui.keyboard.press("Return")
    assert (
        said(lobby, "guest_error") == "ann is your name. Choose another one for the second player."
    )
    fill(lobby, ui.keyboard, guest="Eve!")
    ui.keyboard.press("Return")
    assert said(lobby, "guest_error").startswith("A name has letters")
    fill(lobby, ui.keyboard, guest="Zoe", size_rows="2", size_cols="2")
    start(lobby, ui.mouse, "me")
    ui.keyboard.press("Return")
    ui.pump(lambda: said(lobby, "guest_error").startswith("The name Zoe"))
    assert (text(lobby, "guest"), text(lobby, "size_rows")) == ("Zoe", "2")
    fill(lobby, ui.keyboard, guest="Eve")
    ui.keyboard.press("Return")
    ui.pump(lambda: lobby.games)
    room = lobby.games[0]
    rooms = lobby.context.latest.rooms
    ui.pump(lambda: (ME, room) in rooms and (GUEST, room) in rooms)
    ui.pump(lambda: room_of(lobby, room).status == "playing")
    assert (room_of(lobby, room).seat, room_of(lobby, room, GUEST).seat) == (0, 1)
    assert [player.name for player in room_of(lobby, room).players] == ["Ann", "Eve"]
    assert room_of(lobby, room).private


def test_the_second_person_goes_when_it_is_given_up(
    lobby: LobbyStage, server: RealServer, ui: Ui
) -> None:
    """The second person is connected already when the room is refused."""
    press(lobby, ui.mouse, "hot_seat")
    ui.keyboard.type("Eve")
    ask = lobby.context.network.ask
    waiting: list[Any] = []

    def held(who: str, request: Any, done: Any = None, failed: Any = None) -> None:
        waiting.append((who, request, done, failed))

    lobby.context.network.ask = held  # type: ignore[method-assign]
    ui.keyboard.press("Return")
    ui.pump(lambda: waiting)
    ui.pump(lambda: "Eve" in here(lobby))
    lobby.context.network.ask = ask  # type: ignore[method-assign]
    ui.keyboard.press("Escape")
    ui.pump(lambda: "Eve" not in here(lobby))
    assert dialog(lobby) is not None
    # The answer with the room arrives after cancelling, so the room is left.
    ask(*waiting[0])
    ui.pump(lambda: lobby.gone)
    assert not lobby.context.latest.rooms
    assert lobby.games == []


# -- quick matches, and another one --------------------------------------------------------------


def test_what_a_quick_match_is_to_be(lobby: LobbyStage, others: Company, ui: Ui) -> None:
    press(lobby, ui.mouse, "quick_change")
    fill(lobby, ui.keyboard, size_rows="3", size_cols="0")
    ui.keyboard.press("Return")
    assert said(lobby, "error2") == "Columns of boxes: a whole number from 1 to 10."
    fill(lobby, ui.keyboard, size_cols="4")
    choose(lobby, ui.mouse, "time", "15 s a move")
    opened = dialog(lobby)
    assert opened is not None
    ui.mouse.click(find(opened, name="rated"), 10)
    press(lobby, ui.mouse, "confirm")
    ui.see("Dots and Boxes 3 × 4 · 15 s a move · rated")
    assert dialog(lobby) is None
    assert "Dots and Boxes 3 × 4\n15 s a move · rated" in shown_texts(lobby.root)
    # The next form begins with what was chosen; those without the switch make casual matches.
    press(lobby, ui.mouse, "quick_change")
    opened = dialog(lobby)
    assert opened is not None
    assert find(opened, name="rated", kind=ttk.Checkbutton).instate(["selected"])
    press(lobby, ui.mouse, "cancel")
    others.connect("Bob")
    settings = MatchSettings(
        game="dots-and-boxes",
        params={"rows": 3, "cols": 4},
        time=TimeControl(move_ms=15_000),
        rated=True,
    )
    others.ask("Bob", lambda client: client.offers.quick_match(settings))
    ui.pump(lambda: lobby.games)
    ui.pump(lambda: (ME, lobby.games[0]) in lobby.context.latest.rooms)
    assert room_of(lobby, lobby.games[0]).rated


SMALL = MatchSettings(
    game="dots-and-boxes", params={"rows": 2, "cols": 6}, time=TimeControl(base_ms=30_000)
)


def test_another_match_like_the_last_one(lobby: LobbyStage, others: Company, ui: Ui) -> None:
    others.connect("Bob")
    others.connect("Hal", engine="mine")
    ui.pump(lambda: {"Bob", "Hal"} <= set(here(lobby)))
    lobby.context.home.settings.guest = "Eve"
    gone = "Nobody is no longer online. You can play a bot instead."
    for opponent, title in (
        ("Bob", "Challenge Bob"),
        ("Hal", "Play a bot"),
        ("Eve", "Two at one screen"),
        ("Nobody", "Play a bot"),
    ):
        lobby.screen.dialogs.play_again(SMALL, opponent)  # type: ignore[union-attr]
        others.connect(f"after-{opponent}")
        ui.pump(lambda: dialog(lobby) is not None)
        assert title in shown_texts(lobby.root)
        assert (text(lobby, "size_rows"), text(lobby, "size_cols")) == ("2", "6")
        assert (text(lobby, "time"), text(lobby, "minutes")) == ("Other ...", "0.5")
        if opponent == "Hal":
            assert bots(lobby).selection() == ("player:Hal",)
        assert (gone in shown_texts(lobby.root)) == (opponent == "Nobody")
        press(lobby, ui.mouse, "cancel")


# -- dialogs as such ---------------------------------------------------------------------------


def test_one_dialog_at_a_time_which_goes_with_its_screen(lobby: LobbyStage, ui: Ui) -> None:
    press(lobby, ui.mouse, "join")
    ui.mouse.click(find(lobby.root, name="leave"))  # a dialog does not block its screen
    assert lobby.went[-1] == ("start", "")
    find(lobby.root, name="create", kind=ttk.Button).invoke()
    assert isinstance(dialog(lobby), Dialog)
    assert "Create a room" in shown_texts(lobby.root)
    ui.keyboard.press("Escape")
    assert dialog(lobby) is None
    press(lobby, ui.mouse, "hot_seat")
    lobby.show(LobbyScreen)
    assert dialog(lobby) is None


def test_with_the_keyboard_alone(lobby: LobbyStage, ui: Ui) -> None:
    assert focused(lobby) == "quick"
    ui.keyboard.press("Tab", "Tab", "Tab")
    assert focused(lobby) == "create"
    ui.keyboard.press("Return")
    ui.settle()
    assert focused(lobby) == "game"
    seen = []
    for _ in range(10):
        ui.keyboard.press("Tab")
        seen.append(focused(lobby))
    assert seen == [
        *("size_rows", "size_cols", "time", "me", "other", "chance", "rated", "private"),
        *("confirm", "cancel"),
    ]
    ui.keyboard.press("shift+Tab", "space")  # on the button
    ui.pump(lambda: lobby.games)
