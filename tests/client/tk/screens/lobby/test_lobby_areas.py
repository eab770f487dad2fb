"""The areas of the lobby: their buttons, and the first entries of the lists on them."""

from __future__ import annotations

from tkinter import ttk

from doublecross.client.tk.models.pages import Page
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.widgets.lobby.short_list import ShortList
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, find_all
from tests.client.tk.harness.lobbying import TINY, USUAL, Company, LobbyStage, button, the_list
from tests.client.tk.harness.serving import RealServer


def entry(stage: LobbyStage, area: str, number: int = 0) -> ttk.Button:
    """Wait for an entry of a short list, and return its button."""

    def there() -> list[ttk.Button]:
        return find_all(find(stage.root, name=area, kind=ShortList), name="go", kind=ttk.Button)

    stage.windows.pump(lambda: len(there()) > number, what=f"entry {number} of {area}")
    stage.windows.settle()
    return there()[number]


def test_an_offer_and_a_waiting_room_are_one_click_away(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    for name in ("Bob", "Zoe"):
        others.connect(name)
    others.ask("Bob", lambda client: client.offers.seek(TINY))
    waiting = others.ask("Zoe", lambda client: client.create_room(USUAL)).room
    lobby.enter(server.url)
    assert entry(lobby, "open").cget("text") == "Accept"
    assert entry(lobby, "open", 1).cget("text") == "Join"
    ui.mouse.click(entry(lobby, "open", 1))
    ui.pump(lambda: lobby.games == [waiting])
    ui.mouse.click(entry(lobby, "open"))
    # Bob's client may hear of the match a moment later.
    ui.pump(lambda: lobby.games[1:] == list(others.client("Bob").session.rooms) != [])


def test_a_person_who_is_there_can_be_challenged(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    lobby.enter(server.url)
    ui.see("Nobody else is here now.")
    others.connect("Bob")
    ui.mouse.click(entry(lobby, "people"))
    ui.see("Challenge Bob")
    ui.keyboard.press("Return")
    ui.see("Waiting for Bob to answer")


def test_a_running_game_of_others_is_watched(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    for name in ("Bob", "Zoe"):
        others.connect(name)
    room = others.ask("Bob", lambda client: client.create_room(USUAL)).room
    others.ask("Zoe", lambda client: client.join(room))
    lobby.enter(server.url)
    ui.mouse.click(entry(lobby, "running"))
    ui.pump(lambda: lobby.games == [room])
    assert lobby.context.latest.rooms[ME, room].seat is None
    mine = others.ask("Bob", lambda client: client.create_room(TINY)).room
    ui.mouse.click(entry(lobby, "open"))
    ui.pump(lambda: lobby.games == [room, mine])
    ui.see("3 players, 0 offers, 2 games")
    assert len(find_all(find(lobby.root, name="running", kind=ShortList), "Watch")) == 1


def test_the_lists_are_one_step_behind(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    others.connect("easy", engine="easy")
    lobby.enter(server.url)
    ui.see("2 players, 0 offers, 0 games")
    assert not the_list(lobby, "players").winfo_viewable()
    ui.mouse.click(button(lobby, "show_lists"))
    ui.settle()
    assert the_list(lobby, "players").winfo_viewable()
    assert not button(lobby, "quick").winfo_viewable()
    the_list(lobby, "players").tree.focus_set()
    ui.keyboard.press("Escape")
    ui.settle()
    assert button(lobby, "quick").winfo_viewable()
    assert not the_list(lobby, "players").winfo_viewable()
    assert lobby.root.focus_get() is button(lobby, "show_lists")


def test_the_ways_to_learn(lobby: LobbyStage, server: RealServer, ui: Ui) -> None:
    lobby.enter(server.url)
    for name, page in (("learn", Page.LESSONS), ("puzzles", Page.PUZZLES), ("rules", Page.RULES)):
        ui.mouse.click(button(lobby, name))
        assert lobby.went.pop() == ("page", page)
