"""The dialog that changes the settings of quick matches and looks for an opponent."""

from __future__ import annotations

from collections.abc import Callable

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.lobby.forms import MatchFields
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.screens.forms.match import MatchDialog
from doublecross.client.tk.widgets.lobby.match_form import MatchForm
from doublecross.protocol.server_messages import RoomState, SeekPosted


class QuickDialog(MatchDialog):
    """Asks for the settings of this and all later quick matches.

    `on_change` is called after they have been stored.
    """

    def __init__(
        self, screen: Screen, fields: MatchFields, *, on_change: Callable[[], None]
    ) -> None:
        super().__init__(
            screen,
            fields,
            name="quick_match",
            title=tr("Quick match"),
            action=tr("Find an opponent"),
        )
        self._on_change = on_change
        self.form = MatchForm(self.body, fields, rates=True)
        self.form.grid(sticky="ew")
        self.appear(self.form.game)

    def confirm(self) -> None:
        """Accept the oldest offer with these settings, or post one."""
        settings = self.form.settings()
        if settings is None:
            return
        self.context.home.settings.quick = self.fields.to_saved()
        self.context.home.save()
        self._on_change()
        self.begin(tr("Looking for an opponent ..."))
        self.ask(ME, lambda client: client.offers.quick_match(settings), self._done, self._undo)

    def _done(self, answer: SeekPosted | RoomState) -> None:
        if isinstance(answer, RoomState):
            self.enter_room(answer)
            return
        self.working = False
        self.close()

    def _undo(self, answer: SeekPosted | RoomState) -> None:
        if isinstance(answer, RoomState):
            self.leave_room(answer)
        else:
            self.context.network.ask(ME, lambda client: client.offers.cancel_seek(answer.seek))
