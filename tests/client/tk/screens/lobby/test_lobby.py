"""The lobby of a real server in a real window: players, offers, games and own offers."""

from __future__ import annotations

import pytest

from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.client.tk.screens.lobby.screen import LobbyScreen
from doublecross.client.tk.widgets.buttons import BarButton
from doublecross.client.transport import Client
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, shown_texts
from tests.client.tk.harness.lobbying import (
    TINY,
    USUAL,
    Company,
    LobbyStage,
    button,
    company,
    lines,
    names,
    note,
    show_lists,
    the_list,
    usable,
)
from tests.client.tk.harness.serving import RealServer

# -- who is there ------------------------------------------------------------------------------


def test_it_shows_who_is_there_as_they_come_and_go(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    others.connect("Bob")
    lobby.enter(server.url)
    ui.pump(lambda: names(lobby) == ["Ann (you)", "Bob"])
    others.connect("medium", engine="medium")
    others.connect("Hal", engine="mcts")
    ui.pump(lambda: names(lobby) == ["Ann (you)", "Bob", "medium", "Hal"])
    assert lines(lobby, "players")[2:] == [
        ("medium", "bot, level 2 of 5", ""),
        ("Hal", "bot, mcts 1", ""),
    ]
    others.disconnect("Bob")
    ui.pump(lambda: "Bob" not in names(lobby))


def test_what_a_chosen_bot_is(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    others.connect("easy", engine="easy")
    others.connect("Bob")
    lobby.enter(server.url)
    show_lists(lobby)
    ui.pump(lambda: len(names(lobby)) == 3)
    ui.mouse.click_row(the_list(lobby, "players").tree, "easy")
    assert "easy: bot, level 1 of 5: easy. For beginners: overlooks some boxes." in shown_texts(
        lobby.root
    )
    assert usable(lobby, "challenge")
    ui.mouse.click_row(the_list(lobby, "players").tree, "Bob")
    assert not any("For beginners" in text for text in shown_texts(lobby.root))
    assert usable(lobby, "challenge")
    ui.mouse.click_row(the_list(lobby, "players").tree, "Ann")
    assert not usable(lobby, "challenge")


def test_empty_lists_say_what_to_do(lobby: LobbyStage, server: RealServer, ui: Ui) -> None:
    lobby.enter(server.url)
    show_lists(lobby)
    ui.see("No offers yet. Press Quick match to post one.")
    ui.see("No games yet. Create a room to play one.")
    ui.see("No bots are online.")


def test_a_lobby_with_bots_does_not_offer_to_bring_one(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    lobby.enter(server.url)
    show_lists(lobby)
    ui.see("No bots are online.")
    others.connect("easy", engine="easy")
    ui.pump(lambda: "No bots are online." not in shown_texts(lobby.root))
    others.disconnect("easy")
    ui.see("No bots are online.")


def test_the_lobby_is_followed_while_it_is_shown(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    screen = lobby.enter(server.url)
    ui.pump(lambda: screen.follower.following)

    def followed() -> bool:
        told: list[bool] = []

        async def look(client: Client) -> bool:
            return client.session.lobby is not None

        lobby.context.network.ask(ME, look, told.append)
        ui.pump(lambda: told)
        return told[0]

    # Another bot joins before this one leaves.
    again = lobby.show(LobbyScreen)
    assert isinstance(again, LobbyScreen)
    ui.pump(lambda: again.follower.following)
    others.connect("Bob")
    ui.pump(lambda: "Bob" in names(lobby))
    assert followed()
    again.leave()
    ui.pump(lambda: not followed())


def test_the_lobby_is_there_again_after_a_restart(
    lobby: LobbyStage, server: RealServer, ui: Ui
) -> None:
    lobby.enter(server.url)
    ui.pump(lambda: names(lobby) == ["Ann (you)"])
    server.kill()
    ui.pump(
        lambda: lobby.context.latest.link is not None and lobby.context.latest.link.state == "lost"
    )
    server.start()
    with company(server.url) as others:
        others.connect("Bob")
        ui.pump(lambda: names(lobby) == ["Ann (you)", "Bob"])


# -- offers ------------------------------------------------------------------------------------


def test_a_quick_match_posts_an_offer_which_can_be_cancelled(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    lobby.enter(server.url)
    ui.mouse.click(find(lobby.root, "Quick match"))
    ui.see("Waiting for an opponent: Dots and Boxes 5x5 · 5 min + 3 s")
    assert lines(lobby, "seeks") == []  # own offers are not listed
    # A second request would post a second offer.
    ui.mouse.click(find(lobby.root, "Quick match"))
    assert note(lobby) == "You have already offered this match. Wait for an opponent."
    ui.mouse.click(find(lobby.root, "OK"))
    assert note(lobby) == ""
    ui.mouse.click(find(lobby.root, "Cancel"))
    ui.pump(lambda: not any("Waiting" in text for text in shown_texts(lobby.root)))
    others.connect("Bob")
    others.ask("Bob", lambda client: client.follow_lobby())
    mirror = others.client("Bob").session.lobby
    assert mirror is not None
    assert not mirror.seeks
    assert lobby.games == []


def test_a_quick_match_takes_an_offer_that_is_there(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    others.connect("Bob")
    others.ask("Bob", lambda client: client.offers.seek(USUAL))
    lobby.enter(server.url)
    ui.mouse.click(find(lobby.root, "Quick match"))
    ui.pump(lambda: lobby.games)
    assert lobby.games == list(others.client("Bob").session.rooms)


def test_an_own_offer_leads_to_a_game_without_a_click(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    others.connect("Bob")
    lobby.enter(server.url)
    ui.mouse.click(find(lobby.root, "Quick match"))
    ui.pump(lambda: lobby.context.latest.offers and lobby.context.latest.offers.offers)
    others.ask("Bob", lambda client: client.offers.quick_match(USUAL))
    ui.pump(lambda: lobby.games)


@pytest.mark.parametrize("how", ["button", "double click", "Enter"])
def test_accept_an_offer(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui, how: str
) -> None:
    others.connect("Bob")
    others.ask("Bob", lambda client: client.offers.seek(TINY, seat=1))
    others.ask("Bob", lambda client: client.offers.seek(USUAL))
    lobby.enter(server.url)
    show_lists(lobby)
    ui.pump(lambda: len(lines(lobby, "seeks")) == 2)
    usual = ("Bob", "Dots and Boxes 5x5", "5 min + 3 s", "chance")
    # The newest is first, in the server's order.
    assert lines(lobby, "seeks") == [usual, ("Bob", "Dots and Boxes 1x2", "no clock", "yours")]
    assert not usable(lobby, "accept")
    tree = the_list(lobby, "seeks").tree
    _, tiny = tree.get_children()
    if how == "double click":
        ui.mouse.click_row(tree, tiny, twice=True)
    elif how == "button":
        ui.mouse.click_row(tree, tiny)
        ui.mouse.click(button(lobby, "accept"))
    else:
        tree.focus_set()
        ui.keyboard.press("Down", "Return")
    ui.pump(lambda: lobby.games and lobby.games[0] in others.client("Bob").session.rooms)
    mirror = others.client("Bob").session.rooms[lobby.games[0]]
    assert dict(mirror.settings.params) == {"rows": 1, "cols": 2}
    assert mirror.players[0] is not None
    assert mirror.players[0].name == "Ann"


# -- games -------------------------------------------------------------------------------------


def test_watch_join_and_go_back(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    for name in ("Bob", "Zoe"):
        others.connect(name)
    waiting = others.ask("Bob", lambda client: client.create_room(TINY)).room
    played = others.ask("Bob", lambda client: client.create_room(USUAL)).room
    others.ask("Zoe", lambda client: client.join(played))
    hidden = others.ask("Zoe", lambda client: client.create_room(USUAL, private=True)).room
    lobby.enter(server.url)
    show_lists(lobby)
    rooms = the_list(lobby, "rooms").tree
    ui.pump(lambda: rooms.get_children() == (waiting, played))
    assert hidden not in rooms.get_children()
    states = [cells[3] for cells in lines(lobby, "rooms")]
    assert states == ["waits for a player", "being played"]
    assert [cells[2] for cells in lines(lobby, "players")] == ["", "playing", "playing"]

    ui.mouse.click_row(rooms, played)
    ui.mouse.click(find(lobby.root, "Watch"))
    ui.pump(lambda: lobby.games == [played])
    assert lobby.context.latest.rooms[ME, played].seat is None

    ui.mouse.click_row(rooms, waiting)
    ui.mouse.click(find(lobby.root, "Join"))
    ui.pump(lambda: lobby.games == [played, waiting])
    ui.pump(lambda: lines(lobby, "rooms")[0][3] == "being played")
    ui.mouse.click_row(rooms, waiting, twice=True)
    ui.pump(lambda: lobby.games == [played, waiting, waiting])


def test_an_own_room_can_be_closed(lobby: LobbyStage, server: RealServer, ui: Ui) -> None:
    lobby.enter(server.url)
    lobby.context.network.ask(ME, lambda client: client.create_room(TINY))
    ui.see("Your room waits for a player: Dots and Boxes 1x2 · no clock")
    ui.pump(lambda: len(lines(lobby, "rooms")) == 1)
    ui.mouse.click(find(lobby.root, "Cancel"))
    ui.pump(lambda: not lines(lobby, "rooms"))
    ui.pump(lambda: not any("Your room" in text for text in shown_texts(lobby.root)))


def test_a_room_that_waits_is_a_click_away(lobby: LobbyStage, server: RealServer, ui: Ui) -> None:
    lobby.enter(server.url)
    lobby.context.network.ask(ME, lambda client: client.create_room(TINY))
    ui.see("Your room waits for a player")
    ui.mouse.click(find(lobby.root, "Go there", kind=BarButton))
    ui.pump(lambda: len(lobby.games) == 1)


def test_offers_of_the_second_person_are_not_own_offers(
    lobby: LobbyStage, server: RealServer, ui: Ui
) -> None:
    lobby.enter(server.url)
    joined: list[bool] = []
    lobby.connect_guest("Eve", lambda: joined.append(True), lambda sentence: pytest.fail(sentence))
    ui.pump(lambda: joined)
    lobby.context.network.ask(GUEST, lambda client: client.create_room(TINY))
    ui.pump(lambda: len(lines(lobby, "rooms")) == 1)
    assert not any("Your room" in text for text in shown_texts(lobby.root))
