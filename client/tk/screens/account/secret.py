"""The dialog that shows the secret of a new token, once."""

from __future__ import annotations

from tkinter import ttk

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.dialog import LEAST_PX, Dialog
from doublecross.client.tk.widgets.labels import WrappedLabel


class SecretDialog(Dialog):
    """Shows `secret`, the token of `player`, with a button that copies it."""

    def __init__(self, screen: Screen, *, player: str, secret: str) -> None:
        super().__init__(
            screen, name="secret", title=tr("The token of {name}", name=player), action=tr("Copy")
        )
        self._secret = secret
        self._cancel.configure(text=tr("Close"))
        self.body.columnconfigure(0, weight=1, minsize=scaled(self, LEAST_PX))
        about = tr(
            "Nobody can see this token again, so copy it now. "
            "Keep it like a password: whoever has it can do what it allows."
        )
        WrappedLabel(self.body, about, name="about").grid(sticky="ew")
        self._field = ttk.Entry(self.body, name="token")
        self._field.insert(0, secret)
        self._field.state(["readonly"])
        self._field.grid(sticky="ew", pady=(12, 0))
        self._line = ttk.Label(self.body, name="copied", style="Good.TLabel")
        self._line.grid(sticky="w", pady=(6, 0))
        self.appear(self._field)
        self._field.selection_range(0, "end")

    def confirm(self) -> None:
        """Copy the token to the clipboard; the dialog stays open."""
        self.clipboard_clear()
        self.clipboard_append(self._secret)
        self._line.configure(text=tr("Copied."))
        self._cancel.focus_set()
