"""The button whose menu says a phrase to the opponent, or mutes those of others."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.room.phrases import phrase_words
from doublecross.client.tk.widgets.buttons import bind_enter
from doublecross.protocol.client_messages import Phrase

_MUTED: Final = "doublecross_muted"


class PhraseButton(ttk.Menubutton):
    """Runs `say` with the chosen phrase, and `mute` when its switch changes."""

    def __init__(
        self, parent: tk.Misc, say: Callable[[Phrase], None], mute: Callable[[bool], None]
    ) -> None:
        super().__init__(parent, name="phrases", text=tr("Phrases"))
        menu = self._menu = tk.Menu(self, name="menu", tearoff=False)
        for phrase, text in phrase_words().items():
            menu.add_command(label=text, command=partial(say, phrase))
        self._phrases = menu.index("end") or 0
        menu.add_separator()
        # A Tcl variable by name, not a `tk.Variable`; see `doublecross.client.tk.widgets.settings`.
        menu.add_checkbutton(
            label=tr("Mute phrases in this room"),
            variable=_MUTED,  # type: ignore[arg-type]
            command=lambda: mute(self.getvar(_MUTED) in (1, "1", True)),
        )
        self.configure(menu=menu)
        self._speaks = True
        bind_enter(self, lambda _: self.event_generate("<space>"))

    def show(self, *, speaks: bool, muted: bool) -> None:
        """Allow the phrases if this person `speaks` here, and set the switch."""
        self.setvar(_MUTED, str(int(muted)))
        if speaks != self._speaks:
            self._speaks = speaks
            for index in range(self._phrases + 1):
                self._menu.entryconfigure(index, state="normal" if speaks else "disabled")
