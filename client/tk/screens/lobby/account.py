"""The button *Account*: its menu opens the page of the account, or ends the login of the window.

The server ends the connection of whoever logs out, which can be known before its answer. Both lead
to the start screen with the same sentence.
"""

from __future__ import annotations

import tkinter as tk
from functools import partial
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.joining import HERE
from doublecross.client.tk.models.pages import Page
from doublecross.client.tk.models.snapshots import LinkSnapshot
from doublecross.client.tk.network.account import guest_token, log_out
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.screens.lobby.requests import ShowMessage
from doublecross.client.tk.widgets.buttons import bind_enter
from doublecross.client.tokens import TokenFile

_HOW_TO_KEEP: Final = tr(
    "Your token is in the clipboard. Log in with it on the page, set a password, "
    "then join here again."
)
_GOODBYE: Final = tr("You are logged out. Log in again, or join under another name.")


class AccountButton(ttk.Menubutton):
    """Opens the menu; `show_message` says why the person cannot log out."""

    def __init__(self, parent: tk.Misc, context: Context, show_message: ShowMessage) -> None:
        title = tr("Account")
        # The arrow would touch the text: a negative width is the least one.
        super().__init__(parent, name="account", text=title, width=-len(title) - 2)
        self._context = context
        self._show_message = show_message
        self._leaving = False
        navigation = context.navigation
        menu = tk.Menu(self, name="menu", tearoff=False)
        menu.add_command(
            label=tr("Open in the browser"), command=lambda: navigation.to_page(Page.ACCOUNT)
        )
        menu.add_command(label=tr("Keep this name ..."), command=self.keep_name)
        menu.add_command(label=tr("Log out"), command=self.log_out)
        self.configure(menu=menu)
        bind_enter(self, lambda _: self.event_generate("<space>"))

    def take(self, link: LinkSnapshot) -> None:
        """Handle a change of the person's connection."""
        if link.state == "ended":
            self._say_goodbye()

    def log_out(self) -> None:
        """End the login of this window and forget its token; show the start screen."""
        if self._leaving:
            return
        self._leaving = True
        self._context.network.ask(
            ME, partial(log_out, file=self._file), lambda _: self._say_goodbye(), self._stay
        )

    def keep_name(self) -> None:
        """Let a guest set a password for the name on the page of the account.

        The page is another client, so it needs the token. The clipboard passes it on: an address
        would show it to other programs, and the browser would remember it.
        """

        def open_page(token: str) -> None:
            if self.winfo_exists():
                self.clipboard_clear()
                self.clipboard_append(token)
                self._show_message(_HOW_TO_KEEP, good=True)
                self._context.navigation.to_page(Page.ACCOUNT)

        self._context.network.ask(ME, partial(guest_token, file=self._file), open_page, self._stay)

    @property
    def _file(self) -> TokenFile:
        latest = self._context.latest
        server = HERE if latest.here else latest.server
        return self._context.home.token_file(server, self._context.player_name)

    def _say_goodbye(self) -> None:
        if self._leaving and self.winfo_exists():
            self._leaving = False
            self._context.navigation.to_start(_GOODBYE, log_in=True)

    def _stay(self, refusal: Refusal) -> None:
        if self.winfo_exists():
            self._leaving = False
            self._show_message(refusal.sentence)
