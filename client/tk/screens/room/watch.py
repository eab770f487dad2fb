"""The controls of a spectator: pause, from the start, and the speed."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk

from doublecross.client.language import tr
from doublecross.client.tk.models.room.playback import Playback
from doublecross.client.tk.screens.room.commands import ButtonName, RoomCommands
from doublecross.client.tk.widgets.board.cards import CardButton, Choices
from doublecross.client.tk.widgets.pace import PaceMenu


class WatchControls(ttk.Frame):
    """Runs `commands` for a spectator. The bar for earlier positions has the steps."""

    def __init__(self, parent: tk.Misc, commands: RoomCommands) -> None:
        super().__init__(parent, name="watch")
        self.columnconfigure(0, weight=1)
        self.buttons = Choices(
            self, {ButtonName.PAUSE: commands.pause, ButtonName.RESTART: commands.restart}
        )
        self.buttons.grid(row=0, column=0, sticky="ew")
        self.pace = PaceMenu(self, tr("As they come"), on_pace=commands.pace)
        self.pace.grid(row=1, column=0, sticky="ew", pady=(6, 0))

    def compact(self, compact: bool) -> None:
        """Use less vertical space if `compact`."""
        self.buttons.compact(compact)
        self.pace.configure(padding=(8, 0) if compact else "")
        self.pace.grid_configure(pady=(4 if compact else 6, 0))

    def show(self, playback: Playback) -> None:
        """Show what the buttons do now, and the speed."""
        self.buttons.show(
            (
                CardButton(
                    ButtonName.PAUSE, tr("playback|Play") if playback.still else tr("Pause")
                ),
                CardButton(ButtonName.RESTART, tr("From the start")),
            )
        )
        self.pace.show(playback.pace)
