"""The dialog of tournaments on a real server: join, leave, be refused, follow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tkinter import ttk
from typing import Any
from unittest.mock import Mock

import pytest

from doublecross.client.tk.models.lobby import tournaments
from doublecross.client.tk.screens.forms.tournaments import TournamentsDialog
from tests.client.tk.harness.driver import Keyboard, Mouse, Windows
from tests.client.tk.harness.inspecting import find, find_all, shown_texts
from tests.client.tk.harness.lobbying import Company, LobbyStage, note
from tests.client.tk.harness.organising import look, organise, start
from tests.client.tk.harness.serving import RealServer
from tests.client.tk.models.contests import ORGANISER
from tests.client.tk.screens.lobby.lobby_dialogs import dialog, focused, press, said

Pump = Callable[..., Any]
Shoot = Callable[..., Path]


def opened(lobby: LobbyStage) -> TournamentsDialog:
    """Return the dialog once it shows the state of the chosen tournament."""
    found = dialog(lobby)
    assert isinstance(found, TournamentsDialog)
    lobby.windows.pump(lambda: found.model.state is not None, what="the table is there")
    return found


def open_it(lobby: LobbyStage, mouse: Mouse) -> TournamentsDialog:
    lobby.windows.pump(lambda: find(lobby.root, "Tournaments ..."), what="the way there")
    mouse.click(find(lobby.root, "Tournaments ..."))
    return opened(lobby)


def rows(lobby: LobbyStage, which: str) -> list[tuple[str, ...]]:
    tree = tree_of(lobby, which)
    return [tuple(map(str, tree.item(row, "values"))) for row in tree.get_children()]


def tree_of(lobby: LobbyStage, which: str) -> ttk.Treeview:
    found = dialog(lobby)
    assert found is not None
    return find(find(found, name=which), name="rows", kind=ttk.Treeview)


def names(lobby: LobbyStage) -> list[str]:
    return [cells[0] for cells in rows(lobby, "table")]


def enabled(lobby: LobbyStage, text: str) -> bool:
    """Return whether the dialog has this button and it is enabled."""
    found = dialog(lobby)
    assert found is not None
    buttons = find_all(found, text, kind=ttk.Button)
    return bool(buttons) and buttons[0].instate(["!disabled"])


def test_the_way_there_is_always_shown(
    lobby: LobbyStage, server: RealServer, others: Company, windows: Windows, pump: Pump
) -> None:
    lobby.enter(server.url)
    windows.see("No tournament is open or running.")
    assert find_all(lobby.root, "Tournaments ...")
    spring = organise(others)
    windows.see("Tournament Spring is open: round robin, Dots and Boxes 2x2, 0 players.")
    others.ask(ORGANISER, lambda client: client.tournaments.end(spring))
    windows.see("No tournament is open or running.")


def test_join_and_leave_by_mouse(
    lobby: LobbyStage, server: RealServer, others: Company, mouse: Mouse, pump: Pump
) -> None:
    spring = organise(others)
    lobby.enter(server.url)
    found = open_it(lobby, mouse)
    assert names(lobby) == []
    assert "Nobody has joined yet." in shown_texts(found)
    assert enabled(lobby, "Join")
    assert not enabled(lobby, "Leave")
    mouse.click(find(found, "Join"))
    pump(lambda: names(lobby) == ["Ann (you)"])
    assert not enabled(lobby, "Join")
    assert focused(lobby) == "cancel"  # the focused button is enabled
    assert [e.player for e in look(others, spring).entrants] == ["Ann"]
    mouse.click(find(found, "Leave"))
    pump(lambda: [cells[1] for cells in rows(lobby, "table")] == ["left"])
    assert enabled(lobby, "Join")
    assert not enabled(lobby, "Leave")
    assert [e.state for e in look(others, spring).entrants] == ["left"]
    mouse.click(find(found, "Join"))
    pump(lambda: [cells[1] for cells in rows(lobby, "table")] == [""])
    mouse.click(find(found, "Close"))
    assert dialog(lobby) is None


def test_join_by_keys(
    lobby: LobbyStage,
    server: RealServer,
    others: Company,
    keyboard: Keyboard,
    pump: Pump,
) -> None:
    organise(others, name="Spring")
    summer = organise(others, name="Summer")
    lobby.enter(server.url)
    pump(lambda: find(lobby.root, "Tournaments ..."))
    find(lobby.root, "Tournaments ...").focus_set()
    keyboard.press("Return")
    found = opened(lobby)
    # The first one is chosen; the arrows choose another.
    order = [cells[0] for cells in rows(lobby, "contests")]
    keyboard.press("Down" if order.index("Summer") else "Up")
    pump(lambda: found.model.chosen == summer and found.model.state)
    keyboard.press("Return")
    pump(lambda: names(lobby) == ["Ann (you)"])
    assert [e.player for e in look(others, summer).entrants] == ["Ann"]
    # Enter joins, but never leaves.
    tree_of(lobby, "contests").focus_set()
    keyboard.press("Return")
    assert dialog(lobby) is found
    assert [e.state for e in look(others, summer).entrants] == ["in"]
    keyboard.press("Escape")
    assert dialog(lobby) is None


def test_a_refusal_is_said_in_the_servers_words(
    lobby: LobbyStage,
    server: RealServer,
    others: Company,
    mouse: Mouse,
    windows: Windows,
    shoot: Shoot,
) -> None:
    spring = organise(others, invited=("Ben", "Zoe"))
    lobby.enter(server.url)
    open_it(lobby, mouse)
    press(lobby, mouse, "confirm")
    windows.see("Ann is not invited to Spring.")
    assert said(lobby, "error") == "Ann is not invited to Spring."
    assert look(others, spring).entrants == ()
    assert enabled(lobby, "Join")
    for dark in (False, True):
        lobby.restyle(dark=dark, palette="classic")
        shoot(f"tournament-refused-{'dark' if dark else 'light'}", lobby.root)


def test_bots_only(
    lobby: LobbyStage, server: RealServer, others: Company, mouse: Mouse, keyboard: Keyboard
) -> None:
    spring = organise(others, people=False)
    lobby.enter(server.url)
    found = open_it(lobby, mouse)
    assert not enabled(lobby, "Join")
    assert "for bots only" in found.model.terms
    keyboard.press("Return")
    assert said(lobby, "error") == ""
    assert look(others, spring).entrants == ()


def test_it_is_brought_up_to_date(
    lobby: LobbyStage,
    server: RealServer,
    others: Company,
    mouse: Mouse,
    pump: Pump,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spring = organise(others)
    for name in ("Ben", "Zoe"):
        others.connect(name)
    lobby.enter(server.url)
    # An update of the lobby triggers a request long before the next regular one.
    monkeypatch.setattr(tournaments, "EVERY_S", 1e6)
    monkeypatch.setattr(tournaments, "SOON_S", 0.05)
    found = open_it(lobby, mouse)
    for number, name in enumerate(("Ben", "Zoe"), 1):
        others.ask(name, lambda client: client.tournaments.join(spring))
        pump(lambda number=number: names(lobby) == ["Ben", "Zoe"][:number])
    others.ask("Zoe", lambda client: client.tournaments.leave(spring))
    # The lobby's line stays the same, so only the next regular request shows the change.
    monkeypatch.setattr(tournaments, "EVERY_S", 0.1)
    pump(lambda: [cells[1] for cells in rows(lobby, "table")] == ["", "left"])
    others.ask(ORGANISER, lambda client: client.tournaments.end(spring))
    pump(lambda: [cells[-1] for cells in rows(lobby, "contests")] == ["called off"])
    assert found.model.progress == "Ended before its time, after 0 games"
    assert not enabled(lobby, "Join")


def test_one_question_at_a_time_and_none_of_a_closed_dialog(
    lobby: LobbyStage,
    server: RealServer,
    others: Company,
    mouse: Mouse,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    organise(others)
    lobby.enter(server.url)
    found = open_it(lobby, mouse)
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(lobby.context.network, "ask", lambda *request: asked.append(request))
    found.model.hurry()
    for _ in range(3):
        found.tick(10_000.0)
    assert len(asked) == 1
    found.close()
    _, _, done, failed = asked[0]
    done(found.model.state)  # a late answer has no effect
    failed(None)


def test_joining_that_was_given_up_is_taken_back(
    lobby: LobbyStage,
    server: RealServer,
    others: Company,
    mouse: Mouse,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spring = organise(others)
    lobby.enter(server.url)
    found = open_it(lobby, mouse)
    cancel = find(found, name="cancel", kind=ttk.Button)
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(lobby.context.network, "ask", lambda *request: asked.append(request))
    found.confirm()
    assert (found.working, cancel.cget("text")) == (True, "Cancel")
    found.cancel()
    assert (found.working, cancel.cget("text")) == (False, "Close")
    _, _, joined, _ = asked[0]
    joined(found.model.state)  # the answer still arrives
    client = Mock()
    asked[-1][1](client)
    client.tournaments.leave.assert_called_once_with(spring)


def test_the_start_and_the_end_are_told_in_the_lobby(
    lobby: LobbyStage, server: RealServer, others: Company, windows: Windows, mouse: Mouse
) -> None:
    spring = organise(others)
    lobby.enter(server.url)
    open_it(lobby, mouse)
    press(lobby, mouse, "confirm")
    others.connect("Ben")
    others.ask("Ben", lambda client: client.tournaments.join(spring))
    press(lobby, mouse, "cancel")
    start(others, spring)
    windows.see("The tournament Spring has started. Your games come by themselves.")
    others.ask(
        ORGANISER,
        lambda client: client.tournaments.set_aside(spring, "Ann", "did not answer the bell"),
    )
    windows.see("You were set aside in the tournament Spring: did not answer the bell.")
    assert note(lobby)


@pytest.mark.parametrize("geometry", ["1024x720+0+0", "560x420+0+0"])
def test_a_full_table_looks_well(
    geometry: str,
    windows: Windows,
    tmp_path: Path,
    server: RealServer,
    others: Company,
    mouse: Mouse,
    shoot: Shoot,
    pump: Pump,
) -> None:
    stage = LobbyStage(windows, tmp_path / "home", geometry)
    try:
        spring = organise(
            others,
            name="The spring championship of the northern counties",
            format="swiss",
            rounds=5,
            invited=("Ann", "Maximilian the Third of Nowhere", "Ben", "Robo", "Cid"),
            late=True,
        )
        organise(others, name="Ladder", format="ladder", people=False)
        for name in ("Maximilian the Third of Nowhere", "Ben", "Cid"):
            others.connect(name)
            others.ask(name, lambda client: client.tournaments.join(spring))
        others.connect("Robo", engine="greedy")
        others.ask("Robo", lambda client: client.tournaments.join(spring, at_once=3))
        others.ask(
            ORGANISER, lambda c: c.tournaments.set_aside(spring, "Ben", "the organiser says so")
        )
        stage.enter(server.url)
        windows.pump(lambda: find(stage.root, "Tournaments ..."))
        # Such long names do not fit into the card; a low window only counts.
        low = geometry.startswith("560x420")
        windows.see("0 games, 2 tournaments" if low else "2 tournaments are open or running.")
        shoot(f"tournament-line-{geometry[:3]}", stage.root)
        mouse.click(find(stage.root, "Tournaments ..."))
        pump(lambda: len(rows(stage, "contests")) == 2)
        mouse.click_row(tree_of(stage, "contests"), spring)
        pump(lambda: len(rows(stage, "table")) == 4)
        mouse.click_row(tree_of(stage, "table"), "Ben")
        windows.see("Ben was set aside (the organiser says so).")
        found = dialog(stage)
        assert found is not None
        for dark in (False, True):
            stage.restyle(dark=dark, palette="classic")
            shoot(f"tournament-full-{geometry[:3]}-{'dark' if dark else 'light'}", stage.root)
        assert found.winfo_rooty() + found.winfo_height() <= found.winfo_screenheight()
        shoot(f"tournament-full-{geometry[:3]}-dialog", found)  # type: ignore[arg-type]
    finally:
        stage.close()
