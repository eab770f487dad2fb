"""Compare the places of buttons that stand beside or below each other."""

from __future__ import annotations

import tkinter as tk
from collections import Counter
from collections.abc import Iterator
from tkinter import ttk

import pytest

from doublecross.client.tk import theme
from doublecross.client.tk.app import least_size
from doublecross.client.tk.screens.lobby.screen import LobbyScreen
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, find_all, widgets
from tests.client.tk.harness.scenes import LONG, SCENES, a_room, game, lobby, offer, waiting_room
from tests.client.tk.harness.staging import Stage
from tests.client.tk.harness.windows import Windows
from tests.client.tk.screens.test_text_fits import clear, scaled, scripted

__all__ = ["scripted"]

Box = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""


def box(widget: tk.Misc) -> Box:
    return (
        *(widget.winfo_rootx(), widget.winfo_rooty()),
        *(widget.winfo_width(), widget.winfo_height()),
    )


def right(widget: tk.Misc) -> int:
    return widget.winfo_rootx() + widget.winfo_width()


def buttons(parent: tk.Misc) -> list[Box]:
    """Return the boxes of all visible buttons in `parent`, from top to bottom, left to right."""
    found = [box(each) for each in widgets(parent) if isinstance(each, tk.Button | ttk.Button)]
    return sorted(found, key=lambda each: (each[1], each[0]))


def check_grid(found: list[Box]) -> None:
    """Check that buttons form rows and columns: equal heights, common lefts and rights."""
    assert len({height for *_, height in found}) == 1, found
    rows: dict[int, list[Box]] = {}
    for each in found:
        rows.setdefault(each[1], []).append(each)
    widest = max(rows.values(), key=len)
    lefts = {left for left, *_ in widest}
    rights = {left + width for left, _, width, _ in widest}
    for left, _, width, _ in found:
        assert left in lefts, found
        assert left + width in rights, found


def sizes(stage: Stage, windows: Windows) -> Iterator[int]:
    """Show the window in several widths, one after the other."""
    least, height = least_size(stage.root)
    for width in sorted({max(width, least) for width in (560, 680, 1024)}):
        stage.root.geometry(f"{width}x{max(height, theme.scaled(stage.root, 720))}+0+0")
        windows.pump(lambda width=width: stage.root.winfo_width() == width)
        windows.settle()
        yield width


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_buttons_of_own_offers(scripted: Stage, ui: Ui, scale: float) -> None:
    scaled(scripted.context, scale)
    offers = (offer(1, "perfect"), offer(2, LONG))
    for room in (None, waiting_room()):
        clear(scripted)
        screen = lobby(scripted, offers=offers, room=room)
        assert isinstance(screen, LobbyScreen)
        for _ in sizes(scripted, ui):
            own = find(screen, name="own")
            found = buttons(own)
            assert len(found) == (2 if room is None else 3)
            check_grid(found)
            if room is not None:
                continue  # the scrollbar stands beside them
            edges = {right(find(screen, name=name)) for name in ("leave", "tournament_card")}
            assert edges == {max(left + width for left, _, width, _ in found)}
            assert right(find(screen, name="open_record")) in edges


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_buttons_in_the_strip(scripted: Stage, ui: Ui, scale: float) -> None:
    scaled(scripted.context, scale)
    edges: dict[int, set[int]] = {}
    for name in (
        *("connection lost", "challenged", "challenged in a match", "asked about two matches"),
        *("a tournament game waits", "news"),
    ):
        clear(scripted)
        SCENES["reviews, strip"][name](scripted)
        for width in sizes(scripted, ui):
            found = buttons(find(scripted.root, name="strip"))
            assert found, name
            # In a narrow window the two buttons of a bar are one below the other.
            stacks = Counter((left, size) for left, _, size, _ in found)
            row = {(top, height) for left, top, size, height in found if stacks[left, size] == 1}
            assert len(row) <= 1, name
            assert width < 1000 or len(stacks) == len(found), name
            last = max(left + size for left, _, size, _ in found)
            edges.setdefault(width, set()).add(last)
    assert all(len(found) == 1 for found in edges.values()), edges


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_buttons_of_a_room(scripted: Stage, ui: Ui, scale: float) -> None:
    scaled(scripted.context, scale)
    for snapshot, name in ((a_room(), "hint"), (a_room(over=True), "rematch")):
        clear(scripted)
        screen = game(scripted, snapshot)
        for _ in sizes(scripted, ui):
            (button,) = find_all(screen, name=name)
            assert button.master is not None
            check_grid(buttons(button.master))
