"""Find opponents in the lobby of a real server: bots, online or started here, and people."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tkinter import ttk

import pytest

from doublecross.client.tk.network.thread import ME
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, shown_texts
from tests.client.tk.harness.lobbying import Company, LobbyStage
from tests.client.tk.harness.serving import RealServer
from tests.client.tk.screens.lobby.lobby_dialogs import (
    bots,
    challenge,
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


# -- bots --------------------------------------------------------------------------------------


def test_a_key_leads_to_a_game_against_a_bot_while_nobody_else_is_there(
    ui: Ui, serve: Callable[..., RealServer], tmp_path: Path
) -> None:
    server = serve("easy")
    stage = LobbyStage(ui, tmp_path / "home")
    try:
        stage.enter(server.url)
        ui.pump(lambda: "easy" in here(stage))
        ui.see("Dots and Boxes 5 × 5\nvs easy, no clock")
        ui.keyboard.press("Return")
        ui.pump(lambda: [key for who, key in stage.context.latest.rooms if who == ME])
        [room] = [room for (who, _), room in stage.context.latest.rooms.items() if who == ME]
        assert {player.name for player in room.players if player is not None} == {"Ann", "easy"}
        assert room.time.base_ms is None
        assert not room.rated
        assert stage.lobby_helpers.asked == []
    finally:
        stage.close()


def test_a_bot_is_brought_from_this_machine(lobby: LobbyStage, server: RealServer, ui: Ui) -> None:
    lobby.lobby_helpers.gate.clear()
    lobby.context.home.settings.ladder = {"dots-and-boxes 5x5 tricky": "3 0 1 WLWW"}
    press(lobby, ui.mouse, "bot")
    ui.mouse.click_row(bots(lobby), "level:hard")
    assert said(lobby, "about").startswith("Never gives a box away early")
    assert said(lobby, "about").endswith("\nThis is your next level.")
    start(lobby, ui.mouse, "other")
    press(lobby, ui.mouse, "confirm")
    ui.see("Starting hard. The first start may take a minute ...")
    assert focused(lobby) == "cancel"
    lobby.lobby_helpers.gate.set()
    ui.pump(lambda: lobby.games)
    assert lobby.lobby_helpers.asked == [("bring_bot", server.url, "hard")]
    ui.pump(lambda: (ME, lobby.games[0]) in lobby.context.latest.rooms)
    assert room_of(lobby, lobby.games[0]).seat == 1


def test_a_bot_that_is_still_getting_ready_is_awaited_and_not_started_twice(
    lobby: LobbyStage, others: Company, ui: Ui
) -> None:
    lobby.lobby_helpers.coming = frozenset({"easy"})
    ui.mouse.click(find(lobby.root, name="bot"))
    ui.mouse.click_row(bots(lobby), "level:easy")
    ui.see("is coming")
    press(lobby, ui.mouse, "confirm")
    ui.see("easy is getting ready.")
    waiting = dialog(lobby)
    assert waiting is not None
    ui.settle()  # its timer runs
    waiting.tick(lobby.context.clock() + 119)
    assert said(lobby, "error") == ""
    waiting.tick(lobby.context.clock() + 121)
    ui.see("easy has not come yet. Try again, or choose another bot.")
    press(lobby, ui.mouse, "confirm")
    ui.see("easy is getting ready.")
    press(lobby, ui.mouse, "cancel")
    others.connect("easy-2", engine="easy")
    ui.see("online")
    assert lobby.games == []
    others.disconnect("easy-2")
    ui.see("is coming")
    press(lobby, ui.mouse, "confirm")
    ui.see("easy is getting ready.")
    others.connect("easy", engine="easy")
    ui.pump(lambda: lobby.games)
    assert {p.name for p in room_of(lobby, lobby.games[0]).players} == {"Ann", "easy"}
    assert lobby.lobby_helpers.asked == []


def test_a_bot_can_be_brought_without_playing_it(lobby: LobbyStage, ui: Ui) -> None:
    press(lobby, ui.mouse, "bot")
    assert text(lobby, "time") == "No clock"  # at first, for a newcomer
    assert not bots(lobby).exists("spec:greedy")
    ui.mouse.click(find(lobby.root, "All bots"))
    assert bots(lobby).exists("spec:greedy")
    # Only bots that play the game are listed.
    choose(lobby, ui.mouse, "game", "Tic-tac-toe")
    assert not bots(lobby).exists("spec:greedy")
    assert bots(lobby).exists("level:easy")
    press(lobby, ui.mouse, "bring")
    ui.see("easy has joined.")
    assert dialog(lobby) is None
    ui.pump(lambda: "easy" in here(lobby))
    assert lobby.games == []
    # The bot is online now, so the button that starts it is disabled.
    press(lobby, ui.mouse, "bot")
    assert bots(lobby).set("level:easy", "Now") == "online"
    opened = dialog(lobby)
    assert opened is not None
    assert find(opened, name="bring", kind=ttk.Button).instate(["disabled"])


def test_a_bot_that_cannot_be_brought(lobby: LobbyStage, ui: Ui) -> None:
    lobby.lobby_helpers.problem = "Bot perfect needs the package numba, which is not installed."
    press(lobby, ui.mouse, "bot")
    ui.mouse.click_row(bots(lobby), "level:perfect")
    fill(lobby, ui.keyboard, size_rows="3")
    press(lobby, ui.mouse, "confirm")
    ui.see("Bot perfect needs the package numba")
    assert said(lobby, "error").startswith("Bot perfect needs")
    assert text(lobby, "size_rows") == "3"
    assert bots(lobby).selection() == ("level:perfect",)
    # Another bot can be started at once.
    lobby.lobby_helpers.problem = ""
    ui.keyboard.press("Return")
    ui.pump(lambda: lobby.games)


def test_bringing_a_bot_is_given_up(lobby: LobbyStage, ui: Ui) -> None:
    lobby.lobby_helpers.gate.clear()
    press(lobby, ui.mouse, "bot")
    press(lobby, ui.mouse, "confirm")
    ui.see("Starting easy.")
    ui.keyboard.press("Escape")
    assert dialog(lobby) is not None
    assert said(lobby, "doing") == ""
    lobby.lobby_helpers.gate.set()
    # The bot joins all the same, but is not challenged.
    ui.pump(lambda: "easy" in here(lobby))
    assert lobby.games == []
    assert lobby.context.latest.offers is not None
    assert lobby.context.latest.offers.offers == ()
    ui.keyboard.press("Escape")
    assert dialog(lobby) is None


def test_a_bot_that_declines_says_why(lobby: LobbyStage, others: Company, ui: Ui) -> None:
    others.connect("Hal", engine="mcts", accepts=False, why="I play with a clock only.")
    ui.pump(lambda: "Hal" in here(lobby))
    press(lobby, ui.mouse, "bot")
    ui.mouse.click_row(bots(lobby), "player:Hal")
    choose(lobby, ui.mouse, "time", "No clock")
    press(lobby, ui.mouse, "confirm")
    ui.see("Hal declined your challenge. I play with a clock only.")
    opened = dialog(lobby)
    assert opened is not None
    assert find(opened, name="time", kind=ttk.Combobox).get() == "No clock"
    # Only the dialog shows the reason.
    assert len([each for each in shown_texts(lobby.root) if "declined" in each]) == 1
    ui.keyboard.press("Escape")
    assert dialog(lobby) is None


def test_bots_that_come_and_go_while_one_chooses(
    lobby: LobbyStage, others: Company, ui: Ui
) -> None:
    press(lobby, ui.mouse, "bot")
    tree = bots(lobby)
    ui.mouse.click_row(tree, "level:medium")
    assert tree.set("level:medium", "Now") == "can join"
    others.connect("Max", engine="medium")
    others.connect("Hal", engine="mine")
    ui.pump(lambda: tree.exists("player:Hal"))
    assert tree.set("level:medium", "Now") == "online"
    assert tree.selection() == ("level:medium",)
    others.disconnect("Hal")
    ui.pump(lambda: not tree.exists("player:Hal"))
    press(lobby, ui.mouse, "confirm")
    ui.pump(lambda: lobby.games and others.client("Max").session.rooms)
    assert list(others.client("Max").session.rooms) == lobby.games


# -- challenges --------------------------------------------------------------------------------


def test_a_challenge_waits_for_its_answer_in_the_lobby(
    lobby: LobbyStage, others: Company, ui: Ui
) -> None:
    others.connect("Bob")
    challenge(lobby, ui.mouse, "Bob")
    assert "Challenge Bob" in shown_texts(lobby.root)
    fill(lobby, ui.keyboard, size_rows="2", size_cols="3")
    start(lobby, ui.mouse, "me")
    ui.keyboard.press("Return")
    ui.see("Waiting for Bob to answer")
    ui.see("Dots and Boxes 2 × 3 · 5 min + 3 s")
    assert dialog(lobby) is None
    ui.pump(lambda: others.client("Bob").session.challenges)
    (challenged,) = others.client("Bob").session.challenges.values()
    assert challenged.seat == 0
    others.ask("Bob", lambda client: client.offers.decline_challenge(challenged.challenge))
    ui.see("Bob declined your challenge.")
    # The last settings are stored.
    challenge(lobby, ui.mouse, "Bob")
    assert text(lobby, "size_cols") == "3"
    ui.keyboard.press("Return")
    ui.pump(lambda: others.client("Bob").session.challenges)
    (challenged,) = others.client("Bob").session.challenges.values()
    others.ask("Bob", lambda client: client.offers.accept_challenge(challenged.challenge))
    ui.pump(lambda: lobby.games)


def test_a_challenged_player_who_leaves(lobby: LobbyStage, others: Company, ui: Ui) -> None:
    others.connect("Bob")
    challenge(lobby, ui.mouse, "Bob")
    others.disconnect("Bob")
    ui.pump(lambda: "Bob" not in here(lobby))
    fill(lobby, ui.keyboard, size_rows="4")
    ui.keyboard.press("Return")
    ui.see("No player named Bob is connected.")
    assert text(lobby, "size_rows") == "4"
