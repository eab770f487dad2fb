"""The fields of a new password, the page on which a guest sets one, and the dialog to change it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from tkinter import ttk
from typing import Final

from doublecross.client.core.accounts import AccountInfo
from doublecross.client.language import tr
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.models.account_passwords import (
    PasswordField,
    password_problems,
    refused_field,
)
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.dialog import LEAST_PX, Dialog, set_enabled
from doublecross.client.tk.widgets.field import TextField
from doublecross.client.tk.widgets.labels import WrappedLabel

_CAPTIONS: Final = {
    PasswordField.CURRENT: tr("Present password"),
    PasswordField.PASSWORD: tr("New password"),
    PasswordField.AGAIN: tr("The new one again"),
}
_GAP_PX: Final = 16
_FIELD_PX: Final = 220
_PAGE_PX: Final = 2 * _FIELD_PX + _GAP_PX


class PasswordFields(ttk.Frame):
    """The fields for a new password, and with `current` one for the present password.

    They stand below each other, or beside each other with `beside`; problems wrap at `width`
    pixels.
    """

    def __init__(self, parent: tk.Misc, *, current: bool, width: int, beside: bool = False) -> None:
        super().__init__(parent)
        self._fields: dict[PasswordField, TextField] = {}
        names = [name for name in PasswordField if current or name != PasswordField.CURRENT]
        for number, name in enumerate(names):
            field = self._fields[name] = TextField(self, name, _CAPTIONS[name], "", width=width)
            field.entry.configure(show="•")
            row, column = (0, number) if beside else (number, 0)
            left = scaled(self, _GAP_PX) if column else 0
            field.grid(row=row, column=column, sticky="new", padx=(left, 0), pady=(0, 10))
            self.columnconfigure(column, weight=1, uniform="fields")

    @property
    def first(self) -> ttk.Entry:
        """The first field."""
        return next(iter(self._fields.values())).entry

    @property
    def password(self) -> str:
        """The new password."""
        return self._fields[PasswordField.PASSWORD].text

    @property
    def current(self) -> str | None:
        """The present password, or None if it is not asked for."""
        field = self._fields.get(PasswordField.CURRENT)
        return None if field is None else field.text

    def check(self) -> bool:
        """Show what is wrong with the fields; return whether nothing is."""
        again = self._fields[PasswordField.AGAIN].text
        problems = password_problems(self.password, again, self.current)
        self.show(problems)
        return not problems

    def refuse(self, refusal: Refusal) -> bool:
        """Show a refusal at the field that it is about; return whether there is one."""
        field = refused_field(refusal.code)
        if field not in self._fields:
            return False
        self.show({field: refusal.sentence})
        return True

    def show(self, problems: Mapping[PasswordField, str]) -> None:
        """Show problems at their fields, and focus the first of these."""
        for name, field in reversed(self._fields.items()):
            field.show(problems.get(name, ""))
            if name in problems:
                field.entry.focus_set()
                field.entry.selection_range(0, "end")


class GuestPage(ttk.Frame):
    """Says what an account gives, and lets a guest set a password.

    `on_done` is called with the account when the server has stored the password.
    """

    def __init__(
        self, parent: tk.Misc, context: Context, *, on_done: Callable[[AccountInfo], None]
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._on_done = on_done
        self._working = False
        width = scaled(self, _PAGE_PX)
        self.columnconfigure((0, 2), weight=1)
        self.columnconfigure(1, minsize=width)
        name = context.player_name
        texts = (
            ("TLabel", tr("You play as a guest: only this computer can be {name}.", name=name)),
            ("TLabel", tr("With a password you have an account, and can")),
            ("Dim.TLabel", tr("• be {name} on other computers and in browsers, too", name=name)),
            ("Dim.TLabel", tr("• come back when the files of this computer are lost")),
            ("Dim.TLabel", tr("• see where you are logged in, and end logins")),
            ("Dim.TLabel", tr("• make tokens for programs, and run bots")),
        )
        for row, (style, text) in enumerate(texts):
            label = WrappedLabel(self, text, name=f"text{row}", style=style)
            label.grid(row=row, column=1, sticky="ew", pady=(0, 4))
        self._fields = PasswordFields(
            self, current=False, width=scaled(self, _FIELD_PX), beside=True
        )
        self._fields.grid(row=len(texts), column=1, sticky="ew", pady=(14, 0))
        foot = ttk.Frame(self)
        foot.grid(row=len(texts) + 1, column=1, sticky="ew", pady=(6, 0))
        foot.columnconfigure(0, weight=1)
        self._line = WrappedLabel(foot, "", name="problem", style="Error.TLabel")
        self._line.grid(row=0, column=0, sticky="ew", padx=(0, 12))
        self._button = enter_button(foot, "set_password", tr("Set the password"), self.confirm)
        self._button.configure(style="Accent.TButton")
        self._button.grid(row=0, column=1)
        for key in ("<Return>", "<KP_Enter>"):
            for field in self._fields.winfo_children():
                for entry in field.winfo_children():
                    entry.bind(key, lambda _: self.confirm())

    def focus_first(self) -> None:
        """Focus the first field."""
        self._fields.first.focus_set()

    def confirm(self) -> None:
        """Set the password."""
        if self._working or not self._fields.check():
            return
        self._work(tr("Setting the password ..."))
        password = self._fields.password
        self._context.network.ask(
            ME,
            lambda client: client.account.set_password(password),
            self._stored,
            self._refused,
        )

    def _stored(self, account: AccountInfo) -> None:
        if self.winfo_exists():
            self._on_done(account)

    def _refused(self, refusal: Refusal) -> None:
        if not self.winfo_exists():
            return
        self._work("")
        if not self._fields.refuse(refusal):
            self._line.configure(text=refusal.sentence)
            self._button.focus_set()

    def _work(self, doing: str) -> None:
        """Show what is being done and disable the fields; an empty text enables them again."""
        self._working = bool(doing)
        self._line.configure(text=doing, style="Dim.TLabel" if doing else "Error.TLabel")
        set_enabled(self._fields, enabled=not doing)
        self._button.state(["disabled" if doing else "!disabled"])


class PasswordDialog(Dialog):
    """Changes the password of an account; `on_done` is called with the account.

    `current` says whether there is one to ask for.
    """

    def __init__(
        self, screen: Screen, *, current: bool, on_done: Callable[[AccountInfo], None]
    ) -> None:
        super().__init__(
            screen, name="password_dialog", title=tr("Change the password"), action=tr("Change")
        )
        self._on_done = on_done
        width = scaled(self, LEAST_PX)
        self.body.columnconfigure(0, weight=1, minsize=width)
        about = tr("All your other logins end. Your API tokens and bots go on.")
        WrappedLabel(self.body, about, name="about").grid(sticky="ew", pady=(0, 12))
        self._fields = PasswordFields(self.body, current=current, width=width)
        self._fields.grid(sticky="ew")
        self.appear(self._fields.first)

    def confirm(self) -> None:
        """Change the password."""
        if not self._fields.check():
            return
        password, current = self._fields.password, self._fields.current
        self.begin(tr("Changing the password ..."))
        self.ask(ME, lambda client: client.account.set_password(password, current), self._done)

    def refused(self, refusal: Refusal) -> None:
        """Show the reason at the field that it is about."""
        about_field = refused_field(refusal.code) is not None
        self.end_attempt("" if about_field else refusal.sentence)
        self._fields.refuse(refusal)

    def _done(self, account: AccountInfo) -> None:
        self.working = False
        self.close()
        self._on_done(account)
