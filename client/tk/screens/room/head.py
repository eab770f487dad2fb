"""The top row of a room's screen: the way to the lobby, the match, sound and full screen."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.room.parts import RoomParts
from doublecross.client.tk.models.words import from_move, game_line, time_line
from doublecross.client.tk.screens.room.commands import RoomCommands
from doublecross.client.tk.theme import HEADLINE, STRONG
from doublecross.client.tk.widgets.buttons import enter_button, switch_button
from doublecross.client.tk.widgets.labels import FittedLabel

_PAD: Final = 16


class RoomHead(ttk.Frame):
    """Shows the match of `parts` between buttons that run `commands`."""

    def __init__(self, parent: tk.Misc, parts: RoomParts, commands: RoomCommands) -> None:
        super().__init__(parent)
        self._parts = parts
        self.columnconfigure(1, weight=1)
        back = enter_button(self, "back", tr("‹ Lobby"), commands.back)
        back.grid(row=0, column=0, rowspan=2, padx=(0, _PAD))
        self.title = FittedLabel(self, "", style="Heading.TLabel", name="title")
        self.title.grid(row=0, column=1, sticky="ew")
        self.about = FittedLabel(self, "", style="Dim.TLabel", name="about")
        self.about.grid(row=1, column=1, sticky="ew")
        self.sound = switch_button(self, "sound", tr("Sound"), commands.sound)
        self.sound.grid(row=0, column=2, rowspan=2, padx=(_PAD, 0))
        full_screen = enter_button(self, "full_screen", tr("Full screen"), commands.full_screen)
        full_screen.grid(row=0, column=3, rowspan=2, padx=(12, 0))

    def show(self) -> None:
        """Show the current match: game, time, stakes and spectators."""
        snapshot, text = self._parts.model.snapshot, self._parts.text
        self.title.set_text(game_line(snapshot.settings))
        about = [time_line(snapshot.time), text.worth]
        if snapshot.opening:
            about.append(tr("from an opening"))
        if snapshot.start:
            about.append(from_move(snapshot.start))
        long = (*about, *filter(None, (text.watching_line,)))
        self.about.set_text(" · ".join(long), " · ".join(about))

    def fit(self, *, narrow: bool, compact: bool) -> None:
        """Take less space in a `narrow` or a low (`compact`) window."""
        self.title.set_font(STRONG if narrow else HEADLINE)
        self.grid_configure(pady=(0, 4) if compact else (4, 6))
