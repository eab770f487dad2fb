"""Helpers that read the lobby's dialogs, fill in their fields and press their buttons."""

from __future__ import annotations

from tkinter import ttk
from typing import Any

from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.widgets.dialog import Dialog
from tests.client.tk.harness.driver import Keyboard, Mouse
from tests.client.tk.harness.inspecting import find, find_all
from tests.client.tk.harness.lobbying import LobbyStage, entry


def dialog(stage: LobbyStage) -> Dialog | None:
    found = find_all(stage.root, kind=Dialog)
    assert len(found) <= 1
    return found[0] if found else None


def said(stage: LobbyStage, name: str) -> str:
    """Return the text of a label of the dialog; empty if it is not visible."""
    opened = dialog(stage)
    if opened is None:
        return ""
    label = find(opened, name=name, kind=ttk.Label, hidden=True)
    return str(label.cget("text")) if label.winfo_viewable() else ""


def text(stage: LobbyStage, name: str) -> str:
    opened = dialog(stage)
    assert opened is not None
    return find(opened, name=name, kind=ttk.Entry).get()


def fill(stage: LobbyStage, keyboard: Keyboard, **fields: str) -> None:
    """Replace the contents of fields of the dialog."""
    opened = dialog(stage)
    assert opened is not None
    for name, value in fields.items():
        find(opened, name=name, kind=ttk.Entry).focus_set()
        keyboard.press("ctrl+slash")  # Tk's shortcut for Select All on X
        keyboard.press("BackSpace")
        keyboard.type(value)


def press(stage: LobbyStage, mouse: Mouse, name: str) -> None:
    opened = dialog(stage)
    mouse.click(find(opened or stage.root, name=name, kind=ttk.Button))


def choose(stage: LobbyStage, mouse: Mouse, name: str, value: str) -> None:
    opened = dialog(stage)
    assert opened is not None
    mouse.choose(find(opened, name=name, kind=ttk.Combobox), value)


def start(stage: LobbyStage, mouse: Mouse, who: str) -> None:
    opened = dialog(stage)
    assert opened is not None
    mouse.click(find(opened, name=who, kind=ttk.Radiobutton))


def focused(stage: LobbyStage) -> str:
    focus = stage.root.focus_get()
    return "" if focus is None else focus.winfo_name()


def bots(stage: LobbyStage) -> ttk.Treeview:
    opened = dialog(stage)
    assert opened is not None
    return find(opened, name="bots", kind=ttk.Treeview)


def here(stage: LobbyStage) -> list[str]:
    lobby = stage.context.latest.lobby
    return [] if lobby is None else [player.name for player in lobby.players]


def room_of(stage: LobbyStage, room: str, who: str = ME) -> Any:
    return stage.context.latest.rooms[who, room]


def challenge(stage: LobbyStage, mouse: Mouse, name: str) -> None:
    stage.windows.pump(lambda: name in here(stage))
    mouse.click(entry(stage, "people"))
