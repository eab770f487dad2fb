"""The areas of the lobby: their buttons, and the first entries of the lists on them."""

from __future__ import annotations

from tkinter import ttk

from doublecross.client.tk.models.snapshots import LobbySnapshot
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.widgets.lobby.short_list import ShortList
from doublecross.protocol.common import PlayerInfo
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, find_all
from tests.client.tk.harness.lobbying import TINY, USUAL, Company, LobbyStage, entry
from tests.client.tk.harness.serving import RealServer
from tests.client.tk.screens.lobby.test_lobby_lists import Script, script

__all__ = ["script"]


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
    ui.mouse.click(entry(lobby, "running"))  # it is watched already
    ui.pump(lambda: lobby.games == [room, room])
    mine = others.ask("Bob", lambda client: client.create_room(TINY)).room
    ui.mouse.click(entry(lobby, "open"))
    ui.pump(lambda: lobby.games == [room, room, mine])
    ui.see("3 players, 0 offers, 2 games")
    assert len(find_all(find(lobby.root, name="running", kind=ShortList), "Watch")) == 1


def test_a_scrollbar_leads_to_entries_beyond_the_first(
    lobby: LobbyStage, script: Script, ui: Ui
) -> None:
    screen = lobby.enter(script.empty())
    ui.pump(lambda: screen.follower.following)
    people = tuple(PlayerInfo(name=f"P{number:02}", kind="human") for number in range(30))

    def show(*players: PlayerInfo) -> None:
        latest = lobby.context.latest
        latest.lobby = LobbySnapshot(ME, players, (), (), stale=False)
        screen.take(latest.lobby)
        ui.settle()

    def shown() -> list[str]:
        titles = find_all(each, name="title", kind=ttk.Label)
        return sorted(str(label.cget("text")) for label in titles)

    each = find(lobby.root, name="people", kind=ShortList)
    show(*people)
    assert shown() == ["P00", "P01", "P02"]
    bar = find(each, kind=ttk.Scrollbar)
    lobby.root.tk.call(bar.cget("command"), "moveto", "1.0")
    assert shown() == ["P27", "P28", "P29"]
    lobby.root.tk.call(bar.cget("command"), "scroll", "-1", "pages")
    assert shown() == ["P24", "P25", "P26"]
    find_all(each, name="go")[1].event_generate("<Button-4>")
    assert shown() == ["P23", "P24", "P25"]
    # Those that are shown stay, whoever comes and goes.
    show(PlayerInfo(name="A", kind="human"), *people[10:])
    assert shown() == ["P23", "P24", "P25"]
    show(*people[:1])
    assert shown() == ["P00"]
    assert not bar.winfo_viewable()
