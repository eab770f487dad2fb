"""Buttons that respond to Enter, switches, and what else inputs have in common."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from doublecross.client.tk.models.colours import Colours
from doublecross.games.colours import mix


def bind_enter(widget: tk.Misc, act: Callable[[tk.Event[tk.Misc]], object]) -> None:
    """Run `act` for both Enter keys."""
    for key in ("<Return>", "<KP_Enter>"):
        widget.bind(key, act)


def enter_button(
    parent: tk.Misc, name: str, text: str, command: Callable[[], object]
) -> ttk.Button:
    """Return a themed button that responds to Enter as well as to the space bar."""
    button = ttk.Button(parent, name=name, text=text, command=command)
    bind_enter(button, lambda _: button.invoke())
    return button


def watch_text(entry: ttk.Entry, edited: Callable[[], object]) -> None:
    """Call `edited` before each change of the text of `entry`."""

    def allow() -> bool:
        edited()
        return True

    # No Tk variable: the garbage collector may delete one in the network's thread, where calling Tk
    # is not allowed.
    entry.configure(validate="key", validatecommand=(entry.register(allow),))


def switch_button(
    parent: tk.Misc, name: str, text: str, command: Callable[[], object] | None = None
) -> ttk.Checkbutton:
    """Return a switch that is off; `set_switch` and `is_on` set and read it."""
    switch = ttk.Checkbutton(
        parent, name=name, text=text, style="Switch.TCheckbutton", command=command or ""
    )
    # Without a variable ttk starts it in the undecided state "alternate".
    switch.state(["!alternate"])
    return switch


def set_switch(switch: ttk.Checkbutton, *, on: bool) -> None:
    """Turn a switch on or off, without running its command."""
    switch.state(["selected" if on else "!selected"])


def is_on(switch: ttk.Checkbutton) -> bool:
    """Return whether a switch is on."""
    return bool(switch.instate(["selected"]))


class BarButton(tk.Button):
    """A flat button in the colours of a bar."""

    def __init__(
        self,
        parent: tk.Misc,
        colours: Colours,
        text: str,
        command: Callable[[], None],
        *,
        name: str = "",
    ) -> None:
        super().__init__(
            parent,
            name=name,
            text=text,
            command=command,
            highlightthickness=2,
            relief="flat",
            borderwidth=0,
            padx=10,
            pady=2,
        )
        self.restyle(colours)
        self.bind("<Return>", lambda _: self.invoke())

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self.configure(
            background=colours.banner,
            foreground=colours.banner_text,
            activebackground=colours.banner_text,
            activeforeground=colours.banner,
            highlightbackground=mix(colours.banner_text, colours.banner, 0.3),
            highlightcolor=colours.banner_text,
        )
