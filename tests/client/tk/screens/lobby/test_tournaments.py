"""The card of tournaments in the lobby of a real server: join, leave, be refused, follow, view."""

from __future__ import annotations

from pathlib import Path
from tkinter import ttk

import pytest

from doublecross.client.tk.models.pages import Page
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, find_all
from tests.client.tk.harness.lobbying import Company, LobbyStage, note
from tests.client.tk.harness.organising import look, organise, start
from tests.client.tk.harness.serving import RealServer
from tests.client.tk.models.contests import ORGANISER


def button(lobby: LobbyStage, text: str) -> ttk.Button:
    """Return the button of the card with this label, once it is there."""
    found: ttk.Button = lobby.windows.pump(
        lambda: find(find(lobby.root, name="tournament_card"), text, kind=ttk.Button), what=text
    )
    return found


def states(others: Company, tournament: str) -> list[tuple[str, str]]:
    return [(each.player, each.state) for each in look(others, tournament).entrants]


def test_the_lobby_lists_what_begins_and_ends(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    lobby.enter(server.url)
    ui.see("No tournament is open or running.")
    ui.mouse.click(find(lobby.root, "Tournaments ..."))
    spring = organise(others)
    ui.mouse.click(button(lobby, "View"))
    assert lobby.went == [("page", Page.TOURNAMENTS), ("page", f"/tournament/{spring}")]
    others.ask(ORGANISER, lambda client: client.tournaments.end(spring))
    ui.see("No tournament is open or running.")


def test_join_and_leave_by_mouse_and_key(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    spring = organise(others)
    lobby.enter(server.url)
    ui.mouse.click(button(lobby, "Join"))
    button(lobby, "Withdraw").focus_set()
    assert states(others, spring) == [("Ann", "in")]
    ui.keyboard.press("Return")
    button(lobby, "Join")
    assert states(others, spring) == [("Ann", "left")]
    # A lobby that is shown later knows who takes part.
    ui.mouse.click(button(lobby, "Join"))
    button(lobby, "Withdraw")
    lobby.context.latest.tournaments.clear()
    lobby.enter(server.url, wait=False)
    button(lobby, "Withdraw")


def test_refusals_warnings_and_tournaments_of_bots(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    spring = organise(others, invited=("Ben", "Zoe"))
    lobby.enter(server.url)
    ui.mouse.click(button(lobby, "Join"))
    ui.see("Ann is not invited to Spring.")
    assert states(others, spring) == []
    others.ask(ORGANISER, lambda client: client.tournaments.end(spring))
    ui.see("No tournament is open or running.")
    bots = organise(others, people=False)
    button(lobby, "View")
    assert not find_all(find(lobby.root, name="tournament_card"), "Join")
    others.ask(ORGANISER, lambda client: client.tournaments.end(bots))
    ui.see("No tournament is open or running.")
    cup = organise(others, format="knockout")
    ui.mouse.click(button(lobby, "Join"))
    button(lobby, "Withdraw")
    others.connect("Ben")
    others.ask("Ben", lambda client: client.tournaments.join(cup))
    start(others, cup)
    ui.see("The tournament Spring has started. Your games come by themselves.")
    ui.mouse.click(button(lobby, "Withdraw"))
    ui.see("Who leaves a knockout cannot come back. Press Withdraw again to leave it.")
    assert ("Ann", "in") in states(others, cup)
    ui.mouse.click(button(lobby, "Withdraw"))
    ui.pump(lambda: ("Ann", "left") in states(others, cup))


def test_setting_aside_is_told_in_the_lobby(
    lobby: LobbyStage, server: RealServer, others: Company, ui: Ui
) -> None:
    spring = organise(others)
    lobby.enter(server.url)
    ui.mouse.click(button(lobby, "Join"))
    others.connect("Ben")
    others.ask("Ben", lambda client: client.tournaments.join(spring))
    button(lobby, "Withdraw")
    start(others, spring)
    others.ask(
        ORGANISER,
        lambda client: client.tournaments.set_aside(spring, "Ann", "did not answer the bell"),
    )
    ui.see("You were excluded from the tournament Spring: did not answer the bell.")
    assert note(lobby)


@pytest.mark.parametrize("geometry", ["1024x720+0+0", "560x460+0+0"])
def test_many_tournaments_with_long_names_fit(
    geometry: str, ui: Ui, tmp_path: Path, server: RealServer, others: Company
) -> None:
    stage = LobbyStage(ui, tmp_path / "home", geometry)
    try:
        for number in range(6):
            organise(others, name=f"The spring championship of the northern counties {number}")
        stage.enter(server.url)
        ui.see("0 games, 6 tournaments")
        ui.settle()
        card = find(stage.root, name="tournament_card")
        assert card.winfo_rootx() + card.winfo_width() <= stage.root.winfo_width()
        low = geometry.startswith("560x460")
        assert bool(find_all(card, "View")) is not low
        assert find_all(card, "Tournaments ...")
    finally:
        stage.close()
