"""Asks what a quick match is to be, and finds an opponent for it."""

from __future__ import annotations

from collections.abc import Callable

from client.tk.context import Screen
from client.tk.models.lobby.forms import MatchFields
from client.tk.network.thread import ME
from client.tk.screens.forms.match import MatchDialog
from client.tk.widgets.lobby.match_form import MatchForm
from protocol.server_messages import RoomState, SeekPosted


class QuickDialog(MatchDialog):
    """What is chosen holds for every quick match from then on."""

    def __init__(
        self, screen: Screen, fields: MatchFields, *, on_change: Callable[[], None]
    ) -> None:
        super().__init__(
            screen, fields, name="quick_match", title="Quick match", action="Find an opponent"
        )
        self._on_change = on_change
        self.form = MatchForm(self.body, fields)
        self.form.grid(sticky="ew")
        self.appear(self.form.game)

    def confirm(self) -> None:
        """Take the oldest offer like this, or post one."""
        settings = self.form.settings()
        if settings is None:
            return
        self.context.home.kept.quick = self.fields.to_kept()
        self.context.home.save()
        self._on_change()
        self.begin("Looking for an opponent ...")
        self.ask(ME, lambda client: client.offers.quick_match(settings), self._done, self._undo)

    def _done(self, answer: SeekPosted | RoomState) -> None:
        if isinstance(answer, RoomState):
            self.go(answer)
            return
        self.working = False
        self.close()

    def _undo(self, answer: SeekPosted | RoomState) -> None:
        if isinstance(answer, RoomState):
            self.leave_room(answer)
        else:
            self.context.network.ask(ME, lambda client: client.offers.cancel_seek(answer.seek))
