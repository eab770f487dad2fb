"""The lobby of a real server in a real window: players, offers, games and own offers."""

from __future__ import annotations

import pytest

from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.client.tk.screens.lobby.screen import LobbyScreen
from doublecross.client.transport import Client
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, shown_texts
from tests.client.tk.harness.lobbying import (
    TINY,
    USUAL,
    Company,
    LobbyStage,
    company,
    entry,
    known,
    note,
)
from tests.client.tk.harness.serving import RealServer

# -- who is there ------------------------------------------------------------------------------


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
    ui.pump(lambda: "Bob" in known(lobby.context))
    assert followed()
    again.leave()
    ui.pump(lambda: not followed())


def test_the_lobby_is_there_again_after_a_restart(
    lobby: LobbyStage, server: RealServer, ui: Ui
) -> None:
    lobby.enter(server.url)
    server.kill()
    ui.pump(
        lambda: lobby.context.latest.link is not None and lobby.context.latest.link.state == "lost"
    )
    server.start()
    with company(server.url) as others:
        others.connect("Bob")
        ui.pump(lambda: known(lobby.context) == ["Ann", "Bob"])


# -- offers ------------------------------------------------------------------------------------


def test_a_quick_match_posts_an_offer_which_can_be_cancelled(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    lobby.enter(server.url)
    ui.mouse.click(find(lobby.root, "Quick match"))
    ui.see("Waiting for an opponent")
    ui.see("Nobody waits for an opponent now.")  # own offers are not listed
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
    # An offer that is accepted leads to the game without a click.
    ui.mouse.click(find(lobby.root, "Quick match"))
    ui.pump(lambda: lobby.context.latest.offers and lobby.context.latest.offers.offers)
    others.ask("Bob", lambda client: client.offers.quick_match(USUAL))
    ui.pump(lambda: lobby.games)


def test_a_quick_match_takes_an_offer_that_is_there(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    others.connect("Bob")
    others.ask("Bob", lambda client: client.offers.seek(USUAL))
    lobby.enter(server.url)
    ui.mouse.click(find(lobby.root, "Quick match"))
    ui.pump(lambda: lobby.games and others.client("Bob").session.rooms)
    assert lobby.games == list(others.client("Bob").session.rooms)


def test_an_own_room_is_a_click_away_and_can_be_closed(
    lobby: LobbyStage, server: RealServer, ui: Ui
) -> None:
    lobby.enter(server.url)
    lobby.context.network.ask(ME, lambda client: client.create_room(TINY))
    ui.see("Your room waits for a player")
    ui.see("Dots and Boxes 1 × 2 · no clock")
    ui.mouse.click(entry(lobby, "own"))
    ui.pump(lambda: len(lobby.games) == 1)
    ui.mouse.click(find(lobby.root, "Cancel"))
    ui.see("1 player, 0 offers, 0 games")
    ui.pump(lambda: not any("Your room" in text for text in shown_texts(lobby.root)))


def test_offers_of_the_second_person_are_not_own_offers(
    lobby: LobbyStage, server: RealServer, ui: Ui
) -> None:
    lobby.enter(server.url)
    joined: list[bool] = []
    lobby.connect_guest("Eve", lambda: joined.append(True), lambda sentence: pytest.fail(sentence))
    ui.pump(lambda: joined)
    lobby.context.network.ask(GUEST, lambda client: client.create_room(TINY))
    ui.see("2 players, 0 offers, 1 game")
    assert not any("Your room" in text for text in shown_texts(lobby.root))
