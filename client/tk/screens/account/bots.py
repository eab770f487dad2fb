"""The dialog that makes the account of a bot, or takes over a bot that plays as a guest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from doublecross.client.core.accounts import OwnBot
from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.start import name_problem
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.choice import SegmentedChoice
from doublecross.client.tk.widgets.dialog import LEAST_PX, Dialog
from doublecross.client.tk.widgets.field import TextField
from doublecross.client.tk.widgets.labels import WrappedLabel
from doublecross.client.tk.widgets.visible import set_visible
from doublecross.protocol.errors import ErrorCode

_WAYS: Final = {"new": tr("A new bot"), "adopt": tr("A bot that plays already")}
_AT_NAME: Final = (ErrorCode.NAME_TAKEN, ErrorCode.BAD_MESSAGE)
_AT_TOKEN: Final = (ErrorCode.BAD_TOKEN, ErrorCode.TOKEN_EXPIRED, ErrorCode.WRONG_KIND)
_LONGEST_TOKEN: Final = 200


class NewBotDialog(Dialog):
    """Asks for the name of a new bot, or the token of one.

    `on_made` is called with the bot, or `on_late` if the person has cancelled meanwhile.
    """

    def __init__(
        self, screen: Screen, *, on_made: Callable[[OwnBot], None], on_late: Callable[[], None]
    ) -> None:
        super().__init__(screen, name="new_bot", title=tr("Add a bot"), action=tr("Add"))
        self._on_made, self._on_late = on_made, on_late
        width = scaled(self, LEAST_PX)
        self.body.columnconfigure(0, weight=1, minsize=width)
        self._way = SegmentedChoice(self.body, _WAYS, "new", name="way", on_change=self._switched)
        self._way.grid(row=0, column=0, sticky="w", pady=(0, 12))
        about = tr("You get the first token of the bot. It plays on this server by that token.")
        self._about_new = WrappedLabel(self.body, about, name="about_new")
        about = tr(
            "A bot that joined by its name alone plays as a guest. Its program keeps its token, "
            "with which it becomes yours; the program goes on with the same token."
        )
        self._about_adopt = WrappedLabel(self.body, about, name="about_adopt")
        for label in (self._about_new, self._about_adopt):
            label.grid(row=1, column=0, sticky="ew", pady=(0, 12))
        self._bot_name = TextField(self.body, "bot_name", tr("Name of the bot"), "", width=width)
        self._bot_token = TextField(self.body, "bot_token", tr("Token of the bot"), "", width=width)
        self._bot_token.entry.configure(show="•")
        for field in (self._bot_name, self._bot_token):
            field.grid(row=2, column=0, sticky="ew")
        self._switched()
        self.appear(self._bot_name.entry)

    def confirm(self) -> None:
        """Make the bot, or take it over."""
        is_new = self._way.value == "new"
        field = self._bot_name if is_new else self._bot_token
        text = field.text.strip()
        problem = name_problem(text) if is_new else _token_problem(text)
        field.show(problem)
        if problem:
            field.entry.focus_set()
            return
        self.begin(tr("Adding the bot ..."))
        if is_new:
            self.ask(ME, lambda client: client.account.new_bot(text), self._made, self._late)
        else:
            self.ask(ME, lambda client: client.account.adopt_bot(text), self._made, self._late)

    def refused(self, refusal: Refusal) -> None:
        """Show the reason at the field that it is about."""
        is_new = self._way.value == "new"
        field = self._bot_name if is_new else self._bot_token
        if refusal.code in (_AT_NAME if is_new else _AT_TOKEN):
            self.end_attempt("")
            field.show(refusal.sentence)
            field.entry.focus_set()
        else:
            super().refused(refusal)

    def _made(self, bot: OwnBot) -> None:
        self.working = False
        self.close()
        self._on_made(bot)

    def _late(self, _: OwnBot) -> None:
        self._on_late()

    def _switched(self) -> None:
        is_new = self._way.value == "new"
        for widget in (self._about_new, self._bot_name):
            set_visible(widget, is_new)
        for widget in (self._about_adopt, self._bot_token):
            set_visible(widget, not is_new)


def _token_problem(token: str) -> str:
    if not token:
        return tr("Paste the token of the bot.")
    if len(token) > _LONGEST_TOKEN:
        return tr("A token has {most} characters at most.", most=_LONGEST_TOKEN)
    return ""
