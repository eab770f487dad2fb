"""The dialog that makes an API token."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from tkinter import ttk

from doublecross.client.core.accounts import AccountInfo, IssuedToken
from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.account_tokens import (
    MOST_DAYS,
    SCOPES,
    USUAL_DAYS,
    NewToken,
    TokenField,
    scopes_for,
)
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.buttons import is_on, set_switch, switch_button
from doublecross.client.tk.widgets.dialog import LEAST_PX, Dialog
from doublecross.client.tk.widgets.field import TextField
from doublecross.client.tk.widgets.visible import set_visible


class NewTokenDialog(Dialog):
    """Asks whose token it is, what it is for, what it allows and when it ends.

    `player` is the one to choose at first. `on_made` is called with the token.
    """

    def __init__(
        self,
        screen: Screen,
        account: AccountInfo,
        *,
        player: str,
        on_made: Callable[[IssuedToken], None],
    ) -> None:
        super().__init__(screen, name="new_token", title=tr("New API token"), action=tr("Make"))
        self._account, self._on_made = account, on_made
        width = scaled(self, LEAST_PX)
        body = self.body
        body.columnconfigure(0, weight=1, minsize=width)
        ttk.Label(body, text=tr("For whom")).grid(row=0, column=0, sticky="w", pady=(0, 4))
        self._player = ttk.Combobox(
            body, name="player", values=[account.name, *account.bots], state="readonly"
        )
        self._player.set(player)
        self._player.grid(row=1, column=0, sticky="ew", pady=(0, 10))
        self._player.bind("<<ComboboxSelected>>", lambda _: self._chosen())
        # Tk selects the text of a read-only combobox on focus, which only looks confusing.
        self._player.bind("<FocusIn>", lambda _: self._player.selection_clear(), add=True)
        self._label = TextField(
            body,
            TokenField.LABEL,
            tr("What for"),
            "",
            hint=tr("A name for your list, such as ladder script."),
            width=width,
        )
        self._label.grid(row=2, column=0, sticky="ew", pady=(0, 10))
        scopes = ttk.Frame(body)
        scopes.grid(row=3, column=0, sticky="ew", pady=(0, 10))
        ttk.Label(scopes, text=tr("What it allows")).grid(sticky="w", pady=(0, 4))
        self._scopes = {name: switch_button(scopes, name, text) for name, text in SCOPES.items()}
        for switch in self._scopes.values():
            switch.grid(sticky="w", pady=(0, 4))
        self._scopes_error = ttk.Label(
            scopes, name="scopes_error", style="Error.TLabel", justify="left", wraplength=width
        )
        self._scopes_error.grid(sticky="w")
        self._days = TextField(
            body,
            TokenField.DAYS,
            tr("Days until it ends"),
            str(USUAL_DAYS),
            hint=tr("At most {most}.", most=MOST_DAYS),
            width=width,
        )
        self._days.grid(row=4, column=0, sticky="ew")
        self._show_problems({})
        self._chosen()
        self.appear(self._label.entry)

    def confirm(self) -> None:
        """Make the token."""
        player = self._player.get()
        allowed = scopes_for(self._account, player)
        token = NewToken(
            self._label.text,
            tuple(scope for scope in allowed if is_on(self._scopes[scope])),
            self._days.text,
        )
        problems = token.problems
        self._show_problems(problems)
        if problems:
            return
        label, scopes, days = token.label.strip(), token.scopes, token.count
        whose = None if player == self._account.name else player
        self.begin(tr("Making the token ..."))
        self.ask(
            ME,
            lambda client: client.account.new_token(label, scopes, days, whose),
            self._made,
            # Nobody has seen the secret, so the token is of no use.
            lambda issued: self.context.network.ask(
                ME, lambda client: client.account.end_token(issued.token.token_id)
            ),
        )

    def _made(self, issued: IssuedToken) -> None:
        self.working = False
        self.close()
        self._on_made(issued)

    def _chosen(self) -> None:
        """Show the scopes that a token of the chosen player can have, the first one switched on."""
        self._player.selection_clear()
        allowed = scopes_for(self._account, self._player.get())
        for name, switch in self._scopes.items():
            set_visible(switch, name in allowed)
            set_switch(switch, on=name == allowed[0])
        self._show_problems({})

    def _show_problems(self, problems: Mapping[TokenField, str]) -> None:
        """Show problems at their fields, and focus the first of these."""
        self._days.show(problems.get(TokenField.DAYS, ""))
        scopes = problems.get(TokenField.SCOPES, "")
        self._scopes_error.configure(text=scopes)
        set_visible(self._scopes_error, bool(scopes))
        self._label.show(problems.get(TokenField.LABEL, ""))
        if TokenField.LABEL in problems:
            self._label.entry.focus_set()
        elif TokenField.SCOPES in problems:
            self._scopes[scopes_for(self._account, self._player.get())[0]].focus_set()
        elif TokenField.DAYS in problems:
            self._days.entry.focus_set()
