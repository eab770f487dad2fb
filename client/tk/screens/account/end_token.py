"""The dialog that ends a login or an API token."""

from __future__ import annotations

from collections.abc import Callable

from doublecross.client.core.accounts import TokenInfo
from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.account_tokens import end_question
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.dialog import LEAST_PX, Dialog
from doublecross.client.tk.widgets.labels import WrappedLabel


class EndTokenDialog(Dialog):
    """Asks whether to end `token`; `on_done` is called when the server has ended it."""

    def __init__(self, screen: Screen, token: TokenInfo, *, on_done: Callable[[], None]) -> None:
        title = tr("End this login?") if token.kind == "session" else tr("End this token?")
        super().__init__(screen, name="end_token", title=title, action=tr("token|End"))
        self._token, self._on_done = token, on_done
        self.body.columnconfigure(0, weight=1, minsize=scaled(self, LEAST_PX))
        WrappedLabel(self.body, end_question(token), name="about").grid(sticky="ew")
        self.appear(self._cancel)

    def confirm(self) -> None:
        """End the token."""
        token_id = self._token.token_id
        self.begin(tr("Ending it ..."))
        self.ask(
            ME,
            lambda client: client.account.end_token(token_id),
            self._done,
            lambda _: self._on_done(),
        )

    def _done(self, _: None) -> None:
        self.working = False
        self.close()
        self._on_done()
