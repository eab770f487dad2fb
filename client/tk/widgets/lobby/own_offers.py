"""List this player's own open offers and rooms above the lists of the lobby."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Final

from client.tk.models.lobby.model import OwnLine
from client.tk.models.look import Look
from client.tk.widgets.buttons import BarButton
from client.tk.widgets.labels import fitted

SHOWN: Final = 3
"""Maximum number of lines; one more line counts the rest."""
SHOWN_LOW: Final = 1
"""Maximum number of lines in a low window."""


class OwnOffers(tk.Frame):
    """Shows a line with buttons per entry. `on_return` opens a room, `on_cancel` cancels an offer
    or closes a room that waits for an opponent."""

    def __init__(
        self,
        parent: tk.Misc,
        look: Look,
        *,
        on_return: Callable[[OwnLine], None],
        on_cancel: Callable[[OwnLine], None],
    ) -> None:
        super().__init__(parent, name="own")
        self._look = look
        self._on_return = on_return
        self._on_cancel = on_cancel
        self._lines: tuple[OwnLine, ...] = ()
        self._most = SHOWN
        self.columnconfigure(0, weight=1)
        self._build()

    def show(self, lines: tuple[OwnLine, ...]) -> None:
        """Show these lines, the most important first."""
        if lines != self._lines:
            self._lines = lines
            self._build()

    def limit(self, *, low: bool) -> None:
        """Show fewer lines where the window is `low`."""
        most = SHOWN_LOW if low else SHOWN
        if most != self._most:
            self._most = most
            self._build()

    def restyle(self, look: Look) -> None:
        """Apply the current theme."""
        self._look = look
        self._build()

    def _build(self) -> None:
        focus = str(self.tk.call("focus"))
        focused = focus.startswith(f"{self}.")
        for child in self.winfo_children():
            child.destroy()
        look = self._look
        if not self._lines:
            self.grid_remove()
            return
        self.configure(background=look.banner)
        self.grid()
        for row, line in enumerate(self._lines[: self._most]):
            self._label(row, line.text)
            if line.kind == "waiting":
                button = BarButton(self, look, "Go there", lambda line=line: self._on_return(line))  # type: ignore[misc]
                button.grid(row=row, column=1, padx=(8, 0), pady=4)
            button = BarButton(self, look, "Cancel", lambda line=line: self._on_cancel(line))  # type: ignore[misc]
            button.grid(row=row, column=2, padx=8, pady=4)
        more = len(self._lines) - self._most
        if more > 0:
            self._label(self._most, f"and {more} more")
        if focused:
            # The button that had the focus was destroyed: focus the first of the new ones.
            for child in self.winfo_children():
                if isinstance(child, tk.Button):
                    child.focus_set()
                    break

    def _label(self, row: int, text: str) -> None:
        label = tk.Label(
            self,
            text=text,
            background=self._look.banner,
            foreground=self._look.banner_text,
            anchor="w",
            padx=12,
            pady=4,
            width=1,  # request no width: the label uses the available space
        )
        font = str(label.cget("font"))

        def fit(event: tk.Event[tk.Misc]) -> None:
            label.configure(text=fitted(self, font, text, event.width - 24))

        label.bind("<Configure>", fit)
        label.grid(row=row, column=0, sticky="ew")
