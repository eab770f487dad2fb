"""Create and organise tournaments in the window, on a real server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tkinter import ttk
from typing import Any

from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.screens.forms.aside import AsideDialog
from doublecross.client.tk.screens.forms.new_tournament import NewTournamentDialog
from doublecross.client.tk.screens.forms.tournaments import TournamentsDialog
from doublecross.client.tk.widgets.field import TextField
from doublecross.protocol.server_messages import TournamentState
from doublecross.server.tournaments.requests import OPEN_PER_OWNER
from tests.client.tk.harness.driver import Keyboard, Mouse, Windows
from tests.client.tk.harness.inspecting import find, find_all
from tests.client.tk.harness.lobbying import Company, LobbyStage
from tests.client.tk.harness.organising import organise
from tests.client.tk.harness.serving import RealServer
from tests.client.tk.models.contests import terms
from tests.client.tk.screens.lobby.lobby_dialogs import (
    choose,
    dialog,
    fill,
    focused,
    press,
    said,
    text,
)

Pump = Callable[..., Any]
Shoot = Callable[..., Path]


def wrong(lobby: LobbyStage, name: str) -> str:
    """Return what stands below a field as its problem."""
    opened = dialog(lobby)
    assert opened is not None
    label = find(find(opened, name=f"{name}_field", kind=TextField, hidden=True), name="error")
    return str(label.cget("text")) if label.winfo_viewable() else ""


def problems(lobby: LobbyStage) -> dict[str, str]:
    opened = dialog(lobby)
    assert opened is not None
    shown = find_all(opened, kind=TextField)
    labels = [(each, each.nametowidget("error")) for each in shown]
    return {
        each.entry.winfo_name(): str(label.cget("text"))
        for each, label in labels
        if label.winfo_viewable()
    }


def table(lobby: LobbyStage) -> list[tuple[str, ...]]:
    tree = rows(lobby)
    return [tuple(map(str, tree.item(row, "values")))[:2] for row in tree.get_children()]


def rows(lobby: LobbyStage) -> ttk.Treeview:
    opened = dialog(lobby)
    assert opened is not None
    return find(find(opened, name="table"), name="rows", kind=ttk.Treeview)


def usable(lobby: LobbyStage, name: str) -> bool:
    """Return whether the dialog shows this button and it is enabled."""
    opened = dialog(lobby)
    assert opened is not None
    found = find_all(opened, name=name, kind=ttk.Button)
    return bool(found) and found[0].instate(["!disabled"])


def test_create_a_tournament_and_organise_it(
    lobby: LobbyStage,
    server: RealServer,
    others: Company,
    mouse: Mouse,
    keyboard: Keyboard,
    windows: Windows,
    pump: Pump,
    shoot: Shoot,
) -> None:
    lobby.enter(server.url)
    for name in ("Bob", "Cid"):
        others.connect(name)
    pump(lambda: find(lobby.root, name="open_tournaments"))
    press(lobby, mouse, "open_tournaments")
    assert not find_all(lobby.root, name="organising")
    press(lobby, mouse, "new_tournament")
    assert isinstance(dialog(lobby), NewTournamentDialog)
    assert focused(lobby) == "name"

    # What is wrong is said at its field; everything that was typed stays.
    choose(lobby, mouse, "format", "Swiss")
    fill(lobby, keyboard, rounds="many", size_rows="2", size_cols="2")
    opened = dialog(lobby)
    assert opened is not None
    # With more fields the dialog moves up, so that its buttons stay on the screen.
    opened.geometry(f"+100+{opened.winfo_screenheight() - opened.winfo_height()}")
    windows.settle()
    mouse.click(find(opened, name="more"), 10)
    windows.settle()
    assert opened.winfo_rooty() + opened.winfo_height() <= opened.winfo_screenheight()
    fill(lobby, keyboard, seed="x", invited="Ann")
    mouse.click(find(opened, name="more"), 10)
    press(lobby, mouse, "confirm")
    assert problems(lobby) == {
        "name": "Write a name of 1 to 64 characters.",
        "rounds": "Write a whole number from 1 to 1000.",
        "invited": "Invite at least two players, or leave the list empty.",
        "seed": "A whole number from 0 to 9007199254740991, or nothing.",
    }
    assert focused(lobby) == "name"
    shoot("new-tournament", lobby.root)
    fill(lobby, keyboard, name="Autumn", rounds="2", seed="7", invited="")
    assert problems(lobby) == {}
    keyboard.press("Return")
    pump(lambda: isinstance(dialog(lobby), TournamentsDialog), what="it was created")
    found = dialog(lobby)
    assert isinstance(found, TournamentsDialog)
    assert found.model.name == "Autumn"
    state = found.model.state
    assert state is not None
    assert (state.owner, state.terms.format, state.terms.rounds) == ("Ann", "swiss", 2)
    assert (state.terms.seed, state.terms.people, state.terms.settings.rated) == (7, True, True)
    assert state.terms.settings.params == {"rows": 2, "cols": 2}
    windows.see("You organise it. Start it when at least two players have joined.")
    assert not usable(lobby, "start_tournament")

    # Set a player aside and take the player back.
    autumn = state.tournament
    for name in ("Bob", "Cid"):
        others.ask(name, lambda client: client.tournaments.join(autumn))
    windows.see("You organise it. 2 players can play.")
    assert usable(lobby, "start_tournament")
    assert not usable(lobby, "set_aside")  # nobody is chosen
    mouse.click_row(rows(lobby), "Cid")
    pump(lambda: usable(lobby, "set_aside"))
    shoot("organiser", lobby.root)
    press(lobby, mouse, "set_aside")
    assert isinstance(dialog(lobby), AsideDialog)
    fill(lobby, keyboard, reason="x" * 65)
    press(lobby, mouse, "confirm")
    assert wrong(lobby, "reason") == "Write a reason of at most 64 characters."
    fill(lobby, keyboard, reason="too late")
    keyboard.press("Return")
    pump(lambda: isinstance(dialog(lobby), TournamentsDialog), what="he was set aside")
    pump(lambda: ("Cid", "aside: too late") in table(lobby))
    assert not usable(lobby, "start_tournament")
    mouse.click_row(rows(lobby), "Cid")
    pump(lambda: usable(lobby, "take_back"))
    press(lobby, mouse, "take_back")
    pump(lambda: ("Cid", "") in table(lobby))
    # Whoever changes their mind is back at the tournament.
    mouse.click_row(rows(lobby), "Bob")
    press(lobby, mouse, "set_aside")
    keyboard.press("Escape")
    opened = dialog(lobby)
    assert isinstance(opened, TournamentsDialog)
    assert opened.model.chosen == autumn

    # Start it and end it; the end has to be confirmed.
    pump(lambda: usable(lobby, "start_tournament"))
    press(lobby, mouse, "start_tournament")
    windows.see("You organise it. Games begin by themselves.")
    press(lobby, mouse, "end_tournament")
    assert said(lobby, "error").endswith("Press End it again.")
    assert others.ask("Bob", lambda client: client.tournaments.get(autumn)).status == "running"
    press(lobby, mouse, "end_tournament")
    pump(lambda: not find_all(lobby.root, name="organising"), what="it is over")
    assert others.ask("Bob", lambda client: client.tournaments.get(autumn)).status == "cancelled"


def test_only_its_organiser_sees_the_buttons_and_a_refusal_keeps_the_form(
    lobby: LobbyStage,
    server: RealServer,
    others: Company,
    mouse: Mouse,
    keyboard: Keyboard,
    windows: Windows,
    pump: Pump,
) -> None:
    organise(others)
    lobby.enter(server.url)
    pump(lambda: find(lobby.root, name="open_tournaments"))
    press(lobby, mouse, "open_tournaments")
    windows.see("Nobody has joined yet.")
    opened = dialog(lobby)
    assert isinstance(opened, TournamentsDialog)
    pump(lambda: opened.model.state)
    for name in ("organising", "set_aside", "take_back"):
        assert not find_all(lobby.root, name=name)

    press(lobby, mouse, "new_tournament")
    keyboard.press("Escape")
    assert isinstance(dialog(lobby), TournamentsDialog)
    press(lobby, mouse, "new_tournament")
    made: list[TournamentState] = []
    for number in range(OPEN_PER_OWNER):
        wanted = terms(name=f"Tournament {number}")
        lobby.context.network.ask(
            ME, lambda client, wanted=wanted: client.tournaments.create(wanted), made.append
        )
    pump(lambda: len(made) == OPEN_PER_OWNER, what="no more are allowed")
    choose(lobby, mouse, "format", "Knockout")
    fill(lobby, keyboard, name="Autumn", size_rows="2", size_cols="2")
    press(lobby, mouse, "confirm")
    windows.see("You have 20 tournaments, which is the limit; end one of them first.")
    found = dialog(lobby)
    assert isinstance(found, NewTournamentDialog)
    assert (text(lobby, "name"), text(lobby, "size_rows")) == ("Autumn", "2")
    assert (text(lobby, "format"), usable(lobby, "confirm")) == ("Knockout", True)
