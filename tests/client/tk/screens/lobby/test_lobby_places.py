"""Nothing that one clicks moves in the lobby, and no click gets lost or goes to another line."""

from __future__ import annotations

from dataclasses import replace
from tkinter import ttk
from typing import Any

import pytest

from doublecross.client.tk.models.snapshots import OffersSnapshot, OpenOffer
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.screens.lobby.screen import LobbyScreen
from tests.client.tk.harness.driver import Ui, Windows
from tests.client.tk.harness.inspecting import find_all
from tests.client.tk.harness.lobbying import USUAL, LobbyStage
from tests.client.tk.models.contests import line as tournament
from tests.client.tk.screens.lobby.test_lobby_lists import Script, script

__all__ = ["script"]


def offers(*others: str | None) -> OffersSnapshot:
    found = (OpenOffer(f"o-{other}", True, other, USUAL) for other in others)
    return OffersSnapshot(ME, tuple(found))


def put(lobby: LobbyStage, snapshot: OffersSnapshot, windows: Windows) -> None:
    lobby.context.latest.take(snapshot)
    assert lobby.screen is not None
    lobby.screen.take(snapshot)
    windows.settle()


@pytest.mark.parametrize("geometry", ["1024x720+0+0", "680x560+0+0", "560x416+0+0"])
def test_nothing_moves(lobby: LobbyStage, script: Script, ui: Ui, geometry: str) -> None:
    lobby.root.geometry(geometry)
    screen = lobby.enter(script.empty())
    ui.settle()

    def places() -> dict[str, tuple[int, ...]]:
        found: list[Any] = find_all(screen, kind=ttk.Button)
        return {
            str(w): (w.winfo_rootx(), w.winfo_rooty(), w.winfo_width(), w.winfo_height())
            for w in found
        }

    before = places()
    put(lobby, offers("Bob", "Cid", "Dora"), ui)
    screen._show_message("Zoe declined your challenge. I play with a clock of 30 s at most.")
    latest = lobby.context.latest
    assert latest.lobby is not None
    latest.take(replace(latest.lobby, tournaments=(tournament("t1"),)))
    screen._other.tournaments.show()
    ui.settle()
    after = places()
    assert {path: after[path] for path in before} == before


def test_a_click_belongs_to_the_line_on_which_it_began(
    lobby: LobbyStage, script: Script, ui: Ui
) -> None:
    screen = lobby.enter(script.empty())
    assert isinstance(screen, LobbyScreen)
    cancelled: list[str] = []
    screen._own_offers._on_more = lambda thing: cancelled.append(thing.key)
    put(lobby, offers("Bob", "Cid"), ui)
    first, second = find_all(screen, "Cancel", kind=ttk.Button)
    ui.mouse.move(second)
    ui.mouse.press()
    ui.settle()
    put(lobby, offers("Dora", "Bob", "Cid"), ui)  # a new line in the middle of a click
    ui.mouse.release()
    ui.settle()
    assert cancelled == ["o-Cid"]
    ui.mouse.move(first)
    ui.mouse.press()
    ui.settle()
    put(lobby, offers("Dora", "Cid"), ui)  # the line of the button has gone
    ui.mouse.release()
    ui.settle()
    assert cancelled == ["o-Cid"]
