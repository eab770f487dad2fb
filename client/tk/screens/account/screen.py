"""The screen *Account*: what an account gives, and its logins, tokens and bots.

Theory of operation
-------------------
The screen fetches the account over HTTP when it is shown, and again after each change. A guest sees
the page on which to set a password. To log out, the screen asks the server to end the token in use.
The server then ends the connection, which can be known before the answer; both lead to the start
screen with the same sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from tkinter import ttk
from typing import Final

from doublecross.client.core.accounts import AccountInfo, IssuedToken, OwnBot, TokenInfo
from doublecross.client.language import longest_day, tr
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.joining import HERE, LABEL
from doublecross.client.tk.models.account_tokens import (
    LONG_SCOPES,
    bot_rows,
    counts_text,
    token_rows,
)
from doublecross.client.tk.models.lobby.model import Row
from doublecross.client.tk.models.snapshots import LinkSnapshot, WindowUpdate
from doublecross.client.tk.network.account import AccountPicture, fetch_account, log_out
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.screens.account.bots import NewBotDialog
from doublecross.client.tk.screens.account.end_token import EndTokenDialog
from doublecross.client.tk.screens.account.new_token import NewTokenDialog
from doublecross.client.tk.screens.account.passwords import GuestPage, PasswordDialog
from doublecross.client.tk.screens.account.secret import SecretDialog
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.choice import SegmentedChoice
from doublecross.client.tk.widgets.dialog import Dialog
from doublecross.client.tk.widgets.labels import FittedLabel
from doublecross.client.tk.widgets.lobby.list import LobbyList
from doublecross.client.tk.widgets.note import Note
from doublecross.client.tk.widgets.visible import set_visible

_PAD: Final = 16
_DAY: Final = longest_day() + "."
"""A date as a sample; those of as many letters differ by some pixels."""
_TABS: Final = {"tokens": tr("Logins and tokens"), "bots": tr("Bots")}
_GOODBYE: Final = tr("You are logged out. Log in again, or join under another name.")


class AccountScreen(Screen):
    """Shows the account of the person at the window."""

    name = "account"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._picture: AccountPicture | None = None
        self._leaving = False
        self._dialog: Dialog | None = None
        self.columnconfigure(0, weight=1)
        self.rowconfigure(2, weight=1)
        self._build_head()
        self._guest = GuestPage(self, context, on_done=self._claimed)
        self._guest.grid(row=1, column=0, rowspan=2, sticky="nsew", padx=_PAD, pady=(6, 0))
        self._guest.grid_remove()
        self._build_tabs()
        self._tokens = self._build_tokens()
        self._bots = self._build_bots()
        self._build_foot()
        self.bind("<Escape>", lambda _: self.context.navigation.to_lobby())
        for widget in (self._tokens.tree, self._bots.tree, self._back):
            widget.bindtags((str(self), *widget.bindtags()))
        self.restyle()
        self._show()
        self.fetch()

    # -- called by the window ----------------------------------------------------------------

    def focus_first(self) -> None:
        """Focus the button that leads back, until the account has arrived."""
        self._back.focus_set()

    def take(self, update: WindowUpdate) -> None:
        """Handle an update: the server ends the connection of whoever logs out."""
        if isinstance(update, LinkSnapshot) and update.who == ME and update.state == "ended":
            self._say_goodbye()

    def restyle(self) -> None:
        """Apply the current theme."""
        for each in (self._tokens, self._bots):
            each.restyle(self.context.colours)
        if self._opened is not None:
            self._opened.restyle()

    def leave(self) -> None:
        """Close the open dialog before another screen replaces this one."""
        if self._opened is not None:
            self._opened.close()

    # -- layout ------------------------------------------------------------------------------

    def _build_head(self) -> None:
        head = ttk.Frame(self)
        head.grid(row=0, column=0, sticky="ew", padx=_PAD, pady=(4, 10))
        head.columnconfigure(2, weight=1)
        to_lobby = self.context.navigation.to_lobby
        self._back = enter_button(head, "leave", tr("‹ Lobby"), lambda: to_lobby())
        self._back.grid(row=0, column=0, padx=(0, 16))
        ttk.Label(head, text=tr("Account"), style="Title.TLabel").grid(row=0, column=1)
        latest = self.context.latest
        place = tr("on this computer") if latest.here else tr("at {server}", server=latest.address)
        who = f"{self.context.player_name} {place}"
        identity = FittedLabel(head, who, name="who", style="Dim.TLabel")
        identity.grid(row=0, column=2, sticky="sew", padx=16, pady=(0, 5))
        self._note = Note(head, instead=identity)
        self._note.grid(row=0, column=2, sticky="ew", padx=16)
        self._note.grid_remove()
        head.rowconfigure(0, minsize=self._note.winfo_reqheight())

    def _build_tabs(self) -> None:
        row = self._row = ttk.Frame(self)
        row.grid(row=1, column=0, sticky="ew", padx=_PAD, pady=(0, 10))
        row.columnconfigure(0, weight=1)
        self._tabs = SegmentedChoice(
            row, _TABS, "tokens", name="tabs", style="Toggle.TButton", on_change=self._show
        )
        self._tabs.grid(row=0, column=0, sticky="w")
        self._again = enter_button(row, "again", tr("Try again"), self.fetch)
        self._again.grid(row=0, column=1)
        self._log_out = enter_button(row, "log_out", tr("Log out"), self.log_out)
        self._log_out.grid(row=0, column=2, padx=(8, 0))

    def _build_tokens(self) -> LobbyList:
        tokens = LobbyList(
            self,
            name="tokens",
            title="",
            columns=(
                (tr("Name"), tr("Login: {label}", label=LABEL)),
                (tr("It allows"), LONG_SCOPES),
                (tr("Last used"), _DAY),
                (tr("Ends"), _DAY),
            ),
            empty=tr("The list is being fetched ..."),
            on_open=lambda _: self._end(),
            on_choose=lambda _: self._show_buttons(),
        )
        tokens.grid(row=2, column=0, sticky="nsew", padx=_PAD)
        tokens.show_title(shown=False)
        return tokens

    def _build_bots(self) -> LobbyList:
        bots = LobbyList(
            self,
            name="bots",
            title="",
            columns=(
                (tr("Bot"), "Maximilian"),
                (tr("API tokens"), "20"),
                (tr("Last used"), _DAY),
            ),
            empty=tr("You run no bots yet."),
            on_open=lambda _: self._new_token(),
            on_choose=lambda _: self._show_buttons(),
        )
        bots.grid(row=2, column=0, sticky="nsew", padx=_PAD)
        bots.show_title(shown=False)
        return bots

    def _build_foot(self) -> None:
        foot = self._foot = ttk.Frame(self)
        foot.grid(row=3, column=0, sticky="ew", padx=_PAD, pady=12)
        foot.columnconfigure(0, weight=1)
        self._line = FittedLabel(foot, "", name="line")
        self._line.grid(row=0, column=0, columnspan=4, sticky="ew", pady=(0, 8))
        self._change = enter_button(
            foot, "change_password", tr("Change the password ..."), self._change_password
        )
        self._change.grid(row=1, column=0, sticky="w")
        self._end_button = enter_button(foot, "end", tr("End ..."), self._end)
        self._end_button.grid(row=1, column=1, padx=(8, 0))
        self._bot_button = enter_button(foot, "add_bot", tr("Add a bot ..."), self._add_bot)
        self._bot_button.grid(row=1, column=2, padx=(8, 0))
        self._new_button = enter_button(foot, "make_token", tr("New token ..."), self._new_token)
        self._new_button.grid(row=1, column=3, padx=(8, 0))

    # -- contents ----------------------------------------------------------------------------

    def fetch(self) -> None:
        """Fetch the account, its tokens and its bots."""
        self._again.grid_remove()
        self.context.network.ask(ME, lambda client: fetch_account(client), self._came, self._missed)

    def _came(self, picture: AccountPicture) -> None:
        if not self.winfo_exists():
            return
        first, self._picture = self._picture is None, picture
        self._show()
        if first:
            shown = self._tokens.tree if picture.account.claimed else None
            if shown is not None:
                shown.focus_set()
            else:
                self._guest.focus_first()

    def _missed(self, refusal: Refusal) -> None:
        if self.winfo_exists():
            self._tokens.set_empty_text(tr("Nothing is known of your account yet."))
            self._complain(refusal)
            self._again.grid()

    def _claimed(self, _: AccountInfo) -> None:
        """Show the account that a guest has become."""
        self._picture = None
        self._note.show(tr("You have an account now. Keep the password well."), good=True)
        self._show()
        self.fetch()

    def _show(self) -> None:
        picture = self._picture
        guest = picture is not None and not picture.account.claimed
        on_tokens = self._tabs.value == "tokens"
        set_visible(self._guest, guest)
        for widget in (self._row, self._foot):
            set_visible(widget, not guest)
        set_visible(self._tokens, not guest and on_tokens)
        set_visible(self._bots, not guest and not on_tokens)
        set_visible(self._log_out, picture is not None and picture.account.has_password)
        set_visible(self._end_button, on_tokens)
        set_visible(self._bot_button, not on_tokens)
        if picture is not None and not guest:
            self._tokens.show(token_rows(picture.tokens, picture.account.name))
            self._bots.show(bot_rows(picture.account, picture.tokens))
            self._line.set_text(counts_text(picture.account, picture.tokens))
        self._show_buttons()

    def _show_buttons(self) -> None:
        """Enable the buttons that are of use."""
        known = self._picture is not None
        for button, useful in (
            (self._change, known),
            (self._bot_button, known),
            (self._new_button, known),
            (self._end_button, self._chosen_token is not None),
        ):
            button.state(["!disabled" if useful else "disabled"])

    @property
    def _chosen_token(self) -> TokenInfo | None:
        row, picture = self._tokens.chosen, self._picture
        if row is None or picture is None:
            return None
        return next((each for each in picture.tokens if each.token_id == row.key), None)

    def _complain(self, refusal: Refusal) -> None:
        self._note.show(refusal.sentence)

    # -- dialogs -----------------------------------------------------------------------------

    @property
    def _opened(self) -> Dialog | None:
        dialog = self._dialog
        return dialog if dialog is not None and dialog.winfo_exists() else None

    def _open(self, make: Callable[[AccountInfo], Dialog]) -> None:
        """Close the open dialog and open another one, once the account is known."""
        if self._picture is None:
            return
        if self._opened is not None:
            self._opened.close()
        self._note.show("")
        self._dialog = make(self._picture.account)

    def _change_password(self) -> None:
        def done(_: AccountInfo) -> None:
            self._note.show(tr("The password is changed."), good=True)
            self.fetch()

        self._open(lambda account: PasswordDialog(self, current=account.has_password, on_done=done))

    def _new_token(self) -> None:
        row: Row | None = self._bots.chosen if self._tabs.value == "bots" else None

        def made(issued: IssuedToken) -> None:
            self.fetch()
            self._show_secret(issued)

        self._open(
            lambda account: NewTokenDialog(
                self, account, player=account.name if row is None else row.key, on_made=made
            )
        )

    def _add_bot(self) -> None:
        def made(bot: OwnBot) -> None:
            self.fetch()
            if bot.issued is not None:
                self._show_secret(bot.issued)
            else:
                self._note.show(tr("{name} is your bot now.", name=bot.name), good=True)

        self._open(lambda _: NewBotDialog(self, on_made=made, on_late=self._refetch))

    def _show_secret(self, issued: IssuedToken) -> None:
        self._open(lambda _: SecretDialog(self, player=issued.token.player, secret=issued.secret))

    def _end(self) -> None:
        token = self._chosen_token
        if token is None:
            return
        if token.current:
            self.log_out()
            return
        self._open(lambda _: EndTokenDialog(self, token, on_done=self._refetch))

    def _refetch(self) -> None:
        if self.winfo_exists():
            self.fetch()

    # -- logging out -------------------------------------------------------------------------

    def log_out(self) -> None:
        """End the login of this window and forget its token; show the start screen."""
        if self._leaving:
            return
        self._leaving = True
        latest = self.context.latest
        server = HERE if latest.here else latest.server
        file = self.context.home.token_file(server, self.context.player_name)
        self._log_out.state(["disabled"])
        self.context.network.ask(
            ME, partial(log_out, file=file), lambda _: self._say_goodbye(), self._stays
        )

    def _say_goodbye(self) -> None:
        if self._leaving and self.winfo_exists():
            self._leaving = False
            self.context.navigation.to_start(_GOODBYE, log_in=True)

    def _stays(self, refusal: Refusal) -> None:
        if self.winfo_exists():
            self._leaving = False
            self._log_out.state(["!disabled"])
            self._complain(refusal)
